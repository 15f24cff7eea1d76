/** The lines around the content: header, tabs, status and key hints. */
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as KeyBindings from "../actions/KeyBindings.ts"
import * as Route from "../content/Route.ts"
import * as Registry from "../screens/Registry.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line, Span } from "../text/StyledLine.ts"
import * as TextInput from "../text/TextInput.ts"
import * as FailureMessage from "./FailureMessage.ts"
import * as QueryInput from "./QueryInput.ts"
import * as RateLimitSummary from "./RateLimitSummary.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

/** A part of a line that a click opens. */
export interface ClickArea {
  readonly from: number
  readonly to: number
  readonly route: Route.Route
}

/** A line with the parts that can be clicked. */
export interface ClickableLine {
  readonly line: Line
  readonly areas: ReadonlyArray<ClickArea>
}

/** Returns the title of a route: the place and the item, for example `octo/hello` or `abc1234`. */
export const title = (route: Route.Route): string => {
  const screen = Registry.find(route.screen)
  return screen?.title(route.arguments) ?? route.screen
}

/** Returns the name of the place of a route: `octo/hello`, `octo`, an enterprise; empty for the home. */
export const placeName = (route: Route.Route): string => {
  const owner = Route.text(route, "owner")
  const repo = Route.text(route, "repo")
  if (owner !== undefined && repo !== undefined) return `${owner}/${repo}`
  return Route.text(route, "org") ?? Route.text(route, "username") ?? Route.text(route, "enterprise") ?? ""
}

/** A part of the header, and the screen that it opens. */
export interface Title {
  readonly text: string
  readonly route: Route.Route
}

/** Returns the place and the titles of the open screens in it. */
export const titles = (state: State.State): ReadonlyArray<Title> =>
  state.routes.flatMap((route, index) => {
    const place = placeName(route)
    const before = index === 0 ? "" : placeName(state.routes[index - 1] ?? route)
    const isAtPlace = Viewport.tabBar({ ...state, routes: [route] })?.tabs !== undefined && !isBelowPlace(route)
    const text = isAtPlace && index < state.routes.length - 1 ? "" : title(route)
    return [
      ...(place !== "" && place !== before ? [{ text: place, route }] : []),
      ...(text === "" || text === place ? [] : [{ text, route }])
    ]
  })

/** Creates the header: the place, the titles of the open screens in it, and the name of the forge. */
export const header = (state: State.State, external: ExternalState): ClickableLine => {
  const spans: Array<Span> = [StyledLine.span(" tongs", "accent")]
  const areas: Array<ClickArea> = []
  const shown = fitTitles(titles(state), state.columns)
  for (const [index, { route, text }] of shown.entries()) {
    spans.push(StyledLine.span(" › ", "muted"))
    const from = StyledLine.width(spans)
    spans.push(StyledLine.span(text, index === shown.length - 1 ? "title" : "plain"))
    areas.push({ from, to: StyledLine.width(spans), route })
  }
  const label = StyledLine.line(`${external.isReadOnly ? "read-only · " : ""}${external.label} `, "muted")
  const fits = StyledLine.width(spans) + StyledLine.width(label) < state.columns
  return { line: StyledLine.justify(spans, fits ? label : StyledLine.empty, state.columns), areas }
}

const isBelowPlace = (route: Route.Route): boolean => (Route.text(route, "path") ?? "") !== ""

/** Drops the first titles if they need more than 70 % of the width. */
const fitTitles = <A extends { readonly text: string }>(
  titles: ReadonlyArray<A>,
  columns: number
): ReadonlyArray<A> => {
  const width = (all: ReadonlyArray<A>) => all.reduce((sum, { text }) => sum + text.length + 3, 0)
  let from = 0
  while (from < titles.length - 1 && width(titles.slice(from)) > columns * 0.7) from++
  return titles.slice(from)
}

/** Creates the line of tabs; undefined on screens without tabs. */
export const tabs = (state: State.State): ClickableLine | undefined => {
  const bar = Viewport.tabBar(state)
  if (bar === undefined) return undefined
  const spans: Array<Span> = [StyledLine.span(" ")]
  const areas: Array<ClickArea> = []
  // Many tabs have less space between them, so that all are visible on 80 columns.
  const space = bar.tabs.reduce((width, { label }) => width + label.length + 2, 1) > state.columns ? "" : " "
  for (const [index, { label, screens }] of bar.tabs.entries()) {
    const from = StyledLine.width(spans)
    const isCurrent = index === bar.current
    const text = `${space}${label} `
    spans.push(isCurrent ? { ...StyledLine.span(text, "title"), background: "selected" } : StyledLine.span(text))
    areas.push({ from, to: StyledLine.width(spans), route: bar.route(screens[0]?.screen ?? "") })
  }
  return { line: StyledLine.fit(scrolled(spans, bar.current, state.columns), state.columns), areas }
}

/** Drops tabs from the start until the current one is visible. */
const scrolled = (spans: ReadonlyArray<Span>, current: number, columns: number): Line => {
  let from = 0
  while (from < current && StyledLine.width(spans.slice(from, current + 2)) > columns) from++
  return from === 0 ? spans : [StyledLine.span("‹", "muted"), ...spans.slice(from + 1)]
}

/** Creates the rule above the body, with the screens of the current tab if it has several. */
export const rule = (state: State.State): ClickableLine => {
  const bar = Viewport.tabBar(state)
  const screens = bar?.tabs[bar.current]?.screens ?? []
  const spans: Array<Span> = [StyledLine.span("──", "muted")]
  const areas: Array<ClickArea> = []
  if (bar !== undefined && screens.length > 1)
    for (const [index, { label, screen }] of screens.entries()) {
      const from = StyledLine.width(spans)
      spans.push(
        index === bar.screen ? StyledLine.span(`[${label}]`, "accent") : StyledLine.span(` ${label} `, "plain"),
        StyledLine.span("─", "muted")
      )
      areas.push({ from, to: StyledLine.width(spans) - 1, route: bar.route(screen) })
    }
  const left = state.columns - StyledLine.width(spans)
  return {
    line:
      left >= 0
        ? [...spans, StyledLine.span("─".repeat(left), "muted")]
        : StyledLine.fit(
            StyledLine.dropColumns(spans, Math.max(0, overflow(areas, bar?.screen ?? 0, state.columns))),
            state.columns
          ),
    areas: left >= 0 ? areas : []
  }
}

const overflow = (areas: ReadonlyArray<ClickArea>, current: number, columns: number): number =>
  (areas[current]?.to ?? 0) + 3 - columns

/** Describes the failure of the content, with the time of the next attempt. */
export const problem = ({ load, now }: ExternalState): string | undefined => {
  if (load.failure === undefined) return undefined
  const { title } = FailureMessage.of(load.failure)
  if (load.isLoading || load.retryAt === undefined) return `${title}, trying again`
  return `${title}, next attempt in ${Math.max(1, Math.ceil((load.retryAt - now) / 1_000))} s`
}

/** Creates the status line: position or message on the left, rate limits on the right. */
export const status = (state: State.State, external: ExternalState, position: string): Line => {
  const left = statusLeft(state, external, position)
  const limits = RateLimitSummary.line(external.limits, external.now, state.columns)
  // The left side has the result of the last command, so the limits are shortened first, and left out if they still do not fit.
  const right = [limits, limits.slice(0, SHORT_LIMITS)]
    .map((line): Line => [...line, StyledLine.span(" ")])
    .find((line) => StyledLine.width(left) + StyledLine.width(line) < state.columns)
  return right === undefined ? StyledLine.fit(left, state.columns) : StyledLine.justify(left, right, state.columns)
}

/** Creates the line of suggestions above the prompt; undefined without suggestions. */
export const suggestions = (state: State.State): Line | undefined => {
  const { prompt } = state
  if (prompt?.purpose !== "search" && prompt?.purpose !== "searchAll") return undefined
  return QueryInput.suggestions(prompt.input, State.repositories(state), state.queryHistory)
}

/** Number of spans of the short form of the limits: the name, the bar and the remaining requests. */
const SHORT_LIMITS = 4

const statusLeft = (state: State.State, external: ExternalState, position: string): Line => {
  if (state.prompt !== undefined) return promptLine(state, state.prompt)
  if (state.message !== undefined)
    return StyledLine.line(` ${state.message.text}`, state.message.isError ? "error" : "accent")
  const { filter, marked } = State.position(state)
  const failed = external.load.content === undefined ? undefined : problem(external)
  return [
    StyledLine.span(` ${position}`),
    ...(filter === "" ? [] : [StyledLine.span("  filter ", "muted"), StyledLine.span(filter, "match")]),
    ...(marked.size === 0 ? [] : [StyledLine.span(`  ${marked.size} marked`, "accent")]),
    ...ageOf(external),
    ...(failed === undefined ? [] : [StyledLine.span(`  ! ${failed}`, "error")]),
    ...slowness(external),
    ...(external.load.isLoading && external.load.content !== undefined ? [StyledLine.spinner] : [])
  ]
}

/** Milliseconds without a response before the status line says so. */
const SLOW_AFTER = 4_000

/** Says that the forge has not answered for a while, and why the request waits if a rate limit is the reason. */
export const slowness = ({ limits, load, now }: ExternalState): Line => {
  if (!load.isLoading || load.loadingSince === undefined || now - load.loadingSince < SLOW_AFTER) return []
  const reason = limits.waitReason === undefined ? "no response yet" : `waiting: ${limits.waitReason}`
  return [StyledLine.span(`  ${reason}`, "warning")]
}

/** Minimum age of cached content to show, in milliseconds. */
const MIN_AGE = 1_000

const ageOf = ({ load, now }: ExternalState): Line => {
  const isOld = (load.isStale || load.failure !== undefined) && now - load.confirmedAt > MIN_AGE
  return isOld && load.content !== undefined
    ? [StyledLine.span(`  ${RelativeTime.format(load.confirmedAt, now)}`, "muted")]
    : []
}

const promptLine = (state: State.State, { input, purpose }: State.Prompt): Line => {
  const name = promptNames[purpose]
  const isSearch = purpose === "search" || purpose === "searchAll"
  const problem = isSearch ? QueryInput.problem(input.text) : undefined
  const hasNote = problem !== undefined || purpose === "find"
  const columns = Math.max(8, Math.floor(state.columns * (hasNote ? 0.5 : 0.95)) - name.length - 1)
  return [
    StyledLine.span(name, "accent"),
    ...TextInput.line(input, columns),
    ...(problem === undefined ? [] : [StyledLine.span(`  ${problem}`, "error")]),
    // The number of matches in the document.
    ...(purpose === "find" && state.message !== undefined ? [StyledLine.span(`  ${state.message.text}`, "muted")] : [])
  ]
}

/** The names of the prompts. */
export const promptNames: Readonly<Record<State.Prompt["purpose"], string>> = {
  filter: " filter: ",
  find: " find: ",
  search: " search code here: ",
  searchAll: " search all code: "
}

/** Creates the line of key hints: as many keys of the visible screen as fit, the most useful first. */
export const hints = (state: State.State, external: ExternalState): Line => {
  const shown: Array<Span> = []
  for (const [key, action] of hintsOf(state, external)) {
    const next = [
      StyledLine.span(shown.length === 0 ? " " : "  "),
      StyledLine.span(key, "accent"),
      StyledLine.span(` ${action}`, "muted")
    ]
    if (StyledLine.width(shown) + StyledLine.width(next) > state.columns) break
    shown.push(...next)
  }
  return StyledLine.fit(shown, state.columns)
}

type Hint = readonly [key: string, action: string]

const hintsOf = (state: State.State, external: ExternalState): ReadonlyArray<Hint> => {
  const { keys } = external
  const hint = (id: KeyBindings.CommandId, action: string): ReadonlyArray<Hint> => {
    const key = keys.keyOf(id)
    return key === undefined ? [] : [[KeyBindings.label(key), action]]
  }
  if (state.prompt !== undefined)
    return [
      ["Enter", state.prompt.purpose === "filter" ? "apply" : "go"],
      ["Esc", "cancel"],
      ...(state.prompt.purpose === "search" || state.prompt.purpose === "searchAll"
        ? ([
            ["Tab", "complete"],
            ["↑ ↓", "earlier queries"]
          ] as const) // pairs
        : [])
    ]
  switch (state.overlay?._tag) {
    case "Help":
      return [
        ["Esc", "close"],
        ["j k", "scroll"]
      ]
    case "Palette":
      return [
        ["Enter", "choose"],
        ["↑ ↓", "select"],
        ["Esc", "close"]
      ]
    case "Form":
    case "ScreenForm":
      return [
        ["Tab", "next field"],
        ["Ctrl-s", "submit"],
        ["Ctrl-o", "edit in $EDITOR"],
        ["Esc", "cancel"]
      ]
    case "Confirmation":
      return [
        ["Enter", "confirm"],
        ["Esc", "cancel"]
      ]
    case "Results":
      return [
        ["Esc", "close"],
        ["j k", "scroll"]
      ]
    case undefined:
      break
  }
  const content = Viewport.contentOf(external)
  const canOpen = content?._tag === "Table" ? Viewport.selectedRow(state, external)?.route !== undefined : false
  const line = Viewport.selectedLine(state, external)
  const isFailed = content === undefined && external.load.failure !== undefined
  const position = State.position(state)
  if (isFailed)
    return [
      ...hint("refresh", "try again now"),
      ...back(state, hint),
      ...hint("palette", "go to"),
      ...hint("quit", "quit")
    ]
  return [
    ...(canOpen || line?.route !== undefined || line?.url !== undefined ? hint("open", "open") : []),
    ...back(state, hint),
    ...(Viewport.tabBar(state) === undefined ? [] : hint("nextTab", "next tab")),
    ...(hasPeriod(state) ? periodHint(keys) : []),
    ...(content?._tag === "Document" && position.findText !== "" ? hint("next", "next match") : []),
    ...hint("filter", content?._tag === "Document" ? "find" : "filter"),
    ...hint("search", "search"),
    // A narrow terminal cuts the line at the end, and the help lists all keys.
    ...hint("help", "help"),
    ...hint("quit", "quit"),
    ...(State.route(state).screen === "search.code" ? hint("saveSearch", "save search") : []),
    ...hint("actions", "actions"),
    ...hint("palette", "go to"),
    ...hint("copy", "copy")
  ]
}

const periodHint = (keys: KeyBindings.KeyBindings): ReadonlyArray<Hint> => {
  const [earlier, later] = [keys.keyOf("previousSection"), keys.keyOf("nextSection")]
  return earlier === undefined || later === undefined ? [] : [[`${earlier} ${later}`, "period"]]
}

const hasPeriod = (state: State.State): boolean => Registry.find(State.route(state).screen)?.changePeriod !== undefined

const back = (
  state: State.State,
  hint: (id: KeyBindings.CommandId, action: string) => ReadonlyArray<Hint>
): ReadonlyArray<Hint> => (state.routes.length > 1 || State.position(state).filter !== "" ? hint("back", "back") : [])
