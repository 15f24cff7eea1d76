/** A file whose names and last commits the commands on code follow. Indexes of lines begin at 0. */
import type { BlameRange } from "@tongs/core/contract/groups/History"
import type { Identifier } from "@tongs/syntax/Identifier"
import type { Line } from "../text/StyledLine.ts"

/** A file of a repository. */
export interface CodeFile {
  readonly owner: string
  readonly repo: string
  readonly path: string
  /** The commit, branch or tag of the text; undefined for the default branch. */
  readonly ref: string | undefined
  /** The commit that has the uncommitted lines of the work tree. */
  readonly snapshot: string | undefined
  /** Returns the last commit of a line; undefined if it is not known. */
  readonly blameAt: (index: number) => BlameRange | undefined
  readonly namesAt: (index: number) => ReadonlyArray<Identifier>
  /** Formats a line with a marked name. */
  readonly lineAt: (index: number, marked: Identifier) => Line
  /** Column of the name to start at, in the first selected line. */
  readonly initialColumn: number | undefined
}
