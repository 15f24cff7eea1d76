/** The lines around the content: header, tabs and status line. */
import * as StyledLine from "../text/StyledLine.ts"
import type { Line, Span } from "../text/StyledLine.ts"
import * as Route from "./Route.ts"
import * as QueryInput from "./QueryInput.ts"
import * as State from "./State.ts"

/** Creates the header: the titles of the open screens. */
export const breadcrumbs = (state: State.State): Line => {
  const titles = state.routes.slice(state.routes.length > 1 ? 1 : 0).map(Route.title)
  const last = titles.at(-1) ?? ""
  const before = titles.slice(0, -1).flatMap((title) => [StyledLine.span(title), StyledLine.span(" › ", "muted")])
  // Drops the first titles if they need more than 60 % of the width.
  while (StyledLine.width(before) + StyledLine.width(StyledLine.line(last)) > state.columns * 0.6 && before.length > 2)
    before.splice(2, 2)
  return [StyledLine.span(" tongs  ", "accent"), ...before, StyledLine.span(last, "title")]
}

/** Creates the tabs of a repository, or a horizontal rule on other screens. */
export const tabBar = (state: State.State): Line => {
  const route = State.route(state)
  const rule = StyledLine.span("─".repeat(state.columns), "muted")
  if (route._tag !== "Repository") return [rule]
  const names = Route.tabs.flatMap((tab) =>
    tab === route.tab
      ? [StyledLine.span(`[${tab}]`, "title"), StyledLine.span("─", "muted")]
      : [StyledLine.span(` ${tab} `), StyledLine.span("─", "muted")]
  )
  return [StyledLine.span("─", "muted"), ...names, rule].reduce<Line>(upTo(state.columns), [])
}

/** Appends spans up to a width. Truncates the last span without an ellipsis, because it is a horizontal rule. */
const upTo =
  (columns: number) =>
  (line: Line, span: Span): Line => {
    const left = columns - StyledLine.width(line)
    return left <= 0 ? line : [...line, span.text.length > left ? { ...span, text: span.text.slice(0, left) } : span]
  }

/** Creates the left part of the status line: the result of the last command, or a position like `12/300+ commits`. */
export const statusLine = (state: State.State, position: string): Line => {
  const { filter } = State.position(state)
  if (state.message !== undefined) return StyledLine.line(` ${state.message}`, "accent")
  const filtered = filter === "" ? [] : [StyledLine.span("  filter ", "muted"), StyledLine.span(filter, "match")]
  return [StyledLine.span(` ${position}`), ...filtered]
}

/** Creates the line of the prompt, with its text and the error of an invalid query. */
export const promptLine = (state: State.State, columns: number): Line => {
  const { prompt } = state
  if (prompt === undefined) return StyledLine.empty
  const name = prompt.purpose === "search" ? " search code: " : ` ${prompt.purpose}: `
  // Keeps the end of the text visible.
  const room = Math.max(8, Math.floor(columns * 0.6) - name.length - 1)
  const text =
    prompt.purpose === "search" ? QueryInput.highlighted(prompt.text) : StyledLine.line(prompt.text, "strong")
  const problem = state.message ?? (prompt.purpose === "search" ? QueryInput.problem(prompt.text) : undefined)
  const shown = StyledLine.dropColumns(text, StyledLine.width(text) - room)
  return [
    StyledLine.span(name, "accent"),
    ...shown,
    StyledLine.span("▏", "accent"),
    ...(problem === undefined ? [] : [StyledLine.span(`  ${problem}`, "error")])
  ]
}
