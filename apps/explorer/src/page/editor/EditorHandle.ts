/** What a page may ask of the text that it shows, and what it is told. The editor behind it is loaded when needed. */
import type { BlameRange } from "@tongs/core/explore/Explore"
import type * as SyntaxTokens from "../syntax/SyntaxTokens.ts"
import type { LineRange } from "../model/Route.ts"
import type { LineMatches } from "./MatchHighlights.ts"

/** Lines are counted from 1 throughout. */
export interface EditorHandle {
  readonly setTokens: (tokens: SyntaxTokens.SyntaxTokens) => void
  readonly setMatches: (lines: ReadonlyArray<LineMatches>) => void
  readonly setBlame: (ranges: ReadonlyArray<BlameRange> | null) => void
  readonly setLineWrap: (wrap: boolean) => void
  readonly selectLines: (lines: LineRange | null) => void
  /** Brings a line into view, and the caret to it or to a word on it. */
  readonly reveal: (line: number, where: "center" | "start" | "near", word?: string) => void
  /** To the next match or the one before: which it is, from 0, and its line. Nothing where there is none. */
  readonly stepToMatch: (by: 1 | -1) => { readonly at: number; readonly line: number } | undefined
  /** Opens find in file; false where the reader is in it already. */
  readonly openFind: () => boolean
  readonly openGoToLine: () => void
  /** The selected word, or the one at the caret, and where it stands in the window. */
  readonly wordAtCaret: () => WordAtCaret | undefined
  readonly caret: () => Caret
  /** The first line in view. */
  readonly firstVisibleLine: () => number
  readonly onScroll: (tell: () => void) => void
  readonly focus: () => void
  readonly close: () => void
}

export interface WordAtCaret {
  readonly text: string
  readonly box: DOMRect
}

export interface EditorListener {
  readonly onSelectLines: (lines: LineRange) => void
  /** The reader wants to know where the word at the caret is defined. */
  readonly onGoToDefinition: () => void
  readonly onBlameClick: (range: BlameRange, at: DOMRect) => void
  readonly onCaretMove: (caret: Caret) => void
}

/** Where the reader is. */
export interface Caret {
  readonly line: number
  /** In UTF-16 units, from 1. */
  readonly column: number
  /** UTF-16 units that are selected. */
  readonly selected: number
  /** The match that is selected, from 0. */
  readonly match: number | undefined
}
