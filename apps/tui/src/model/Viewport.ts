/** The visible part of the content: rows, layout and scroll position for the size of the screen. */
import * as Option from "effect/Option"
import * as AsyncResult from "effect/reactivity/AsyncResult"
import type { LoadedContent, LoadError } from "./ContentSource.ts"
import * as Help from "./Help.ts"
import * as ListWindow from "./ListWindow.ts"
import * as ScreenContent from "./ScreenContent.ts"
import type { Content, Document, Layout, List, Row, Section } from "./ScreenContent.ts"
import * as State from "./State.ts"
import * as StyledLine from "./StyledLine.ts"
import type { Line } from "./StyledLine.ts"

/** The inputs of the screen that the user does not control. */
export interface ExternalState {
  readonly result: AsyncResult.AsyncResult<LoadedContent, LoadError>
  /** Age of the content, if it may be out of date. */
  readonly age: string | undefined
  /** Name of the connection. */
  readonly label: string
  /** Warnings of the connection. */
  readonly notices: ReadonlyArray<string>
  /** Summary of the rate limits. */
  readonly rateLimits: Line
  /** Why requests wait, if they do. */
  readonly waitReason: string | undefined
}

/** Number of rows for header, tabs, status and keys. */
const FRAME_ROWS = 4

/** Number of columns in front of a line, for the mark of the selected row. */
export const MARKER_WIDTH = 2

/** Number of rows that a filter loads automatically; the user loads more by moving to the end. */
const MAX_FILTER_ROWS = 1_000

/** The last loaded content, also during a refresh. */
export const contentOf = (external: ExternalState): Content | undefined =>
  Option.getOrUndefined(AsyncResult.value(external.result))?.content

/** Number of rows for the body. */
export const bodyRows = (state: State.State, external: ExternalState): number =>
  Math.max(1, state.rows - FRAME_ROWS - noticeLines(state, external).length)

/** The help, laid out for the width of the screen. */
export const helpLines = (state: State.State, external: ExternalState): ReadonlyArray<Line> =>
  Help.lines(state.columns - MARKER_WIDTH, external.notices)

/** The rows of a list that match the filter. */
export const filteredRows = (state: State.State, list: List): ReadonlyArray<Row> =>
  ScreenContent.filterRows(list.rows, State.position(state).filter)

/** True if the cursor is near the last loaded row. */
export const needsNextPage = (state: State.State, external: ExternalState, list: List): boolean => {
  const { cursor, filter } = State.position(state)
  if (list.isFullyLoaded || (filter !== "" && list.rows.length >= MAX_FILTER_ROWS)) return false
  return cursor + 2 * bodyRows(state, external) >= filteredRows(state, list).length
}

/** The layout of a document for the width of the screen. */
export const layoutOf = (state: State.State, document: Document): Layout =>
  document.layout(Math.max(1, state.columns - MARKER_WIDTH))

/** The visible part of a document. */
export const scrollPosition = (state: State.State, layout: Layout, height: number): ListWindow.ListWindow => {
  const position = State.savedPosition(state) ?? { cursor: layout.initialLine, top: layout.initialLine }
  return ListWindow.scroll(position, 0, layout.lines.length, height)
}

/** The section that contains the line `top`. */
export const sectionAt = (layout: Layout, top: number): Section | undefined =>
  layout.sections.findLast((section) => section.firstLine <= top)

/** Warnings of the connection, on the first two screens only. */
export const noticeLines = (state: State.State, external: ExternalState): ReadonlyArray<Line> =>
  state.routes.length > 2 || state.rows < 12
    ? []
    : external.notices
        .slice(0, 2)
        .map((notice) => StyledLine.fit([StyledLine.span(" ! ", "warning"), StyledLine.span(notice)], state.columns))
