/** The lines around what is read: where one is, and what is being done. */
import * as StyledLine from "./StyledLine.ts"
import * as Route from "./Route.ts"
import * as QueryInput from "./QueryInput.ts"
import * as State from "./State.ts"

/** The way here. */
export const breadcrumbs = (state: State.State): StyledLine.Line => {
  const titles = state.routes.slice(state.routes.length > 1 ? 1 : 0).map(Route.title)
  const last = titles.at(-1) ?? ""
  const before = titles.slice(0, -1).flatMap((title) => [StyledLine.span(title), StyledLine.span(" › ", "muted")])
  // Where the way is longer than half of the screen its beginning gives way.
  while (StyledLine.width(before) + StyledLine.width(StyledLine.line(last)) > state.columns * 0.6 && before.length > 2)
    before.splice(2, 2)
  return [StyledLine.span(" tongs  ", "accent"), ...before, StyledLine.span(last, "title")]
}

/** The tabs of a repository, or a rule. */
export const tabBar = (state: State.State): StyledLine.Line => {
  const place = State.route(state)
  const rule = StyledLine.span("─".repeat(state.columns), "muted")
  if (place._tag !== "Repository") return [rule]
  const names = Route.tabs.flatMap((tab) =>
    tab === place.tab
      ? [StyledLine.span(`[${tab}]`, "title"), StyledLine.span("─", "muted")]
      : [StyledLine.span(` ${tab} `), StyledLine.span("─", "muted")]
  )
  return [StyledLine.span("─", "muted"), ...names, rule].reduce<StyledLine.Line>(upTo(state.columns), [])
}

/** Takes spans as long as they fit, and cuts the last without a sign: it is a rule. */
const upTo =
  (columns: number) =>
  (line: StyledLine.Line, span: StyledLine.Span): StyledLine.Line => {
    const left = columns - StyledLine.width(line)
    return left <= 0 ? line : [...line, span.text.length > left ? { ...span, text: span.text.slice(0, left) } : span]
  }

/** What was just done, or the position in the content, as `12/300+ commits`. */
export const statusLine = (state: State.State, where: string): StyledLine.Line => {
  const { filter } = State.position(state)
  if (state.message !== undefined) return StyledLine.line(` ${state.message}`, "accent")
  const filtered = filter === "" ? [] : [StyledLine.span("  filter ", "muted"), StyledLine.span(filter, "match")]
  return [StyledLine.span(` ${where}`), ...filtered]
}

/** What is being typed. */
export const promptLine = (state: State.State, columns: number): StyledLine.Line => {
  const { prompt } = state
  if (prompt === undefined) return StyledLine.empty
  const name = prompt.purpose === "search" ? " search code: " : ` ${prompt.purpose}: `
  // The end of what was typed stays in sight.
  const room = Math.max(8, Math.floor(columns * 0.6) - name.length - 1)
  const typed =
    prompt.purpose === "search" ? QueryInput.highlighted(prompt.text) : StyledLine.line(prompt.text, "strong")
  const wrong = state.message ?? (prompt.purpose === "search" ? QueryInput.problem(prompt.text) : undefined)
  const shown = StyledLine.dropColumns(typed, StyledLine.width(typed) - room)
  return [
    StyledLine.span(name, "accent"),
    ...shown,
    StyledLine.span("▏", "accent"),
    ...(wrong === undefined ? [] : [StyledLine.span(`  ${wrong}`, "error")])
  ]
}
