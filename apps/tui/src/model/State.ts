/** The state that the user controls: the open screens, the position on each, and the open window. All pure. */
import type { FileCommit } from "../actions/FileCommit.ts"
import type { Form } from "../actions/Form.ts"
import type { OperationAction, Target } from "../actions/Operations.ts"
import * as Route from "../content/Route.ts"
import type * as TextInput from "../text/TextInput.ts"
import type { Arguments } from "../content/Route.ts"
import * as ListWindow from "./ListWindow.ts"
import type * as NameCard from "./NameCard.ts"
import type * as Palette from "./Palette.ts"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"

/** The cursor, filter and marks of one screen. */
export interface Position extends ListWindow.ListWindow {
  /** Id of the row under the cursor, which the cursor follows when the list changes. */
  readonly selectedId: string | undefined
  /** Number of columns that the content is scrolled to the right. */
  readonly left: number
  /** Column of the selected name in a file, in UTF-16 units; undefined before the first choice. */
  readonly column?: number | undefined
  readonly filter: string
  /** Number of rows that the user has asked the filter to load; 0 for the first ones only. */
  readonly filterRows: number
  /** Text to find in a document; empty without a search. */
  readonly findText: string
  /** Ids of the marked rows. */
  readonly marked: ReadonlySet<string>
  /** The cursor of the pane beside the content. */
  readonly pane: ListWindow.ListWindow
}

/** A line of input at the bottom of the screen. */
export interface Prompt {
  /** `filter` filters the table while the user types, `find` finds in the document, `search` searches code, `revision` opens a ref. */
  readonly purpose: "filter" | "find" | "search" | "searchAll" | "revision"
  readonly input: TextInput.TextInput
  /** The position before a search in a document, to which Esc returns. */
  readonly origin?: Position | undefined
  /** Index in the history of queries; undefined while the user types. */
  readonly historyIndex?: number | undefined
}

/** An operation with targets, before or during the run. */
export interface PendingOperation {
  readonly action: Pick<OperationAction, "entry" | "label" | "on">
  readonly targets: ReadonlyArray<Target>
  /** Values of the form. */
  readonly input: Arguments
}

/** The progress of an operation on one target. */
export interface OperationResult {
  readonly target: Target
  readonly status: "waiting" | "running" | "done" | "failed"
  /** The failure, or the result of the operation; empty without one. */
  readonly message: string
}

/** A window over the content. The window receives all keys. */
export type Overlay =
  | { readonly _tag: "Help"; readonly top: number }
  | {
      readonly _tag: "Palette"
      readonly title: string
      readonly items: ReadonlyArray<Palette.Item>
      /** Filters the items; undefined for a menu whose items have keys. */
      readonly input: TextInput.TextInput | undefined
      readonly window: ListWindow.ListWindow
    }
  /** Asks for the input of an operation. */
  | {
      readonly _tag: "Form"
      readonly form: Form
      readonly pending: PendingOperation
      readonly isSending: boolean
    }
  /** Commits an edited file. */
  | { readonly _tag: "FileCommit"; readonly window: FileCommit }
  /** Asks for the arguments of a screen. */
  | { readonly _tag: "ScreenForm"; readonly form: Form; readonly entry: CatalogEntry }
  | {
      readonly _tag: "Confirmation"
      readonly pending: PendingOperation
      /** The form of the input, shown again after a failure; undefined for an operation without a form. */
      readonly form: Form | undefined
      /** The name to type; undefined if a key is enough. */
      readonly requiredText: string | undefined
      readonly input: TextInput.TextInput
    }
  /** Details of a name. */
  | { readonly _tag: "Card"; readonly card: NameCard.NameCard; readonly top: number }
  | {
      readonly _tag: "Results"
      readonly pending: PendingOperation
      readonly results: ReadonlyArray<OperationResult>
      readonly window: ListWindow.ListWindow
    }

/** An operation that undoes another one. */
export interface Undo {
  readonly label: string
  readonly entry: CatalogEntry
  readonly inputs: ReadonlyArray<Arguments>
}

/** A message in the status line, shown until the next key. */
export interface StatusMessage {
  readonly text: string
  readonly isError: boolean
}

/** The state that keys and the size of the terminal change. */
export interface State {
  /** The stack of open screens; the last screen is visible. */
  readonly routes: readonly [Route.Route, ...ReadonlyArray<Route.Route>]
  /** Stacks that Alt-Left and Alt-Right return to. */
  readonly past: ReadonlyArray<State["routes"]>
  readonly future: ReadonlyArray<State["routes"]>
  /** Positions by route id. */
  readonly positions: ReadonlyMap<string, Position>
  readonly prompt: Prompt | undefined
  readonly overlay: Overlay | undefined
  readonly message: StatusMessage | undefined
  readonly undo: Undo | undefined
  /** True if keys move in the pane beside the content. */
  readonly isPaneFocused: boolean
  readonly isPaneShown: boolean
  /** True if long lines of documents wrap, rather than scroll sideways. */
  readonly isWrapped: boolean
  /** Whether margins, such as the blame of a file, are shown. Undefined: if there is room. */
  readonly isMarginShown: boolean | undefined
  /** For each file that `blameBack` opened, by route id, the newer file from which it was opened. */
  readonly newerFiles: ReadonlyMap<string, Route.Route>
  /** Earlier code search queries, the latest first. */
  readonly queryHistory: ReadonlyArray<string>
  /** Routes of the saved code searches. */
  readonly searches: ReadonlyArray<Route.Route>
  /** Ids of the latest choices in the palette, the latest first. */
  readonly recentChoices: ReadonlyArray<string>
  /** When the previous session ended, in epoch milliseconds. Undefined in the first session. */
  readonly lastLook: number | undefined
  /** Share of the width that the left side of the split has, from 0 to 1. */
  readonly split: number
  /** True once the terminal has lost the focus. */
  readonly columns: number
  readonly rows: number
}

/** The first position on a screen. */
export const start: Position = {
  ...ListWindow.start,
  selectedId: undefined,
  left: 0,
  filter: "",
  filterRows: 0,
  findText: "",
  marked: new Set(),
  pane: ListWindow.start
}

/** Number of earlier screens that Alt-Left returns to. */
const MAX_HISTORY = 100

/** Creates the first state. */
export const make = (routes: State["routes"]): State => ({
  routes,
  past: [],
  future: [],
  positions: new Map(),
  prompt: undefined,
  overlay: undefined,
  message: undefined,
  undo: undefined,
  isPaneFocused: false,
  isPaneShown: true,
  isWrapped: false,
  isMarginShown: undefined,
  newerFiles: new Map(),
  queryHistory: [],
  searches: [],
  recentChoices: [],
  lastLook: undefined,
  split: 0.6,
  columns: 80,
  rows: 24
})

export const route = (self: State): Route.Route => self.routes.at(-1) ?? self.routes[0]

/** Returns the position on the visible screen; undefined before the first movement. */
export const savedPosition = (self: State): Position | undefined => self.positions.get(Route.id(route(self)))

/** Returns the position on the visible screen; by default the top. */
export const position = (self: State): Position => savedPosition(self) ?? start

/** Replaces the position on the visible screen. */
export const withPosition = (self: State, position: Position): State => ({
  ...self,
  positions: new Map(self.positions).set(Route.id(route(self)), position)
})

/** Replaces the position on the visible screen by a saved position, or by the first position. */
export const withSavedPosition = (self: State, saved: Position | undefined): State => {
  if (saved !== undefined) return withPosition(self, saved)
  const positions = new Map(self.positions)
  positions.delete(Route.id(route(self)))
  return { ...self, positions }
}

/** Replaces the stack of screens. Records the old stack for Alt-Left. */
export const withRoutes = (self: State, routes: State["routes"]): State => ({
  ...self,
  routes,
  past: [...self.past, self.routes].slice(-MAX_HISTORY),
  future: [],
  isPaneFocused: false
})

/** Opens a screen at the top. */
export const push = (self: State, to: Route.Route): State => {
  if (Route.id(route(self)) === Route.id(to)) return self
  const positions = new Map(self.positions)
  positions.delete(Route.id(to))
  return { ...withRoutes(self, [...self.routes, to]), positions }
}

/** Replaces the visible screen, for example by another tab. */
export const replace = (self: State, to: Route.Route): State => {
  const [first, ...rest] = self.routes
  if (Route.id(route(self)) === Route.id(to)) return self
  return withRoutes(self, rest.length === 0 ? [to] : [first, ...rest.slice(0, -1), to])
}

/** Replaces the visible screen, at the first position of the new one. */
export const replaceAtStart = (self: State, to: Route.Route): State => {
  const positions = new Map(self.positions)
  positions.delete(Route.id(to))
  return { ...replace(self, to), positions }
}

/** Goes back to the screen from which the visible screen was opened. The first screen stays. */
export const pop = (self: State): State => {
  const [first, ...rest] = self.routes
  return withRoutes(self, [first, ...rest.slice(0, -1)])
}

/** Goes to the previous screen of the history. */
export const historyBack = (self: State): State => {
  const routes = self.past.at(-1)
  if (routes === undefined) return { ...self, message: { text: "No previous screen", isError: false } }
  return { ...self, routes, past: self.past.slice(0, -1), future: [self.routes, ...self.future], isPaneFocused: false }
}

/** Goes to the next screen of the history. */
export const historyForward = (self: State): State => {
  const [routes, ...future] = self.future
  if (routes === undefined) return { ...self, message: { text: "No next screen", isError: false } }
  return { ...self, routes, past: [...self.past, self.routes], future, isPaneFocused: false }
}

/** Returns the repositories of the open and earlier screens, the latest first. */
export const repositories = ({ future, past, routes, searches }: State): ReadonlyArray<string> => {
  const all = [...routes.toReversed(), ...past.toReversed().flat(), ...future.flat(), ...searches]
  const names = all.flatMap(({ arguments: { owner, repo } }) =>
    typeof owner === "string" && typeof repo === "string" ? [`${owner}/${repo}`] : []
  )
  return [...new Set(names)]
}

/** Saves a code search, or removes a saved code search. */
export const toggleSearch = (self: State, search: Route.Route): State => {
  const id = Route.id(search)
  const others = self.searches.filter((known) => Route.id(known) !== id)
  const isNew = others.length === self.searches.length
  return {
    ...self,
    searches: isNew ? [search, ...others].slice(0, MAX_SEARCHES) : others,
    message: { text: isNew ? SEARCH_SAVED : SEARCH_REMOVED, isError: false }
  }
}

/** The messages after a search was saved or removed. */
export const SEARCH_SAVED = "Saved the search on the home screen"
export const SEARCH_REMOVED = "Removed the saved search"

/** Maximum number of saved searches. */
const MAX_SEARCHES = 50
