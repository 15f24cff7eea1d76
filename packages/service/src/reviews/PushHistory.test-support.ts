/** Random histories of pushes to a pull request, from a seed. */
import { git } from "../git/Fixture.test-support.ts"

/** Lines by path. */
type Files = ReadonlyMap<string, ReadonlyArray<string>>
type Edit = (files: Files) => Files

/** A version of a pull request. */
export interface Push {
  readonly base: string
  readonly head: string
}

/** Creates the history in the empty folder `path`, and gives the commits after each push. */
export const make = (path: string, seed: number): ReadonlyArray<Push> => {
  const below = random(seed)
  git(path, ["init", "--quiet", "--initial-branch=main"])
  let stream = ""
  let marks = 0
  const commit = (files: Files, parents: ReadonlyArray<number>) => {
    const mark = ++marks
    const [from, merge] = parents
    const blobs = [...files].map(([name, lines]) => {
      // A file without lines, or without a last line feed, is rare.
      const text = lines.join("\n") + (lines.length % 11 === 0 ? "" : "\n")
      return `M 100644 inline ${JSON.stringify(name)}\ndata ${Buffer.byteLength(text)}\n${text}\n`
    })
    stream +=
      (from === undefined ? "reset refs/heads/main\n" : "") +
      `commit refs/heads/main\nmark :${mark}\ncommitter T <t@example.org> ${1_600_000_000 + mark} +0000\ndata 1\nx\n` +
      (from === undefined ? "" : `from :${from}\n`) +
      (merge === undefined ? "" : `merge :${merge}\n`) +
      `deleteall\n${blobs.join("")}\n`
    return mark
  }

  let texts = 0
  /** Some lines are equal, so that git has to choose. */
  const line = () => (below(4) === 0 ? (["", "}", "return", "  end"][below(4)] ?? "") : `line ${++texts}`)
  const some = (count: number) => Array.from({ length: count }, line)

  /** Chooses an edit once, so that it can be applied to both branches. */
  const edit = (): Edit => {
    const kind = below(12)
    const [at, count, from, fileIndex] = [below(40), 1 + below(4), below(40), below(6)]
    const added = some(count)
    const name = `${["dir/new ", "ünï "][below(2)] ?? ""}${below(5)}.txt`
    return (files) => {
      const next = new Map(files)
      const path = [...files.keys()][fileIndex % files.size] ?? ""
      const lines = files.get(path) ?? []
      const start = at % (lines.length + 1)
      if (kind < 3) next.set(path, lines.toSpliced(start, 0, ...added))
      else if (kind < 5) next.set(path, lines.toSpliced(start, count))
      else if (kind < 8) next.set(path, lines.toSpliced(start, count, ...added))
      else if (kind === 8) {
        const block = lines.slice(start, start + 3)
        const rest = lines.toSpliced(start, 3)
        next.set(path, rest.toSpliced(from % (rest.length + 1), 0, ...block))
      } else if (kind === 9) {
        next.delete(path)
        next.set(name, lines)
      } else if (kind === 10) next.set(name, some(8))
      else if (files.size > 2) next.delete(path)
      return next
    }
  }

  const root: Files = new Map(["a.txt", "b.txt", "dir/c.txt"].map((name) => [name, some(25 + below(15))]))
  let base = { mark: commit(root, []), files: root }
  let head = base
  /** The edits since the head left the base. */
  let edits: Array<Edit> = []
  const pushes: Array<{ readonly base: number; readonly head: number }> = []
  const apply = (files: Files, all: ReadonlyArray<Edit>) => all.reduce((before, one) => one(before), files)
  const append = (one: Edit) => {
    edits.push(one)
    const files = one(head.files)
    head = { mark: commit(files, [head.mark]), files }
  }

  for (let index = 0; index < 3; index++) append(edit())
  pushes.push({ base: base.mark, head: head.mark })
  for (let push = 0; push < 4; push++) {
    const kind = below(10)
    if (below(3) === 0) {
      const files = edit()(base.files)
      base = { mark: commit(files, [base.mark]), files }
    }
    if (kind < 5) for (let count = below(3); count >= 0; count--) append(edit())
    else if (kind === 5) {
      // Reverts everything since the base, except for one edit.
      const kept = edits.slice(0, 1)
      edits = kept
      const files = apply(root, kept)
      head = { mark: commit(files, [head.mark]), files }
    } else if (kind === 6) {
      // A forced push of other commits from the base.
      edits = [...edits.slice(0, 2), edit()]
      const files = apply(base.files, edits)
      head = { mark: commit(files, [base.mark]), files }
    } else if (kind < 9) {
      // A rebase onto the base.
      const moved = edit()
      const onto = moved(base.files)
      base = { mark: commit(onto, [base.mark]), files: onto }
      head = base
      const replayed = edits
      edits = []
      for (const one of replayed) append(one)
    } else {
      const files = apply(base.files, edits)
      head = { mark: commit(files, [head.mark, base.mark]), files }
    }
    pushes.push({ base: base.mark, head: head.mark })
  }
  const names = pushes.map(
    ({ base, head }, index) =>
      `reset refs/heads/base${index}\nfrom :${base}\n\nreset refs/heads/head${index}\nfrom :${head}\n\n`
  )
  git(path, ["fast-import", "--quiet", "--force"], stream + names.join(""))
  const oids = git(path, ["rev-parse", ...pushes.flatMap((_, index) => [`base${index}`, `head${index}`])]).split("\n")
  return pushes.map((_, index) => ({ base: oids[2 * index] ?? "", head: oids[2 * index + 1] ?? "" }))
}

/** Creates a generator of integers from 0 below a limit. */
export const random = (seed: number) => {
  let state = seed * 7919 + 1
  return (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit)
  }
}
