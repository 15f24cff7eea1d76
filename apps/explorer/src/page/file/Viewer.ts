/** What a page may ask of the text that it shows, and what it is told. The editor behind it is loaded when needed. */
import type { BlameRange } from "@tongs/core/explore/Explore"
import type * as Tokens from "../Tokens.ts"
import type { Lines } from "../View.ts"
import type { LineMarks } from "./Marks.ts"

/** Lines are counted from 1 throughout. */
export interface Viewer {
  readonly tokens: (tokens: Tokens.Tokens) => void
  readonly marks: (lines: ReadonlyArray<LineMarks>) => void
  readonly blame: (ranges: ReadonlyArray<BlameRange> | null) => void
  readonly wrap: (wrap: boolean) => void
  readonly choose: (lines: Lines | null) => void
  /** Brings a line into view, and the caret to it or to a word on it. */
  readonly reveal: (line: number, where: "center" | "start" | "near", word?: string) => void
  /** To the next match or the one before: which it is, from 0, and its line. Nothing where there is none. */
  readonly step: (by: 1 | -1) => { readonly at: number; readonly line: number } | undefined
  /** Opens find in file; false where the reader is in it already. */
  readonly find: () => boolean
  readonly goToLine: () => void
  /** The selected word, or the one at the caret, and where it stands in the window. */
  readonly word: () => Word | undefined
  readonly caret: () => Caret
  /** The first line in view. */
  readonly top: () => number
  readonly onScroll: (tell: () => void) => void
  readonly focus: () => void
  readonly close: () => void
}

export interface Word {
  readonly text: string
  readonly box: DOMRect
}

export interface Listener {
  readonly choose: (lines: Lines) => void
  /** The reader wants to know where the word at the caret is defined. */
  readonly jump: () => void
  readonly blame: (range: BlameRange, at: DOMRect) => void
  readonly move: (caret: Caret) => void
}

/** Where the reader is. */
export interface Caret {
  readonly line: number
  /** In UTF-16 units, from 1. */
  readonly column: number
  /** UTF-16 units that are selected. */
  readonly selected: number
  /** The match that is selected, from 0. */
  readonly mark: number | undefined
}
