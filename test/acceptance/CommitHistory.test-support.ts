/** A repository with a generated history: edits, new, deleted, renamed and binary files, branches and merges. */
import { git } from "@tongs/service/git/Fixture.test-support"

/** Words of the generated files and messages. */
export const words = [
  ..."alloc free malloc kmalloc buffer length index value result error parse token stream socket".split(" "),
  ..."mutex_lock mutex_unlock spin_lock list_head container_of likely unlikely static struct sk_buff".split(" ")
]

/** Words of the messages only. */
export const verbs = ["Fix", "Add", "Remove", "Refactor", "Revert", "Document", "fix a leak in", "Speed up"]

/** Authors, with e-mail addresses. */
export const people = [
  "Ann Lee <ann@example.org>",
  "Bob Stone <bob@example.com>",
  "Çelik Öz <oz@example.org>",
  "ANNA <anna@sub.example.org>"
]

/** Folders and extensions of the files. */
export const folders = ["", "src/", "src/net/", "Drivers/gpu/", "docs/", "test/"]
export const extensions = ["c", "h", "md", "ts"]

/** Date of the first commit in seconds, and time between two commits. */
export const FIRST_DATE = 1_600_000_000
export const INTERVAL = 3_600

/** Number of commits of the main branch. */
export const COMMITS = 360

/** Returns a generator of pseudo-random whole numbers below a limit. */
const makeRandom = (seed: number) => {
  let state = seed
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** Creates the history in an empty bare repository. */
export const create = (path: string, seed: number): void => {
  const random = makeRandom(seed)
  const pick = <A>(all: ReadonlyArray<A>, fallback: A): A => all[random(all.length)] ?? fallback
  const word = () => pick(words, "")
  const shapes: ReadonlyArray<() => string> = [
    () => `static int ${word()}_${word()}(struct ${word()} *${word()});`,
    () => `\tif (${word()} == ${random(100)}) return ${word()};`,
    () => `  ${word()}(${word()}, ${word()});\r`,
    () => `/* ${word()} ${word()} – café */`,
    () => `#define ${word().toUpperCase()} ${random(1_000)}`,
    () => "}",
    () => ""
  ]
  const line = () => pick(shapes, () => "")()
  const files = new Map<string, Array<string>>()
  const parts: Array<Buffer> = []
  const write = (text: string, encoding: BufferEncoding = "utf8") => parts.push(Buffer.from(text, encoding))
  const data = (text: string, encoding: BufferEncoding = "utf8") => {
    const bytes = Buffer.from(text, encoding)
    write(`data ${bytes.length}\n`)
    parts.push(bytes)
    write("\n")
  }
  const put = (name: string, lines: ReadonlyArray<string>) => {
    write(`M 100644 inline ${JSON.stringify(name)}\n`)
    // Some files have no final line feed, or an old encoding.
    data(lines.join("\n") + (name.length % 3 === 0 ? "" : "\n"), name.endsWith("0.h") ? "latin1" : "utf8")
  }
  let mark = 0
  let date = FIRST_DATE
  const begin = (branch: string, from: number | undefined, merged?: number) => {
    date += INTERVAL
    write(`commit refs/heads/${branch}\nmark :${++mark}\n`)
    write(`author ${pick(people, "")} ${date - random(50) * INTERVAL} +0200\n`)
    write(`committer ${pick(people, "")} ${date} +0000\n`)
    data(
      `${pick(verbs, "")} ${word()}: ${word()}\n\n${word()} ${word()}\n${random(3) === 0 ? `Fixes: ${word()}\n` : ""}`
    )
    if (from !== undefined) write(`from :${from}\n`)
    if (merged !== undefined) write(`merge :${merged}\n`)
    return mark
  }
  const edit = () => {
    const names = [...files.keys()]
    const name = pick(names, "")
    const lines = files.get(name)
    const kind = random(12)
    if (lines === undefined || kind === 0) {
      const created = `${pick(folders, "")}${word()} ${names.length}.${pick(extensions, "c")}`
      files.set(created, Array.from({ length: 5 + random(40) }, line))
      return put(created, files.get(created) ?? [])
    }
    if (kind === 1) {
      files.delete(name)
      return void write(`D ${JSON.stringify(name)}\n`)
    }
    if (kind === 2) {
      const renamed = `${pick(folders, "")}${word()}-${names.length}.${pick(extensions, "c")}`
      files.delete(name)
      files.set(renamed, lines)
      write(`D ${JSON.stringify(name)}\n`)
      return put(renamed, lines)
    }
    for (let count = 1 + random(4); count > 0; count--) {
      const at = random(lines.length + 1)
      if (random(3) === 0) lines.splice(at, 1 + random(3))
      else lines.splice(at, random(2), line(), ...(random(2) === 0 ? [line()] : []))
    }
    put(name, lines)
  }
  let last: number | undefined
  for (let at = 0; at < COMMITS; at++) {
    if (at % 25 === 24 && last !== undefined) {
      // The branch changes a separate file, so that the merge has no conflict.
      const name = `side/${word()}-${at}.c`
      const lines = Array.from({ length: 10 }, line)
      let side = last
      for (let step = 0; step < 3; step++) {
        side = begin("side", side)
        lines.push(line(), line())
        put(name, lines)
      }
      last = begin("main", last, side)
      put(name, lines)
      continue
    }
    last = begin("main", last)
    for (let count = 1 + random(3); count > 0; count--) edit()
    if (at % 40 === 7) {
      write("M 100644 inline image.bin\n")
      data(`\0\x01${word()}${at}`)
    }
  }
  git(path, ["init", "--quiet", "--bare", "--initial-branch=main"])
  git(path, ["fast-import", "--quiet", "--force"], Buffer.concat(parts))
}
