/** The interface between the page and the editor, which is loaded on demand. */
import type { BlameRange } from "@tongs/core/contract/groups/History"
import type { LineRange } from "../model/Route.ts"
import type * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"
import type { LineMatches } from "./MatchHighlights.ts"

/** Controls an open editor. Line numbers start at 1. */
export interface EditorHandle {
  readonly setTokens: (tokens: SyntaxTokens.SyntaxTokens) => void
  readonly setMatches: (lines: ReadonlyArray<LineMatches>) => void
  /** Shows the blame gutter; null hides the gutter. */
  readonly setBlame: (ranges: ReadonlyArray<BlameRange> | null) => void
  readonly setLineWrap: (wrap: boolean) => void
  readonly selectLines: (lines: LineRange | null) => void
  /** Scrolls to a line and moves the caret there, or to `word` in the line. `near` scrolls only as far as needed. */
  readonly reveal: (line: number, position: "center" | "start" | "near", word?: string) => void
  /** Moves the caret to a position. Scrolls an invisible position to the center. */
  readonly moveTo: (line: number, column: number) => void
  readonly place: () => Place
  /** Restores the scroll position and the caret. */
  readonly restore: (place: Place) => void
  /** Selects the next (1) or previous (-1) match of the query. Returns the line of the match, and the index, from 0. */
  readonly stepToMatch: (by: 1 | -1) => { readonly index: number; readonly line: number } | undefined
  /** Opens find in file. False if the input of the panel already has the focus. */
  readonly openFind: () => boolean
  readonly openGoToLine: () => void
  /**
   * Moves to the next (1) or previous (-1) occurrence of the identifier at the caret. Returns the line of the
   * occurrence.
   */
  readonly stepToOccurrence: (by: 1 | -1) => number | undefined
  /** The identifier at the caret. Undefined in comments, strings, numbers and keywords. */
  readonly identifierAtCaret: () => Identifier | undefined
  /** Scrolls down until the caret is at least `height` pixels above the bottom of the window. */
  readonly keepAbove: (height: number) => void
  readonly caret: () => Caret
  readonly firstVisibleLine: () => number
  /** The line of the caret, or the first visible one if the caret is not visible. */
  readonly currentLine: () => number
  readonly onScroll: (listener: () => void) => void
  readonly onCaretMove: (listener: () => void) => void
  readonly focus: () => void
  readonly close: () => void
}

/** An identifier in the text. */
export interface Identifier {
  readonly text: string
  /** In the whole text, in UTF-16 units. */
  readonly offset: number
  /** From 1. */
  readonly line: number
  /** In UTF-16 units, from 0. */
  readonly column: number
  /** The position in the window. */
  readonly box: DOMRect
}

/** The first visible line, from 1, and the caret. */
export interface Place {
  readonly firstLine: number
  readonly caret: { readonly line: number; readonly column: number }
}

/** The events of an editor. */
export interface EditorListener {
  readonly onSelectLines: (lines: LineRange) => void
  /** The user asks for the definition of the identifier at the caret. */
  readonly onGoToDefinition: () => void
  /** The pointer rests on an identifier. Undefined when the pointer leaves the identifier. */
  readonly onHover: (identifier: Identifier | undefined) => void
  /** A finger taps on an identifier, or beside one. */
  readonly onTap: (identifier: Identifier | undefined) => void
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
