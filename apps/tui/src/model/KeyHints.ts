/** The line of key hints at the bottom of the screen. */
import * as Form from "../actions/Form.ts"
import * as FormField from "../actions/FormField.ts"
import * as KeyBindings from "../actions/KeyBindings.ts"
import * as Registry from "../screens/Registry.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line, Span } from "../text/StyledLine.ts"
import * as Verbs from "../screens/Verbs.ts"
import * as Choices from "./Choices.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

/** Creates the line of key hints: as many keys of the visible screen as fit, the most useful first. */
export const line = (state: State.State, external: ExternalState): Line => {
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

const formHints: ReadonlyArray<Hint> = [
  ["Tab", "next field"],
  ["Ctrl-s", "submit"],
  ["Esc", "cancel"]
]

const editorHint: Hint = ["Ctrl-o", "edit in $EDITOR"]

/** Returns the hints of a window. Only texts of several lines are edited in the editor. */
const windowHints = (overlay: State.Overlay): ReadonlyArray<Hint> => {
  const field = overlay._tag === "Form" || overlay._tag === "ScreenForm" ? Form.focused(overlay.form) : undefined
  const isText = field !== undefined && FormField.isMultiline(field.schema)
  return isText ? [editorHint, ...formHints] : overlayHints[overlay._tag]
}

const scrollHints: ReadonlyArray<Hint> = [
  ["Esc", "close"],
  ["j k", "scroll"]
]

const overlayHints: Readonly<Record<State.Overlay["_tag"], ReadonlyArray<Hint>>> = {
  Card: [["Enter", "definition"], ...scrollHints],
  Confirmation: [
    ["Enter", "confirm"],
    ["Esc", "cancel"]
  ],
  FileCommit: [
    ["Ctrl-s", "commit"],
    ["Tab", "next field"],
    ["↑ ↓", "scroll"],
    ["Ctrl-o", "editor"],
    ["Esc", "keep for later"]
  ],
  Form: formHints,
  Help: scrollHints,
  Palette: [
    ["Enter", "choose"],
    ["↑ ↓", "select"],
    ["Esc", "close"]
  ],
  Results: scrollHints,
  ScreenForm: formHints
}

const searchHints: ReadonlyArray<Hint> = [
  ["Tab", "complete"],
  ["↑ ↓", "earlier queries"]
]

const filterHints: ReadonlyArray<Hint> = [["Tab", "search all"]]

const isFilterPartial = (state: State.State, external: ExternalState): boolean => {
  const content = Viewport.contentOf(external)
  return content?._tag === "Table" && Viewport.isFilterPartial(state, content)
}

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
      ...(state.prompt.purpose === "filter" && isFilterPartial(state, external) ? filterHints : []),
      ...(state.prompt.purpose === "search" || state.prompt.purpose === "searchAll" ? searchHints : [])
    ]
  if (state.overlay !== undefined) return windowHints(state.overlay)
  const known = Choices.knownOf(state, external)
  const verbHint = (verb: Verbs.Verb, text: string): ReadonlyArray<Hint> =>
    verb.deed._tag === "Command" &&
    verb.on !== "repository" &&
    Verbs.applies(verb, known) &&
    keys.isAvailable(verb.deed.command, Viewport.where(state, external))
      ? hint(verb.deed.command, text)
      : []
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
    ...Verbs.all.flatMap((verb) => (verb.hint === undefined ? [] : verbHint(verb, verb.hint))),
    ...(external.load.view === undefined
      ? []
      : hint("switchView", State.route(state).arguments.ref === undefined ? "last commit" : "work tree")),
    ...(isFilterPartial(state, external) ? hint("filterAll", "search all") : []),
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
