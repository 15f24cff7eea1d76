/** The visible part of the content: rows, layout and scroll position for the size of the screen. */
import * as Option from "effect/Option"
import * as AsyncResult from "effect/reactivity/AsyncResult"
import type { LoadedContent, LoadError } from "./ContentSource.ts"
import * as Help from "./Help.ts"
import * as ListWindow from "./ListWindow.ts"
import * as ScreenContent from "./ScreenContent.ts"
import type { Content, Document, Layout, List, Row, Section } from "./ScreenContent.ts"
import * as State from "./State.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"

/** The inputs of the screen that do not come from the user. */
export interface ExternalState {
  readonly result: AsyncResult.AsyncResult<LoadedContent, LoadError>
  /** Age of the content, if it may be out of date. */
  readonly age: string | undefined
  /** Name of the forge. */
  readonly label: string
  /** Warnings of the connection. */
  readonly notices: ReadonlyArray<string>
  /** Summary of the rate limits. */
  readonly rateLimits: Line
  /** The reason why requests wait for a rate limit, if they do. */
  readonly waitReason: string | undefined
}

/** Number of rows for header, tabs, status and keys. */
const FRAME_ROWS = 4

/** Number of columns before each row for the marker of the selected row. */
export const MARKER_WIDTH = 2

/** Maximum number of rows to load automatically for a filter. The user loads more by moving to the end. */
const MAX_FILTER_ROWS = 1_000

/** Returns the last loaded content, also during a refresh. */
export const contentOf = (external: ExternalState): Content | undefined =>
  Option.getOrUndefined(AsyncResult.value(external.result))?.content

/** Returns the number of rows for the body of the screen. */
export const bodyRows = (state: State.State, external: ExternalState): number =>
  Math.max(1, state.rows - FRAME_ROWS - noticeLines(state, external).length)

/** Returns the lines of the help for the width of the screen. */
export const helpLines = (state: State.State, external: ExternalState): ReadonlyArray<Line> =>
  Help.lines(state.columns - MARKER_WIDTH, external.notices)

/** Returns the rows of a list that match the filter. */
export const filteredRows = (state: State.State, list: List): ReadonlyArray<Row> =>
  ScreenContent.filterRows(list.rows, State.position(state).filter)

/** Returns true if the cursor is near the last loaded row, and the next page may be loaded automatically. */
export const needsNextPage = (state: State.State, external: ExternalState, list: List): boolean => {
  const { cursor, filter } = State.position(state)
  if (list.isFullyLoaded || (filter !== "" && list.rows.length >= MAX_FILTER_ROWS)) return false
  return cursor + 2 * bodyRows(state, external) >= filteredRows(state, list).length
}

/** Returns the layout of a document for the width of the screen. */
export const layoutOf = (state: State.State, document: Document): Layout =>
  document.layout(Math.max(1, state.columns - MARKER_WIDTH))

/** Returns the visible part of a document. */
export const scrollPosition = (state: State.State, layout: Layout, height: number): ListWindow.ListWindow => {
  const position = State.savedPosition(state) ?? { cursor: layout.initialLine, top: layout.initialLine }
  return ListWindow.scroll(position, 0, layout.lines.length, height)
}

/** Returns the section that contains the line with index `top`. */
export const sectionAt = (layout: Layout, top: number): Section | undefined =>
  layout.sections.findLast((section) => section.firstLine <= top)

/** Returns the warnings of the connection, which only the first two screens show. */
export const noticeLines = (state: State.State, external: ExternalState): ReadonlyArray<Line> =>
  state.routes.length > 2 || state.rows < 12
    ? []
    : external.notices
        .slice(0, 2)
        .map((notice) => StyledLine.fit([StyledLine.span(" ! ", "warning"), StyledLine.span(notice)], state.columns))
