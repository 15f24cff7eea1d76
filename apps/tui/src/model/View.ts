/** What is on the screen, line by line, worked out from the state and the content. Pure; the views only colour it. */
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import * as AsyncResult from "effect/reactivity/AsyncResult"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Frame from "./Frame.ts"
import * as ColumnLayout from "./ColumnLayout.ts"
import * as ScreenContent from "./ScreenContent.ts"
import * as FindInText from "./FindInText.ts"
import * as Help from "./Help.ts"
import * as StyledLine from "./StyledLine.ts"
import * as ListWindow from "./ListWindow.ts"
import * as Route from "./Route.ts"
import * as FailureMessage from "./FailureMessage.ts"
import type { LoadedContent, LoadError } from "./ContentSource.ts"
import * as State from "./State.ts"

export type Body =
  | {
      readonly _tag: "Lines"
      readonly lines: ReadonlyArray<StyledLine.Line>
      readonly selected: number | undefined
      /** More about the selected row, beside the list, where the screen is wide. */
      readonly aside: ReadonlyArray<StyledLine.Line>
      /** Columns of the list; the rest is for what stands beside it. */
      readonly columns: number
    }
  | {
      readonly _tag: "Loading"
      readonly what: string
      /** What holds the requests back, where something does. */
      readonly why: string | undefined
      /** What was on the screen until now: it stays for the instant that a quick answer takes. */
      readonly before: SettledBody | undefined
    }
  | { readonly _tag: "Message"; readonly role: StyledLine.Role; readonly title: string; readonly hint: string }

export type SettledBody = Exclude<Body, { readonly _tag: "Loading" }>

export interface View {
  readonly columns: number
  readonly rows: number
  readonly header: StyledLine.Line
  readonly tabs: StyledLine.Line
  readonly notices: ReadonlyArray<StyledLine.Line>
  readonly body: Body
  readonly bodyRows: number
  /** Whether more is on its way to what is already shown. */
  readonly isRefreshing: boolean
  readonly statusLeft: StyledLine.Line
  /** How old what is shown is, where that matters. */
  readonly age: StyledLine.Line
  /** What went wrong when it was read anew. */
  readonly problem: StyledLine.Line
  readonly statusRight: StyledLine.Line
  readonly keyHints: StyledLine.Line
}

/** What is known of the world beside the state. */
export interface ExternalState {
  readonly result: AsyncResult.AsyncResult<LoadedContent, LoadError>
  /** How old what is shown is, where that matters. */
  readonly age: string | undefined
  readonly label: string
  readonly notices: ReadonlyArray<string>
  readonly budget: StyledLine.Line
  readonly waiting: string | undefined
}

/** Header, tabs, status and keys. */
const CHROME = 4

/** Columns in front of a row, for the mark of the selected one. */
export const MARKER_WIDTH = 2

/** From here on there is room beside a list. */
const WIDE = 120

/** Rows that a filter reads on its own; more come when the person goes to the end. */
const FILTER_READS = 1_000

/** Below this nothing useful fits. */
const LEAST = { columns: 30, rows: 8 }

/** The content that is there to draw: the last one that was read, even while it is read anew. */
export const contentOf = (world: ExternalState): ScreenContent.Content | undefined =>
  Option.getOrUndefined(AsyncResult.value(world.result))?.content

/** Rows that the content has. */
export const bodyRows = (state: State.State, world: ExternalState): number =>
  Math.max(1, state.rows - CHROME - noticesOf(state, world).length)

/** The rows of the list here that the filter lets through. */
export const filteredRows = (state: State.State, list: ScreenContent.List): ReadonlyArray<ScreenContent.Row> =>
  ScreenContent.filterRows(list.rows, State.position(state).filter)

/** Whether the rows that were read end near the cursor, or before it. */
export const needsNextPage = (state: State.State, world: ExternalState, list: ScreenContent.List): boolean => {
  const { cursor, filter } = State.position(state)
  if (list.isFullyLoaded || (filter !== "" && list.rows.length >= FILTER_READS)) return false
  return cursor + 2 * bodyRows(state, world) >= filteredRows(state, list).length
}

/** The text here in the columns that there are. */
export const layoutOf = (state: State.State, document: ScreenContent.Document): ScreenContent.Layout =>
  document.layout(Math.max(1, state.columns - 2))

/** Where in the text the person is. */
export const scrollPosition = (
  state: State.State,
  layout: ScreenContent.Layout,
  height: number
): ListWindow.ListWindow => {
  const position = State.savedPosition(state) ?? { cursor: layout.initialLine, top: layout.initialLine }
  return ListWindow.scroll(position, 0, layout.lines.length, height)
}

/** `before` is what was on the screen until now. */
export const make = (state: State.State, world: ExternalState, before?: Body): View => {
  const { columns, rows } = state
  const height = bodyRows(state, world)
  const found = contentOf(world)
  const drawn = draw(state, world, found, height, before?._tag === "Loading" ? before.before : before)
  const isQuiet = state.prompt === undefined && state.message === undefined && state.helpTop === undefined
  // What was read before is still there to see.
  const problem = found === undefined || world.result.waiting ? undefined : problemOf(world)
  const way = Frame.breadcrumbs(state)
  const label = StyledLine.line(world.label, "muted")
  return {
    columns,
    rows,
    header: StyledLine.justify(
      way,
      StyledLine.width(way) + StyledLine.width(label) < columns ? label : StyledLine.empty,
      columns
    ),
    tabs: StyledLine.fit(Frame.tabBar(state), columns),
    notices: noticesOf(state, world),
    body: columns < LEAST.columns || rows < LEAST.rows ? tooSmall : drawn.body,
    bodyRows: height,
    isRefreshing: world.result.waiting && found !== undefined,
    statusLeft: state.prompt === undefined ? Frame.statusLine(state, drawn.where) : Frame.promptLine(state, columns),
    age: isQuiet && world.age !== undefined ? StyledLine.line(`  ${world.age}`, "muted") : StyledLine.empty,
    problem:
      isQuiet && problem !== undefined
        ? StyledLine.line(`  ! ${problem.title}: r tries again`, "error")
        : StyledLine.empty,
    statusRight: world.budget,
    keyHints: StyledLine.fit(Help.keyHints(state, found, columns), columns)
  }
}

const tooSmall: Body = { _tag: "Message", role: "warning", title: "Too small", hint: "Make the window larger" }

interface Drawn {
  readonly body: Body
  /** The position, as `12/300+ commits`. */
  readonly where: string
}

const draw = (
  state: State.State,
  world: ExternalState,
  found: ScreenContent.Content | undefined,
  height: number,
  before: SettledBody | undefined
): Drawn => {
  if (state.helpTop !== undefined) {
    const lines = Help.lines(state.columns, height, world.notices)
    const { top } = ListWindow.scroll({ cursor: 0, top: state.helpTop }, 0, lines.length, height)
    return { body: text(state, lines.slice(top, top + height)), where: "" }
  }
  const problem = problemOf(world)
  const loading: Drawn = {
    body: { _tag: "Loading", what: waitingFor(State.route(state)), why: world.waiting, before },
    where: ""
  }
  if (found === undefined) {
    if (problem === undefined || world.result.waiting) return loading
    return { body: { _tag: "Message", role: "error", ...problem }, where: "" }
  }
  switch (found._tag) {
    case "Notice":
      return { body: { _tag: "Message", role: "strong", title: found.title, hint: found.hint }, where: "" }
    case "List":
      // Who comes back far down a long list finds it when it has been read that far again.
      if (problem === undefined && isBeyond(state, found) && needsNextPage(state, world, found)) return loading
      return drawList(state, found, height)
    case "Document":
      return drawDocument(state, found, height)
  }
}

/** Whether the cursor is on a row that has not been read yet, or no row has. */
const isBeyond = (state: State.State, list: ScreenContent.List): boolean => {
  const { cursor } = State.position(state)
  return list.rows.length === 0 || (cursor > 0 && cursor >= filteredRows(state, list).length)
}

/** What went wrong when the content was read, or read anew. */
const problemOf = ({ result }: ExternalState): ScreenContent.Message | undefined => {
  if (!AsyncResult.isFailure(result)) return undefined
  // A defect is a fault of the program: it ends here, and says so where it can be read and reported.
  if (Cause.hasDies(result.cause)) throw Cause.squash(result.cause)
  const error = Option.getOrUndefined(Cause.findErrorOption(result.cause))
  if (error === undefined) return undefined
  return Cause.isNoSuchElementError(error) ? { title: "Nothing came", hint: "r tries again" } : FailureMessage.of(error)
}

/** Lines over the whole width, none of them selected. */
const text = (state: State.State, lines: ReadonlyArray<StyledLine.Line>): Body => ({
  _tag: "Lines",
  lines,
  selected: undefined,
  aside: [],
  columns: state.columns
})

const drawList = (state: State.State, list: ScreenContent.List, height: number): Drawn => {
  const { filter, ...position } = State.position(state)
  const rows = filteredRows(state, list)
  const known = `${NumberFormat.format(list.rows.length)}${list.isFullyLoaded ? "" : "+"}`
  if (list.rows.length === 0) {
    const nothing = list.incompleteResults ? unready : list.emptyMessage
    return { body: { _tag: "Message", role: "strong", ...nothing }, where: "" }
  }
  if (rows.length === 0) {
    const hint = `None of ${known} ${list.noun[1]} has it. Esc clears the filter`
    return { body: { _tag: "Message", role: "strong", title: `Nothing matches ${filter}`, hint }, where: "" }
  }
  const window = ListWindow.clamp(position, rows.length, height)
  const aside = state.columns < WIDE ? undefined : rows[window.cursor]?.preview
  const columns = aside === undefined ? state.columns : Math.floor(state.columns * 0.6)
  const widths = ColumnLayout.columnWidths(list.columns, list.naturalWidths, columns - MARKER_WIDTH - 1)
  const lines = rows
    .slice(window.top, window.top + height)
    .map((row) => ColumnLayout.joinCells(list.columns, widths, row.cells))
  const total = list.total === undefined || list.total <= list.rows.length ? known : NumberFormat.format(list.total)
  const of = filter === "" ? total : `${NumberFormat.format(rows.length)} of ${known}`
  const noun = list.rows.length === 1 && list.isFullyLoaded ? list.noun[0] : list.noun[1]
  return {
    body: {
      _tag: "Lines",
      lines,
      selected: window.cursor - window.top,
      aside: aside?.(state.columns - columns - 4).slice(0, height) ?? [],
      columns
    },
    where: `${NumberFormat.format(window.cursor + 1)}/${of} ${noun}${list.incompleteResults ? ", and maybe more" : ""}`
  }
}

/** What stands where the forge has found nothing in what it has looked at. */
const unready: ScreenContent.Message = {
  title: "Nothing found yet",
  hint: "The forge stopped before it had looked at everything: its index may not be ready. r tries again"
}

const drawDocument = (state: State.State, document: ScreenContent.Document, height: number): Drawn => {
  const layout = layoutOf(state, document)
  const { top } = scrollPosition(state, layout, height)
  const { findText, left } = State.position(state)
  const lines = layout.lines
    .slice(top, top + height)
    .map((line) => StyledLine.dropColumns(findText === "" ? line : FindInText.highlight(line, findText), left))
  const last = Math.min(layout.lines.length, top + height)
  const part = sectionAt(layout, top)
  const name =
    part === undefined ? "" : `  ${part.title} (${layout.sections.indexOf(part) + 1}/${layout.sections.length})`
  return {
    body: text(state, lines),
    where: `${NumberFormat.format(last)}/${NumberFormat.quantity(layout.lines.length, "line")}${name}`
  }
}

/** The section that the top of the screen is in. */
export const sectionAt = (layout: ScreenContent.Layout, top: number): ScreenContent.Section | undefined =>
  layout.sections.findLast((part) => part.firstLine <= top)

/** What the connection has to say, at the places where one begins. */
const noticesOf = (state: State.State, world: ExternalState): ReadonlyArray<StyledLine.Line> =>
  state.routes.length > 2 || state.rows < 12
    ? []
    : world.notices
        .slice(0, 2)
        .map((notice) => StyledLine.fit([StyledLine.span(" ! ", "warning"), StyledLine.span(notice)], state.columns))

const waitingFor = (place: Route.Route): string => {
  switch (place._tag) {
    case "Repositories":
      return "repositories"
    case "Repository":
      return place.tab
    case "Commit":
      return `commit ${Route.title(place)}`
    case "Folder":
    case "File":
      return Route.title(place)
    case "Search":
      return `matches of ${Route.title(place)}`
  }
}
