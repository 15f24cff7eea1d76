/** The keys, in words: a line of them at the foot of the screen, and all of them on request. */
import * as Terminal from "@tongs/core/text/Terminal"
import * as Line from "./Line.ts"
import type { Content } from "./Content.ts"
import * as Slash from "./Slash.ts"
import * as State from "./State.ts"

const all: ReadonlyArray<readonly [keys: string, does: string]> = [
  ["j k ↓ ↑", "one row down, up"],
  ["g G", "first, last row"],
  ["Ctrl-d Ctrl-u", "half a screen down, up"],
  ["PgDn PgUp", "a screen down, up"],
  ["← →", "move a wide text sideways"],
  ["Enter l", "open"],
  ["Esc h ⌫", "go back, clear the filter"],
  ["Tab 1-5", "next tab, tab by number"],
  ["/", "find in a text, filter names, else search code"],
  ["f  s", "filter a list, search code"],
  ["n N", "next, previous place with what you look for"],
  ["] [", "next, previous file of a commit"],
  ["r", "read again"],
  ["y", "copy the id, name or path"],
  ["o", "open its page in the browser"],
  ["?", "these keys"],
  ["q Ctrl-C", "quit"],
  ["Ctrl-Z", "back to the shell; fg returns"]
]

/** All keys in as many columns as fit, and what the connection has to say. */
export const lines = (columns: number, rows: number, notices: ReadonlyArray<string>): ReadonlyArray<Line.Line> => {
  const entry = ([keys, does]: readonly [string, string]): Line.Line => [
    Line.span(` ${Terminal.pad(keys, 14)} `, "accent"),
    Line.span(does)
  ]
  const half = Math.ceil(all.length / 2)
  const twoColumns = columns >= 100 || (rows < all.length + 2 && columns >= 80)
  const keys = twoColumns
    ? all.slice(0, half).map((left, index) => {
        const right = all[half + index]
        const room = Math.floor(columns / 2)
        return [...Line.fit(entry(left), room), ...(right === undefined ? [] : Line.fit(entry(right), columns - room))]
      })
    : all.map(entry)
  return [
    Line.line(" Keys", "title"),
    ...keys,
    ...notices.flatMap((notice) => Line.wrap(notice, columns - 2).map((text) => Line.line(` ${text}`, "muted")))
  ]
}

/** What can be done here, the most useful first; what does not fit is left out. */
export const hints = (state: State.State, content: Content | undefined, columns: number): Line.Line => {
  const shown: Array<Line.Span> = []
  for (const [key, does] of keysOf(state, content)) {
    const next = [Line.span(shown.length === 0 ? " " : "  "), Line.span(key, "accent"), Line.span(` ${does}`, "muted")]
    if (Line.width(shown) + Line.width(next) > columns) break
    shown.push(...next)
  }
  return shown
}

const keysOf = (state: State.State, content: Content | undefined): ReadonlyArray<readonly [string, string]> => {
  if (state.prompt !== undefined)
    return [
      ["Enter", state.prompt.purpose === "filter" ? "keep" : state.prompt.purpose],
      ["Esc", "give up"]
    ]
  if (state.help !== undefined)
    return [
      ["Esc", "close"],
      ["j k", "more"]
    ]
  const place = State.place(state)
  const back: ReadonlyArray<readonly [string, string]> = state.way.length > 1 ? [["Esc", "back"]] : []
  const end: ReadonlyArray<readonly [string, string]> = [
    ["?", "help"],
    ["q", "quit"],
    ["r", "again"],
    ["y", "copy"]
  ]
  const slash: readonly [string, string] = ["/", slashDoes[Slash.purpose(place, content)]]
  switch (place._tag) {
    case "Repository":
      return place.tab === "readme"
        ? [...back, ["Tab", "next tab"], slash, ...end]
        : [["Enter", "open"], ...back, ["Tab", "next tab"], slash, ...end]
    case "Commit":
      return [["Enter", "file"], ...back, ["]", "next file"], slash, ...end]
    case "File":
      return [...back, ["←→", "sideways"], slash, ...end]
    default:
      return [["Enter", "open"], ...back, slash, ...end]
  }
}

const slashDoes = { filter: "filter", find: "find", search: "search code" } as const // the words must stay literals
