/** Computes the lines of the screen from the state and the content. The components in `views` only add colors. */
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import * as AsyncResult from "effect/reactivity/AsyncResult"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Frame from "./Frame.ts"
import * as ColumnLayout from "../text/ColumnLayout.ts"
import type { Content, Document, List, Message } from "./ScreenContent.ts"
import * as FindInText from "./FindInText.ts"
import * as Help from "./Help.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line, Role } from "../text/StyledLine.ts"
import * as ListWindow from "./ListWindow.ts"
import * as Route from "./Route.ts"
import * as FailureMessage from "./FailureMessage.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

/** The area between the tabs and the status line. */
export type Body =
  | {
      readonly _tag: "Lines"
      readonly lines: ReadonlyArray<Line>
      /** Index of the selected line. */
      readonly selected: number | undefined
      /** Details of the selected row, beside the list on a wide screen. */
      readonly preview: ReadonlyArray<Line>
      /** Width of the list; the preview has the remaining columns. */
      readonly columns: number
    }
  | {
      readonly _tag: "Loading"
      /** Name of the content, for example `log`. */
      readonly subject: string
      /** The reason why the request waits for a rate limit, if it does. */
      readonly waitReason: string | undefined
      /** The previous body, shown until the spinner appears, so that quick responses do not flicker. */
      readonly previous: SettledBody | undefined
    }
  | { readonly _tag: "Message"; readonly role: Role; readonly title: string; readonly hint: string }

/** A body that does not wait for a response. */
export type SettledBody = Exclude<Body, { readonly _tag: "Loading" }>

/** The content of the complete screen. */
export interface View {
  readonly columns: number
  readonly rows: number
  readonly header: Line
  readonly tabs: Line
  readonly notices: ReadonlyArray<Line>
  readonly body: Body
  readonly bodyRows: number
  /** True while the visible content is refreshing or its next page is loading. */
  readonly isRefreshing: boolean
  readonly statusLeft: Line
  /** Age of the content, if it may be out of date. */
  readonly age: Line
  /** The failure of the last refresh. */
  readonly problem: Line
  readonly statusRight: Line
  readonly keyHints: Line
}

/** Minimum width of the screen in columns for a preview beside a list. */
const PREVIEW_COLUMNS = 120

/** Minimum size of the terminal. */
const MIN_SIZE = { columns: 30, rows: 8 }

/** Computes the screen. `previous` is the body of the previous view. */
export const make = (state: State.State, external: ExternalState, previous?: Body): View => {
  const { columns, rows } = state
  const height = Viewport.bodyRows(state, external)
  const content = Viewport.contentOf(external)
  const drawn = draw(state, external, content, height, previous?._tag === "Loading" ? previous.previous : previous)
  const isQuiet = state.prompt === undefined && state.message === undefined && state.helpTop === undefined
  // Without content, the body shows the failure.
  const problem = content === undefined || external.result.waiting ? undefined : problemOf(external)
  const breadcrumbs = Frame.breadcrumbs(state)
  const label = StyledLine.line(external.label, "muted")
  return {
    columns,
    rows,
    header: StyledLine.justify(
      breadcrumbs,
      StyledLine.width(breadcrumbs) + StyledLine.width(label) < columns ? label : StyledLine.empty,
      columns
    ),
    tabs: StyledLine.fit(Frame.tabBar(state), columns),
    notices: Viewport.noticeLines(state, external),
    body: columns < MIN_SIZE.columns || rows < MIN_SIZE.rows ? tooSmall : drawn.body,
    bodyRows: height,
    isRefreshing: external.result.waiting && content !== undefined,
    statusLeft: state.prompt === undefined ? Frame.statusLine(state, drawn.position) : Frame.promptLine(state, columns),
    age: isQuiet && external.age !== undefined ? StyledLine.line(`  ${external.age}`, "muted") : StyledLine.empty,
    problem:
      isQuiet && problem !== undefined
        ? StyledLine.line(`  ! ${problem.title}. Press r to try again`, "error")
        : StyledLine.empty,
    statusRight: external.rateLimits,
    keyHints: StyledLine.fit(Help.keyHints(state, content, columns), columns)
  }
}

const tooSmall: Body = { _tag: "Message", role: "warning", title: "Terminal too small", hint: "Make the window larger" }

interface Drawn {
  readonly body: Body
  /** The position in the content, for example `12/300+ commits`. */
  readonly position: string
}

const draw = (
  state: State.State,
  external: ExternalState,
  content: Content | undefined,
  height: number,
  previous: SettledBody | undefined
): Drawn => {
  if (state.helpTop !== undefined) {
    const lines = Viewport.helpLines(state, external)
    const { top } = ListWindow.scroll({ cursor: 0, top: state.helpTop }, 0, lines.length, height)
    return { body: text(state, lines.slice(top, top + height)), position: "" }
  }
  const problem = problemOf(external)
  const loading: Drawn = {
    body: { _tag: "Loading", subject: subjectOf(State.route(state)), waitReason: external.waitReason, previous },
    position: ""
  }
  if (content === undefined) {
    if (problem === undefined || external.result.waiting) return loading
    return { body: { _tag: "Message", role: "error", ...problem }, position: "" }
  }
  switch (content._tag) {
    case "Notice":
      return { body: { _tag: "Message", role: "strong", title: content.title, hint: content.hint }, position: "" }
    case "List":
      // After the user returns to a position far down a long list, waits until its rows are loaded again.
      if (problem === undefined && isBeyond(state, content) && Viewport.needsNextPage(state, external, content))
        return loading
      return drawList(state, content, height)
    case "Document":
      return drawDocument(state, content, height)
  }
}

/** Returns true if the row of the cursor is not loaded, or if no rows are loaded. */
const isBeyond = (state: State.State, list: List): boolean => {
  const { cursor } = State.position(state)
  return list.rows.length === 0 || (cursor > 0 && cursor >= Viewport.filteredRows(state, list).length)
}

/** Returns the message for the failure of the last load. */
const problemOf = ({ result }: ExternalState): Message | undefined => {
  if (!AsyncResult.isFailure(result)) return undefined
  // A defect is a bug: throws it, so that the program ends with a report.
  if (Cause.hasDies(result.cause)) throw Cause.squash(result.cause)
  const error = Option.getOrUndefined(Cause.findErrorOption(result.cause))
  if (error === undefined) return undefined
  return Cause.isNoSuchElementError(error)
    ? { title: "No response", hint: "Press r to try again" }
    : FailureMessage.of(error)
}

/** Creates a body with lines over the full width, without a selected line. */
const text = (state: State.State, lines: ReadonlyArray<Line>): Body => ({
  _tag: "Lines",
  lines,
  selected: undefined,
  preview: [],
  columns: state.columns
})

const drawList = (state: State.State, list: List, height: number): Drawn => {
  const { filter, ...position } = State.position(state)
  const rows = Viewport.filteredRows(state, list)
  const loaded = `${NumberFormat.format(list.rows.length)}${list.isFullyLoaded ? "" : "+"}`
  if (list.rows.length === 0) {
    const message = list.incompleteResults ? incomplete : list.emptyMessage
    return { body: { _tag: "Message", role: "strong", ...message }, position: "" }
  }
  if (rows.length === 0) {
    const hint = `None of ${loaded} ${list.noun[1]} match. Esc clears the filter`
    return { body: { _tag: "Message", role: "strong", title: `No matches for ${filter}`, hint }, position: "" }
  }
  const window = ListWindow.clamp(position, rows.length, height)
  const preview = state.columns < PREVIEW_COLUMNS ? undefined : rows[window.cursor]?.preview
  const columns = preview === undefined ? state.columns : Math.floor(state.columns * 0.6)
  const widths = ColumnLayout.columnWidths(list.columns, list.naturalWidths, columns - Viewport.MARKER_WIDTH - 1)
  const lines = rows
    .slice(window.top, window.top + height)
    .map((row) => ColumnLayout.joinCells(list.columns, widths, row.cells))
  const total = list.total === undefined || list.total <= list.rows.length ? loaded : NumberFormat.format(list.total)
  const count = filter === "" ? total : `${NumberFormat.format(rows.length)} of ${loaded}`
  const noun = list.rows.length === 1 && list.isFullyLoaded ? list.noun[0] : list.noun[1]
  return {
    body: {
      _tag: "Lines",
      lines,
      selected: window.cursor - window.top,
      preview: preview?.(state.columns - columns - 4).slice(0, height) ?? [],
      columns
    },
    position: `${NumberFormat.format(window.cursor + 1)}/${count} ${noun}${list.incompleteResults ? ", and maybe more" : ""}`
  }
}

/** The message for a search that stopped before it found a match. */
const incomplete: Message = {
  title: "No results yet",
  hint: "The search stopped early, perhaps because the index is not ready. Press r to try again"
}

const drawDocument = (state: State.State, document: Document, height: number): Drawn => {
  const layout = Viewport.layoutOf(state, document)
  const { top } = Viewport.scrollPosition(state, layout, height)
  const { findText, left } = State.position(state)
  const lines = layout.lines
    .slice(top, top + height)
    .map((line) => StyledLine.dropColumns(findText === "" ? line : FindInText.highlight(line, findText), left))
  const last = Math.min(layout.lines.length, top + height)
  const section = Viewport.sectionAt(layout, top)
  const name =
    section === undefined
      ? ""
      : `  ${section.title} (${layout.sections.indexOf(section) + 1}/${layout.sections.length})`
  return {
    body: text(state, lines),
    position: `${NumberFormat.format(last)}/${NumberFormat.quantity(layout.lines.length, "line")}${name}`
  }
}

const subjectOf = (route: Route.Route): string => {
  switch (route._tag) {
    case "Repositories":
      return "repositories"
    case "Repository":
      return route.tab
    case "Commit":
      return `commit ${Route.title(route)}`
    case "Folder":
    case "File":
      return Route.title(route)
    case "Search":
      return `matches for ${Route.title(route)}`
  }
}
