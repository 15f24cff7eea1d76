/** The lines above the content: the header, the tabs, and the rule with the screens of a tab. */
import type * as Route from "../content/Route.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line, Span } from "../text/StyledLine.ts"
import type * as State from "./State.ts"
import * as Titles from "./Titles.ts"
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

/** Creates the header: the place, the titles of the open screens of the place, and the name of the forge. */
export const line = (state: State.State, external: ExternalState): ClickableLine => {
  const spans: Array<Span> = [StyledLine.span(" tongs", "accent")]
  const areas: Array<ClickArea> = []
  const shown = fitTitles(Titles.of(state), state.columns)
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

/** Drops the first titles if all titles together need more than 70 % of the width. */
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
  // Many tabs have less space between labels, so that all are visible on 80 columns.
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

/** Drops tabs from the start until the current tab is visible. */
const scrolled = (spans: ReadonlyArray<Span>, current: number, columns: number): Line => {
  let from = 0
  while (from < current && StyledLine.width(spans.slice(from, current + 2)) > columns) from++
  return from === 0 ? spans : [StyledLine.span("‹", "muted"), ...spans.slice(from + 1)]
}

/** Creates the rule above the body, with the screens of the current tab if there are several. */
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
