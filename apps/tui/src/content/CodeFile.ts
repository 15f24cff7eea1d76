/** Source code in a document: the file of the screen, and the names of a line. */
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
  /** Returns the last commit of a line by index, from 0; undefined if it is not known. */
  readonly blameAt: (index: number) => BlameRange | undefined
}

/** A revision of a file. */
export interface FileRevision {
  readonly owner: string
  readonly repo: string
  readonly path: string
  readonly ref: string | undefined
}

/** The names in a line of a file or of a diff. */
export interface LineNames {
  /** The text with the line. */
  readonly text: FileRevision
  /** The revision that the definitions and uses of the names are shown at. Default: that of the screen. */
  readonly shown?: Pick<FileRevision, "owner" | "repo" | "ref"> | undefined
  /** Line number, from 1. */
  readonly line: number
  readonly names: () => ReadonlyArray<Identifier>
  /** Formats the line with a marked name. */
  readonly lineWith: (marked: Identifier) => Line
  /** Column of the name to start at. */
  readonly initialColumn?: number | undefined
}
