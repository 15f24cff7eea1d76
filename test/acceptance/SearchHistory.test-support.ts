/** A repository with a generated history for searches of branches, tags and commits. */
import { mkdirSync } from "node:fs"
import { git } from "@tongs/service/git/Fixture.test-support"

/** Words of the generated files. */
export const words = [
  ..."alloc free malloc buffer length index value result error parse token stream socket".split(" "),
  ..."mutex_lock spin_lock list_head container likely static struct packet queue timer".split(" ")
]

const folders = ["", "src/", "src/net/", "Drivers/gpu/", "docs/", "test/"]
const extensions = ["c", "h", "md", "ts"]

type Content = { readonly mode: string; readonly bytes: Buffer }
type Files = Map<string, Content>

/** Returns a generator of pseudo-random whole numbers below a limit. */
const makeRandom = (seed: number) => {
  let state = seed
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** Writes commits with generated edits to a bare repository. */
export const make = (path: string, seed: number) => {
  const random = makeRandom(seed)
  const pick = <A>(all: ReadonlyArray<A>, fallback: A): A => all[random(all.length)] ?? fallback
  const word = () => pick(words, "")
  let date = 1_600_000_000
  const line = () =>
    pick(
      [
        `static int ${word()}_${word()}(struct ${word()} *${word()});`,
        `\tif (${word()} == ${random(100)}) return ${word()};`,
        `/* ${word()} ${word()} – café. */`,
        `#define ${word().toUpperCase()} ${random(1_000)}`,
        `${word()}.${word()}(${word()}, ${word()}${random(30)})`,
        ""
      ],
      ""
    )
  const content = (): Content => {
    const lines = Array.from({ length: 1 + random(30) }, line)
    const kind = random(20)
    if (kind === 0) return { mode: "100644", bytes: Buffer.from([0x89, 0, ...Buffer.from(lines.join("\n"))]) }
    // The target of a symbolic link is not the content of a file.
    if (kind === 1) return { mode: "120000", bytes: Buffer.from(word()) }
    return { mode: "100644", bytes: Buffer.from(`${lines.join(kind < 5 ? "\r\n" : "\n")}${kind < 18 ? "\n" : ""}`) }
  }
  const write = (branch: string, parents: ReadonlyArray<string>, changes: ReadonlyArray<Buffer>) => {
    const [from, merge] = parents
    const head = [
      `commit refs/heads/${branch}`,
      `committer T <t@example.org> ${date++} +0000`,
      "data 1\nx",
      ...(from === undefined ? [] : [`from ${from}`]),
      ...(merge === undefined ? [] : [`merge ${merge}`])
    ].join("\n")
    git(path, ["fast-import", "--quiet", "--force"], Buffer.concat([Buffer.from(`${head}\n`), ...changes]))
    return git(path, ["rev-parse", branch])
  }
  const row = (text: string) => Buffer.from(`${text}\n`)
  const file = (name: string, { bytes, mode }: Content) =>
    Buffer.concat([row(`M ${mode} inline ${name}\ndata ${bytes.length}`), bytes, row("")])

  const trees = new Map<string, Files>()
  const newPath = () => `${pick(folders, "")}${word()}${random(200)}.${pick(extensions, "c")}`

  /**
   * Adds commits to a branch, each with `edits` changes of files. A new branch starts at `from`, or without a parent.
   */
  const commits = (branch: string, count: number, edits: number, from?: string) => {
    const files: Files = trees.get(branch) ?? new Map(from === undefined ? [] : trees.get(from))
    let parent = trees.has(branch) ? git(path, ["rev-parse", branch]) : from && git(path, ["rev-parse", from])
    trees.set(branch, files)
    for (let at = 0; at < count; at++) {
      const changes: Array<Buffer> = []
      for (let edit = 0; edit < edits; edit++) {
        const name = pick([...files.keys()], "")
        const old = files.get(name)
        const kind = old === undefined ? 0 : random(10)
        if (old === undefined || kind < 3) {
          const [added, made] = [newPath(), content()]
          files.set(added, made)
          changes.push(file(added, made))
        } else if (kind < 7) {
          const made = { mode: old.mode, bytes: Buffer.concat([old.bytes, Buffer.from(`${line()}\n`)]) }
          const next = old.mode === "120000" ? old : made
          files.set(name, next)
          changes.push(file(name, next))
        } else if (kind === 7) {
          const to = newPath()
          files.delete(name)
          files.set(to, old)
          changes.push(row(`R ${name} ${to}`))
        } else if (kind === 8) {
          files.delete(name)
          changes.push(row(`D ${name}`))
        } else if (old.mode !== "120000") {
          const next = { ...old, mode: old.mode === "100644" ? "100755" : "100644" }
          files.set(name, next)
          changes.push(file(name, next))
        }
      }
      parent = write(branch, parent === undefined ? [] : [parent], changes)
    }
  }

  /** Merges a branch into another. The merge takes all files of the first and the files that only the second has. */
  const merge = (branch: string, other: string) => {
    const [files, others] = [trees.get(branch) ?? new Map(), trees.get(other) ?? new Map<string, Content>()]
    const added = [...others].filter(([name]) => !files.has(name))
    for (const [name, one] of added) files.set(name, one)
    const parents = [branch, other].map((one) => git(path, ["rev-parse", one]))
    write(
      branch,
      parents,
      added.map(([name, one]) => file(name, one))
    )
  }

  mkdirSync(path, { recursive: true })
  git(path, ["init", "--quiet", "--bare", "--initial-branch=main"])
  return { commits, merge }
}

/**
 * Creates a history: a branch that left `main` early, a merged and an orphan branch, releases with a lightweight and an
 * annotated tag. Returns a function that adds a commit to `main` and to `far`.
 */
export const create = (path: string, seed: number) => {
  const { commits, merge } = make(path, seed)
  commits("main", 1, 200)
  commits("main", 4, 10)
  commits("far", 20, 12, "main")
  commits("main", 10, 6)
  git(path, ["tag", "v1.0", "main"])
  commits("release-1", 2, 3, "main")
  commits("topic", 5, 4, "main")
  commits("main", 5, 6)
  merge("main", "topic")
  git(path, ["tag", "--annotate", "--message=second", "v2.0", "main"])
  commits("release-2", 2, 3, "main")
  commits("main", 10, 6)
  commits("orphan", 2, 20)
  return () => {
    commits("main", 1, 8)
    commits("far", 1, 8)
  }
}
