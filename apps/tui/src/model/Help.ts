/** The keys, in words: a line of them at the foot of the screen, and all of them on request. */
import * as Terminal from "@tongs/core/text/Terminal"
import * as StyledLine from "./StyledLine.ts"
import type { Content } from "./ScreenContent.ts"
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
export const lines = (
  columns: number,
  rows: number,
  notices: ReadonlyArray<string>
): ReadonlyArray<StyledLine.Line> => {
  const entry = ([keys, does]: readonly [string, string]): StyledLine.Line => [
    StyledLine.span(` ${Terminal.pad(keys, 14)} `, "accent"),
    StyledLine.span(does)
  ]
  const half = Math.ceil(all.length / 2)
  const twoColumns = columns >= 100 || (rows < all.length + 2 && columns >= 80)
  const keys = twoColumns
    ? all.slice(0, half).map((left, index) => {
        const right = all[half + index]
        const room = Math.floor(columns / 2)
        return [
          ...StyledLine.fit(entry(left), room),
          ...(right === undefined ? [] : StyledLine.fit(entry(right), columns - room))
        ]
      })
    : all.map(entry)
  return [
    StyledLine.line(" Keys", "title"),
    ...keys,
    ...notices.flatMap((notice) =>
      StyledLine.wrap(notice, columns - 2).map((text) => StyledLine.line(` ${text}`, "muted"))
    )
  ]
}

/** What can be done here, the most useful first; what does not fit is left out. */
export const keyHints = (state: State.State, content: Content | undefined, columns: number): StyledLine.Line => {
  const shown: Array<StyledLine.Span> = []
  for (const [key, does] of keysOf(state, content)) {
    const next = [
      StyledLine.span(shown.length === 0 ? " " : "  "),
      StyledLine.span(key, "accent"),
      StyledLine.span(` ${does}`, "muted")
    ]
    if (StyledLine.width(shown) + StyledLine.width(next) > columns) break
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
  if (state.helpTop !== undefined)
    return [
      ["Esc", "close"],
      ["j k", "more"]
    ]
  const place = State.route(state)
  const back: ReadonlyArray<readonly [string, string]> = state.routes.length > 1 ? [["Esc", "back"]] : []
  const end: ReadonlyArray<readonly [string, string]> = [
    ["?", "help"],
    ["q", "quit"],
    ["r", "again"],
    ["y", "copy"]
  ]
  const slash: readonly [string, string] = ["/", slashDoes[Slash.slashPurpose(place, content)]]
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
