/** Computes the blame of a file: comparing two versions shows which lines the newer version added. */
import type { BlameRange } from "@tongs/core/contract/groups/History"
import * as LineDiff from "./LineDiff.ts"

/** A commit that changed the file. */
export type BlamedCommit = Pick<BlameRange, "author" | "commit" | "date" | "summary">

/** The last commit of each line, as far as known from the compared versions. Changed by `addOlder` and `end`. */
export interface BlameWalk {
  readonly path: string
  /** The oldest version that was compared. */
  version: { readonly commit: BlamedCommit; readonly lines: ReadonlyArray<string> }
  /** For each line of the newest version: the last commit, or the line's index in the oldest version. */
  readonly lines: Array<Blamed | number>
  /** Number of lines whose commit is not known. */
  pending: number
}

interface Blamed {
  readonly commit: BlamedCommit
  /** Number of the line in this commit. */
  readonly line: number
  /** The version before this commit. Undefined if the commit added the file. */
  readonly previous: BlamedCommit | undefined
}

/** Starts at the newest version. */
export const make = (path: string, commit: BlamedCommit, text: string): BlameWalk => {
  const lines = LineDiff.split(text)
  return { path, version: { commit, lines }, lines: lines.map((_, index) => index), pending: lines.length }
}

/** Adds the next older version. Lines that the older version lacks get the commit of the next newer version. */
export const addOlder = (walk: BlameWalk, commit: BlamedCommit, text: string): void => {
  const lines = LineDiff.split(text)
  const indices = LineDiff.unchanged(lines, walk.version.lines)
  settle(walk, commit, (index) => indices[index] ?? -1)
  walk.version = { commit, lines }
}

/** Ends at a version before which the file did not exist: the remaining lines get the commit of that version. */
export const end = (walk: BlameWalk): void => settle(walk, undefined, () => -1)

const settle = (walk: BlameWalk, previous: BlamedCommit | undefined, indexInOlder: (index: number) => number) => {
  const { commit } = walk.version
  for (const [at, line] of walk.lines.entries()) {
    if (typeof line !== "number") continue
    const index = indexInOlder(line)
    if (index === -1) walk.pending--
    walk.lines[at] = index === -1 ? { commit, line: line + 1, previous } : index
  }
}

/** Returns the lines with a known commit, in the order of the file. */
export const ranges = ({ lines, path }: BlameWalk): ReadonlyArray<BlameRange> => {
  const found: Array<{ from: number; to: number; readonly blamed: Blamed }> = []
  for (const [at, line] of lines.entries()) {
    if (typeof line === "number") continue
    const last = found.at(-1)
    const continues =
      last !== undefined &&
      last.to === at &&
      last.blamed.commit === line.commit &&
      last.blamed.line + at + 1 - last.from === line.line
    if (continues) last.to = at + 1
    else found.push({ from: at + 1, to: at + 1, blamed: line })
  }
  return found.map(({ blamed: { commit, line, previous }, from, to }) => ({
    from,
    to,
    ...commit,
    path,
    line,
    ...(previous === undefined ? {} : { previous: { commit: previous.commit, path } })
  }))
}
