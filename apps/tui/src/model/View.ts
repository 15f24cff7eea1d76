/** What is on the screen, line by line, worked out from the state and the content. Pure; the views only colour it. */
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import * as AsyncResult from "effect/reactivity/AsyncResult"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Chrome from "./Chrome.ts"
import * as Columns from "./Columns.ts"
import * as Content from "./Content.ts"
import * as Find from "./Find.ts"
import * as Help from "./Help.ts"
import * as Line from "./Line.ts"
import * as ListWindow from "./ListWindow.ts"
import * as Place from "./Place.ts"
import * as Problem from "./Problem.ts"
import type { Reading, SourceError } from "./Sources.ts"
import * as State from "./State.ts"

export type Body =
  | {
      readonly _tag: "Lines"
      readonly lines: ReadonlyArray<Line.Line>
      readonly selected: number | undefined
      /** More about the selected row, beside the list, where the screen is wide. */
      readonly aside: ReadonlyArray<Line.Line>
      /** Columns of the list; the rest is for what stands beside it. */
      readonly columns: number
    }
  | {
      readonly _tag: "Loading"
      readonly what: string
      /** What holds the requests back, where something does. */
      readonly why: string | undefined
      /** What was on the screen until now: it stays for the instant that a quick answer takes. */
      readonly before: Settled | undefined
    }
  | { readonly _tag: "Message"; readonly role: Line.Role; readonly title: string; readonly hint: string }

export type Settled = Exclude<Body, { readonly _tag: "Loading" }>

export interface View {
  readonly columns: number
  readonly rows: number
  readonly header: Line.Line
  readonly tabs: Line.Line
  readonly notices: ReadonlyArray<Line.Line>
  readonly body: Body
  readonly bodyRows: number
  /** Whether more is on its way to what is already shown. */
  readonly busy: boolean
  readonly left: Line.Line
  /** How old what is shown is, where that matters. */
  readonly age: Line.Line
  /** What went wrong when it was read anew. */
  readonly problem: Line.Line
  readonly right: Line.Line
  readonly keys: Line.Line
}

/** What is known of the world beside the state. */
export interface World {
  readonly result: AsyncResult.AsyncResult<Reading, SourceError>
  /** How old what is shown is, where that matters. */
  readonly age: string | undefined
  readonly label: string
  readonly notices: ReadonlyArray<string>
  readonly budget: Line.Line
  readonly waiting: string | undefined
}

/** Header, tabs, status and keys. */
const CHROME = 4

/** Columns in front of a row, for the mark of the selected one. */
export const MARK = 2

/** From here on there is room beside a list. */
const WIDE = 120

/** Rows that a filter reads on its own; more come when the person goes to the end. */
const FILTER_READS = 1_000

/** Below this nothing useful fits. */
const LEAST = { columns: 30, rows: 8 }

/** The content that is there to draw: the last one that was read, even while it is read anew. */
export const content = (world: World): Content.Content | undefined =>
  Option.getOrUndefined(AsyncResult.value(world.result))?.content

/** Rows that the content has. */
export const bodyRows = (state: State.State, world: World): number =>
  Math.max(1, state.rows - CHROME - noticesOf(state, world).length)

/** The rows of the list here that the filter lets through. */
export const rowsOf = (state: State.State, list: Content.List): ReadonlyArray<Content.Row> =>
  Content.filter(list.rows, State.position(state).filter)

/** Whether the rows that were read end near the cursor, or before it. */
export const wantsMore = (state: State.State, world: World, list: Content.List): boolean => {
  const { cursor, filter } = State.position(state)
  if (list.done || (filter !== "" && list.rows.length >= FILTER_READS)) return false
  return cursor + 2 * bodyRows(state, world) >= rowsOf(state, list).length
}

/** The text here in the columns that there are. */
export const layoutOf = (state: State.State, document: Content.Document): Content.Layout =>
  document.layout(Math.max(1, state.columns - 2))

/** Where in the text the person is. */
export const scrolled = (state: State.State, layout: Content.Layout, height: number): ListWindow.ListWindow => {
  const position = State.known(state) ?? { cursor: layout.start, top: layout.start }
  return ListWindow.scroll(position, 0, layout.lines.length, height)
}

/** `before` is what was on the screen until now. */
export const make = (state: State.State, world: World, before?: Body): View => {
  const { columns, rows } = state
  const height = bodyRows(state, world)
  const found = content(world)
  const drawn = draw(state, world, found, height, before?._tag === "Loading" ? before.before : before)
  const isQuiet = state.prompt === undefined && state.said === undefined && state.help === undefined
  // What was read before is still there to see.
  const problem = found === undefined || world.result.waiting ? undefined : problemOf(world)
  const way = Chrome.crumbs(state)
  const label = Line.line(world.label, "muted")
  return {
    columns,
    rows,
    header: Line.ends(way, Line.width(way) + Line.width(label) < columns ? label : Line.empty, columns),
    tabs: Line.fit(Chrome.tabs(state), columns),
    notices: noticesOf(state, world),
    body: columns < LEAST.columns || rows < LEAST.rows ? tooSmall : drawn.body,
    bodyRows: height,
    busy: world.result.waiting && found !== undefined,
    left: state.prompt === undefined ? Chrome.status(state, drawn.where) : Chrome.prompt(state, columns),
    age: isQuiet && world.age !== undefined ? Line.line(`  ${world.age}`, "muted") : Line.empty,
    problem: isQuiet && problem !== undefined ? Line.line(`  ! ${problem.title}: r tries again`, "error") : Line.empty,
    right: world.budget,
    keys: Line.fit(Help.hints(state, found, columns), columns)
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
  world: World,
  found: Content.Content | undefined,
  height: number,
  before: Settled | undefined
): Drawn => {
  if (state.help !== undefined) {
    const lines = Help.lines(state.columns, height, world.notices)
    const { top } = ListWindow.scroll({ cursor: 0, top: state.help }, 0, lines.length, height)
    return { body: text(state, lines.slice(top, top + height)), where: "" }
  }
  const problem = problemOf(world)
  const loading: Drawn = {
    body: { _tag: "Loading", what: waitingFor(State.place(state)), why: world.waiting, before },
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
      if (problem === undefined && isBeyond(state, found) && wantsMore(state, world, found)) return loading
      return drawList(state, found, height)
    case "Document":
      return drawDocument(state, found, height)
  }
}

/** Whether the cursor is on a row that has not been read yet, or no row has. */
const isBeyond = (state: State.State, list: Content.List): boolean => {
  const { cursor } = State.position(state)
  return list.rows.length === 0 || (cursor > 0 && cursor >= rowsOf(state, list).length)
}

/** What went wrong when the content was read, or read anew. */
const problemOf = ({ result }: World): Content.Nothing | undefined => {
  if (!AsyncResult.isFailure(result)) return undefined
  // A defect is a fault of the program: it ends here, and says so where it can be read and reported.
  if (Cause.hasDies(result.cause)) throw Cause.squash(result.cause)
  const error = Option.getOrUndefined(Cause.findErrorOption(result.cause))
  if (error === undefined) return undefined
  return Cause.isNoSuchElementError(error) ? { title: "Nothing came", hint: "r tries again" } : Problem.of(error)
}

/** Lines over the whole width, none of them selected. */
const text = (state: State.State, lines: ReadonlyArray<Line.Line>): Body => ({
  _tag: "Lines",
  lines,
  selected: undefined,
  aside: [],
  columns: state.columns
})

const drawList = (state: State.State, list: Content.List, height: number): Drawn => {
  const { filter, ...position } = State.position(state)
  const rows = rowsOf(state, list)
  const known = `${NumberFormat.format(list.rows.length)}${list.done ? "" : "+"}`
  if (list.rows.length === 0) {
    const nothing = list.incomplete ? unready : list.nothing
    return { body: { _tag: "Message", role: "strong", ...nothing }, where: "" }
  }
  if (rows.length === 0) {
    const hint = `None of ${known} ${list.noun[1]} has it. Esc clears the filter`
    return { body: { _tag: "Message", role: "strong", title: `Nothing matches ${filter}`, hint }, where: "" }
  }
  const window = ListWindow.clamp(position, rows.length, height)
  const aside = state.columns < WIDE ? undefined : rows[window.cursor]?.aside
  const columns = aside === undefined ? state.columns : Math.floor(state.columns * 0.6)
  const widths = Columns.layout(list.columns, list.natural, columns - MARK - 1)
  const lines = rows.slice(window.top, window.top + height).map((row) => Columns.row(list.columns, widths, row.cells))
  const total = list.total === undefined || list.total <= list.rows.length ? known : NumberFormat.format(list.total)
  const of = filter === "" ? total : `${NumberFormat.format(rows.length)} of ${known}`
  const noun = list.rows.length === 1 && list.done ? list.noun[0] : list.noun[1]
  return {
    body: {
      _tag: "Lines",
      lines,
      selected: window.cursor - window.top,
      aside: aside?.(state.columns - columns - 4).slice(0, height) ?? [],
      columns
    },
    where: `${NumberFormat.format(window.cursor + 1)}/${of} ${noun}${list.incomplete ? ", and maybe more" : ""}`
  }
}

/** What stands where the forge has found nothing in what it has looked at. */
const unready: Content.Nothing = {
  title: "Nothing found yet",
  hint: "The forge stopped before it had looked at everything: its index may not be ready. r tries again"
}

const drawDocument = (state: State.State, document: Content.Document, height: number): Drawn => {
  const layout = layoutOf(state, document)
  const { top } = scrolled(state, layout, height)
  const { find, left } = State.position(state)
  const lines = layout.lines
    .slice(top, top + height)
    .map((line) => Line.drop(find === "" ? line : Find.mark(line, find), left))
  const last = Math.min(layout.lines.length, top + height)
  const part = partAt(layout, top)
  const name = part === undefined ? "" : `  ${part.title} (${layout.parts.indexOf(part) + 1}/${layout.parts.length})`
  return {
    body: text(state, lines),
    where: `${NumberFormat.format(last)}/${NumberFormat.quantity(layout.lines.length, "line")}${name}`
  }
}

/** The section that the top of the screen is in. */
export const partAt = (layout: Content.Layout, top: number): Content.Part | undefined =>
  layout.parts.findLast((part) => part.at <= top)

/** What the connection has to say, at the places where one begins. */
const noticesOf = (state: State.State, world: World): ReadonlyArray<Line.Line> =>
  state.way.length > 2 || state.rows < 12
    ? []
    : world.notices
        .slice(0, 2)
        .map((notice) => Line.fit([Line.span(" ! ", "warning"), Line.span(notice)], state.columns))

const waitingFor = (place: Place.Place): string => {
  switch (place._tag) {
    case "Repositories":
      return "repositories"
    case "Repository":
      return place.tab
    case "Commit":
      return `commit ${Place.title(place)}`
    case "Folder":
    case "File":
      return Place.title(place)
    case "Search":
      return `matches of ${Place.title(place)}`
  }
}
