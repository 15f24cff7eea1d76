/** The interface between the page and the editor, which is loaded on demand. */
import type { BlameRange } from "@tongs/core/contract/History"
import type { LineRange } from "../model/Route.ts"
import type * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"
import type { LineMatches } from "./MatchHighlights.ts"

/** Controls an open editor. Line numbers start at 1. */
export interface EditorHandle {
  readonly setTokens: (tokens: SyntaxTokens.SyntaxTokens) => void
  readonly setMatches: (lines: ReadonlyArray<LineMatches>) => void
  /** Shows the blame gutter, or hides it with null. */
  readonly setBlame: (ranges: ReadonlyArray<BlameRange> | null) => void
  readonly setLineWrap: (wrap: boolean) => void
  readonly selectLines: (lines: LineRange | null) => void
  /** Scrolls to a line and moves the caret to it, or to `word` in it. `near` scrolls only as far as needed. */
  readonly reveal: (line: number, position: "center" | "start" | "near", word?: string) => void
  /** Selects the next (1) or previous (-1) match of the query. Returns the index of the match, from 0, and its line. */
  readonly stepToMatch: (by: 1 | -1) => { readonly index: number; readonly line: number } | undefined
  /** Opens find in file. False if its input already has the focus. */
  readonly openFind: () => boolean
  readonly openGoToLine: () => void
  /** The selected word, or the one at the caret. */
  readonly wordAtCaret: () => WordAtCaret | undefined
  readonly caret: () => Caret
  readonly firstVisibleLine: () => number
  readonly onScroll: (listener: () => void) => void
  readonly focus: () => void
  readonly close: () => void
}

/** A word and its position in the window. */
export interface WordAtCaret {
  readonly text: string
  readonly box: DOMRect
}

/** The events of an editor. */
export interface EditorListener {
  readonly onSelectLines: (lines: LineRange) => void
  /** The user asks for the definition of the word at the caret. */
  readonly onGoToDefinition: () => void
  /** `box` is the position of the clicked gutter entry in the window. */
  readonly onBlameClick: (range: BlameRange, box: DOMRect) => void
  readonly onCaretMove: (caret: Caret) => void
}

/** The caret and the selection. */
export interface Caret {
  /** From 1. */
  readonly line: number
  /** In UTF-16 units, from 1. */
  readonly column: number
  /** The length of the selection in UTF-16 units. */
  readonly selected: number
  /** The index of the selected match of the query, from 0. */
  readonly match: number | undefined
}
