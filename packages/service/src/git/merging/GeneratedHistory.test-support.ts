/** Random histories of two branches, `base` and `head`, from a seed. */
import { execFileSync } from "node:child_process"
import { git } from "../Fixture.test-support.ts"

interface File {
  readonly mode: "100644" | "100755" | "120000" | "160000"
  readonly content: string
}

type Files = ReadonlyMap<string, File>

interface Branch {
  mark: number
  files: Files
}

/** Creates the history in the empty folder `path`. */
export const make = (path: string, seed: number): void => {
  const random = mulberry32(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <A>(all: ReadonlyArray<A>): A | undefined => all[below(all.length)]
  const isSha256 = seed % 5 === 4
  git(path, ["init", "--quiet", "--initial-branch=main", ...(isSha256 ? ["--object-format=sha256"] : [])])
  let marks = 0
  let stream = ""
  const data = (text: string) => `data ${Buffer.byteLength(text, "latin1")}\n${text}\n`

  const commit = (files: Files, parents: ReadonlyArray<number>): number => {
    const blobs = [...files].map(([name, { content, mode }]) => {
      if (mode === "160000") return `M 160000 ${content} ${name}\n`
      stream += `blob\nmark :${++marks}\n${data(content)}`
      return `M ${mode} :${marks} ${name}\n`
    })
    const [from, merge] = parents
    const mark = ++marks
    const kind = below(12)
    const message =
      ["\n  \nblank lines before\n", "no line feed", "caf\xe9\n", "br\xfcgge\xff\n"][kind] ?? `commit ${mark}\n\nbody\n`
    stream +=
      `${from === undefined ? "reset refs/heads/temporary\n" : ""}commit refs/heads/temporary\nmark :${mark}\n` +
      `author A ${kind === 2 ? "\xc9mile" : "U Thor"} <a${mark}@example.org> ${1_600_000_000 + mark} +0${below(9)}30\n` +
      `committer C <c@example.org> ${1_600_000_000 + mark * 60} +0000\n` +
      `${kind === 2 ? "encoding ISO-8859-1\n" : ""}${data(message)}` +
      `${from === undefined ? "" : `from :${from}\n`}${merge === undefined ? "" : `merge :${merge}\n`}` +
      `deleteall\n${blobs.join("")}\n`
    return mark
  }

  const lines = (count: number, word: string) =>
    Array.from({ length: count }, (_, line) => `${word} ${line} ${"-".repeat(line % 7)}`).join("\n") + "\n"

  const names = ["a.txt", "b.txt", "dir/c.txt", "dir/d.txt", "dir/sub/e.txt", "other/f.txt", "bin", "link", "module"]
  const root: Files = new Map<string, File>([
    ...names.slice(0, 6).map((name): [string, File] => [name, { mode: "100644", content: lines(20, name) }]),
    ["bin", { mode: "100644", content: "\0\x01\xff" + lines(5, "binary") }],
    ["link", { mode: "120000", content: "a.txt" }]
  ])

  /** Changes a random file. */
  const edit = (files: Files): Files => {
    const next = new Map(files)
    const name = pick([...files.keys()].filter((one) => files.get(one)?.mode !== "160000")) ?? "a.txt"
    const file = files.get(name) ?? { mode: "100644", content: "" }
    const kind = below(14)
    if (kind < 5 && file.mode !== "120000") {
      const all = file.content.split("\n")
      all[below(Math.min(8, all.length - 1))] = `edited ${below(3)}`
      next.set(name, { ...file, content: all.join("\n") })
    } else if (kind === 5) next.set(`new${below(4)}.txt`, { mode: "100644", content: lines(1 + below(3), "new") })
    else if (kind === 6) next.delete(name)
    else if (kind === 7) {
      next.delete(name)
      next.set(`moved${below(3)}/${name.replaceAll("/", "-")}`, file)
    } else if (kind === 8 && file.mode !== "120000") {
      next.set(name, { ...file, mode: file.mode === "100644" ? "100755" : "100644" })
    } else if (kind === 9) next.set("link", { mode: "120000", content: `target${below(3)}` })
    else if (kind === 10) next.set("bin", { mode: "100644", content: `\0${below(4)}${lines(5, "binary")}` })
    else if (kind === 11) {
      const oid = String(1 + below(3)).repeat(isSha256 ? 64 : 40)
      next.set("module", { mode: "160000", content: oid })
    } else if (kind === 12) {
      for (const [path, moved] of files) {
        if (!path.startsWith("dir/")) continue
        next.delete(path)
        next.set(`folder/${path.slice(4)}`, moved)
      }
    }
    return withoutFolderConflicts(next)
  }

  const first = commit(root, [])
  const base: Branch = { mark: first, files: root }
  const head: Branch = { mark: first, files: root }
  const append = (branch: Branch, files: Files, ...others: ReadonlyArray<number>) => {
    branch.mark = commit(files, [branch.mark, ...others])
    branch.files = files
  }
  const isLinear = seed % 7 === 0
  const steps = 2 + below(7)
  for (let step = 0; step < steps; step++) {
    const kind = below(isLinear ? 10 : 20)
    if (kind < 8) append(head, edit(edit(head.files)))
    else if (kind === 8) append(head, head.files)
    else if (kind === 9) append(head, edit(head.files))
    else if (kind < 15) append(base, edit(base.files))
    else if (kind === 15) {
      // The same change on both branches becomes empty.
      const name = "both.txt"
      const file: File = { mode: "100644", content: `both ${below(2)}\n` }
      append(base, new Map([...base.files, [name, file]]))
      append(head, new Map([...head.files, [name, file]]))
    } else if (kind === 16) append(head, withoutFolderConflicts(new Map([...base.files, ...head.files])), base.mark)
    else if (kind === 17) {
      const [one, other] = [base.mark, head.mark]
      const joined = withoutFolderConflicts(new Map([...base.files, ...head.files]))
      append(base, joined, other)
      append(head, joined, one)
    } else if (kind === 18) {
      const orphan = commit(new Map([["orphan.txt", { mode: "100644", content: "orphan\n" }]]), [])
      append(head, new Map([...head.files, ["orphan.txt", { mode: "100644", content: "orphan\n" }]]), orphan)
    }
  }
  if (seed % 17 === 16) head.mark = commit(root, [])
  stream += `reset refs/heads/base\nfrom :${base.mark}\n\nreset refs/heads/head\nfrom :${head.mark}\n\n`
  git(path, ["fast-import", "--quiet"], Buffer.from(stream, "latin1"))
}

/** Removes files whose path is also a folder. */
const withoutFolderConflicts = (files: Files): Files => {
  const folders = new Set([...files.keys()].flatMap((path) => parentsOf(path)))
  return new Map([...files].filter(([path]) => !folders.has(path)))
}

const parentsOf = (path: string): ReadonlyArray<string> =>
  path.split("/").map((_, count, parts) => parts.slice(0, count).join("/"))

const mulberry32 = (seed: number) => {
  let state = seed * 7919 + 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Runs git with the output of a success, or `undefined` for a failure. */
export const attempt = (path: string, args: ReadonlyArray<string>): string | undefined => {
  try {
    return git(path, args)
  } catch {
    return undefined
  }
}

/** Paths with conflicts in the index, without the names that git adds to files beside folders. */
export const conflicts = (path: string): ReadonlyArray<string> => {
  const output = execFileSync("git", ["ls-files", "--unmerged", "-z"], { cwd: path, encoding: "utf8" })
  const names = output.split("\0").flatMap((line) => (line === "" ? [] : [line.slice(line.indexOf("\t") + 1)]))
  return [...new Set(names.map((name) => name.replace(/~.*$/, "")))].sort()
}
