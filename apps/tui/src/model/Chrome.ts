/** The lines around what is read: where one is, and what is being done. */
import * as Line from "./Line.ts"
import * as Place from "./Place.ts"
import * as SearchBox from "./SearchBox.ts"
import * as State from "./State.ts"

/** The way here. */
export const crumbs = (state: State.State): Line.Line => {
  const titles = state.way.slice(state.way.length > 1 ? 1 : 0).map(Place.title)
  const last = titles.at(-1) ?? ""
  const before = titles.slice(0, -1).flatMap((title) => [Line.span(title), Line.span(" › ", "muted")])
  // Where the way is longer than half of the screen its beginning gives way.
  while (Line.width(before) + Line.width(Line.line(last)) > state.columns * 0.6 && before.length > 2)
    before.splice(2, 2)
  return [Line.span(" tongs  ", "accent"), ...before, Line.span(last, "title")]
}

/** The tabs of a repository, or a rule. */
export const tabs = (state: State.State): Line.Line => {
  const place = State.place(state)
  const rule = Line.span("─".repeat(state.columns), "muted")
  if (place._tag !== "Repository") return [rule]
  const names = Place.tabs.flatMap((tab) =>
    tab === place.tab
      ? [Line.span(`[${tab}]`, "title"), Line.span("─", "muted")]
      : [Line.span(` ${tab} `), Line.span("─", "muted")]
  )
  return [Line.span("─", "muted"), ...names, rule].reduce<Line.Line>(upTo(state.columns), [])
}

/** Takes spans as long as they fit, and cuts the last without a sign: it is a rule. */
const upTo =
  (columns: number) =>
  (line: Line.Line, span: Line.Span): Line.Line => {
    const left = columns - Line.width(line)
    return left <= 0 ? line : [...line, span.text.length > left ? { ...span, text: span.text.slice(0, left) } : span]
  }

/** What was just done, or the position in the content, as `12/300+ commits`. */
export const status = (state: State.State, where: string): Line.Line => {
  const { filter } = State.position(state)
  if (state.said !== undefined) return Line.line(` ${state.said}`, "accent")
  const filtered = filter === "" ? [] : [Line.span("  filter ", "muted"), Line.span(filter, "match")]
  return [Line.span(` ${where}`), ...filtered]
}

/** What is being typed. */
export const prompt = (state: State.State, columns: number): Line.Line => {
  const { prompt } = state
  if (prompt === undefined) return Line.empty
  const name = prompt.purpose === "search" ? " search code: " : ` ${prompt.purpose}: `
  // The end of what was typed stays in sight.
  const room = Math.max(8, Math.floor(columns * 0.6) - name.length - 1)
  const typed = prompt.purpose === "search" ? SearchBox.typed(prompt.text) : Line.line(prompt.text, "strong")
  const wrong = state.said ?? (prompt.purpose === "search" ? SearchBox.hint(prompt.text) : undefined)
  const shown = Line.drop(typed, Line.width(typed) - room)
  return [
    Line.span(name, "accent"),
    ...shown,
    Line.span("▏", "accent"),
    ...(wrong === undefined ? [] : [Line.span(`  ${wrong}`, "error")])
  ]
}
