/** Documents the keys: all keys in the help, the most useful keys in the last line of the screen. */
import * as Terminal from "@tongs/core/text/Terminal"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line, Span } from "../text/StyledLine.ts"
import type { Content } from "./ScreenContent.ts"
import * as Prompt from "./Prompt.ts"
import * as State from "./State.ts"

/** The keys and their actions. Texts are short enough for two columns on a screen of 80 columns. */
const all: ReadonlyArray<readonly [keys: string, action: string]> = [
  ["j k ↓ ↑", "down, up"],
  ["g G", "first, last row"],
  ["Ctrl-d Ctrl-u", "half a page down, up"],
  ["PgDn PgUp", "page down, up"],
  ["← →", "scroll sideways"],
  ["Enter l", "open"],
  ["Esc h ⌫", "back, clear filter"],
  ["Tab 1-5", "next tab, tab 1 to 5"],
  ["/", "find, filter or search"],
  ["f  s", "filter, search code"],
  ["n N", "next, previous match"],
  ["] [", "next, previous file"],
  ["r", "refresh"],
  ["y", "copy id, name or path"],
  ["o", "open in the browser"],
  ["?", "show this help"],
  ["q Ctrl-C", "quit"],
  ["Ctrl-Z", "suspend; fg resumes"]
]

/** Minimum width of a column of keys. */
const KEY_COLUMN = 38

/** Creates the help: all keys, in two columns if possible, and the notices of the connection. */
export const lines = (columns: number, notices: ReadonlyArray<string>): ReadonlyArray<Line> => {
  const entry = ([keys, action]: readonly [string, string]): Line => [
    StyledLine.span(` ${Terminal.pad(keys, 14)} `, "accent"),
    StyledLine.span(action)
  ]
  const half = Math.ceil(all.length / 2)
  const width = Math.floor(columns / 2)
  const keys =
    width < KEY_COLUMN
      ? all.map(entry)
      : all.slice(0, half).map((left, index) => {
          const right = all[half + index]
          return [...StyledLine.fit(entry(left), width), ...(right === undefined ? [] : entry(right))]
        })
  return [
    StyledLine.line(" Keys", "title"),
    ...keys,
    ...notices.flatMap((notice) =>
      StyledLine.wrap(notice, columns - 2).map((text) => StyledLine.line(` ${text}`, "muted"))
    )
  ]
}

/** Creates a line with as many keys of the visible screen as fit, the most useful first. */
export const keyHints = (state: State.State, content: Content | undefined, columns: number): Line => {
  const shown: Array<Span> = []
  for (const [key, action] of keysOf(state, content)) {
    const next = [
      StyledLine.span(shown.length === 0 ? " " : "  "),
      StyledLine.span(key, "accent"),
      StyledLine.span(` ${action}`, "muted")
    ]
    if (StyledLine.width(shown) + StyledLine.width(next) > columns) break
    shown.push(...next)
  }
  return shown
}

const keysOf = (state: State.State, content: Content | undefined): ReadonlyArray<readonly [string, string]> => {
  if (state.prompt !== undefined)
    return [
      ["Enter", state.prompt.purpose === "filter" ? "apply" : state.prompt.purpose],
      ["Esc", "cancel"]
    ]
  if (state.helpTop !== undefined)
    return [
      ["Esc", "close"],
      ["j k", "scroll"]
    ]
  const route = State.route(state)
  const back: ReadonlyArray<readonly [string, string]> = state.routes.length > 1 ? [["Esc", "back"]] : []
  const end: ReadonlyArray<readonly [string, string]> = [
    ["?", "help"],
    ["q", "quit"],
    ["r", "refresh"],
    ["y", "copy"]
  ]
  const slash: readonly [string, string] = ["/", slashActions[Prompt.slashPurpose(route, content)]]
  switch (route._tag) {
    case "Repository":
      return route.tab === "readme"
        ? [...back, ["Tab", "next tab"], slash, ...end]
        : [["Enter", "open"], ...back, ["Tab", "next tab"], slash, ...end]
    case "Commit":
      return [["Enter", "open file"], ...back, ["]", "next file"], slash, ...end]
    case "File":
      return [...back, ["←→", "scroll"], slash, ...end]
    default:
      return [["Enter", "open"], ...back, slash, ...end]
  }
}

const slashActions = { filter: "filter", find: "find", search: "search code" } as const // literal types
