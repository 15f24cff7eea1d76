/** The state that the user controls: the open screens, and the position on each screen. All functions are pure. */
import * as ListWindow from "./ListWindow.ts"
import type { Prompt } from "./Prompt.ts"
import * as Route from "./Route.ts"

/** The cursor and search of one screen. */
export interface Position extends ListWindow.ListWindow {
  /** Number of columns that a document is scrolled to the right. */
  readonly left: number
  readonly filter: string
  /** Text to find in a document; empty without a search. */
  readonly findText: string
  /** Index of the line with the current match; -1 without a match. */
  readonly foundLine: number
}

/** The state that keys and the size of the terminal change. */
export interface State {
  /** The stack of open screens; the last one is visible. */
  readonly routes: readonly [Route.Route, ...ReadonlyArray<Route.Route>]
  /** Positions by route id. */
  readonly positions: ReadonlyMap<string, Position>
  readonly prompt: Prompt | undefined
  /** The first visible line of the help; undefined while the help is closed. */
  readonly helpTop: number | undefined
  /** The result of the last command, shown until the next key. */
  readonly message: string | undefined
  readonly columns: number
  readonly rows: number
}

const start: Position = { ...ListWindow.start, left: 0, filter: "", findText: "", foundLine: -1 }

/** Creates the first state: a repository's screen on top of the list of repositories, or only this list. */
export const make = (repository: Route.Revision | undefined): State => ({
  routes:
    repository === undefined
      ? [{ _tag: "Repositories" }]
      : [{ _tag: "Repositories" }, { _tag: "Repository", owner: repository.owner, repo: repository.repo, tab: "log" }],
  positions: new Map(),
  prompt: undefined,
  helpTop: undefined,
  message: undefined,
  columns: 80,
  rows: 24
})

/** Returns the visible screen. */
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

/** Opens a screen at its top. */
export const push = (self: State, to: Route.Route): State => {
  const positions = new Map(self.positions)
  positions.delete(Route.id(to))
  return { ...self, routes: [...self.routes, to], positions }
}

/** Goes back to the previous screen. The first screen stays. */
export const pop = (self: State): State => {
  const [first, ...rest] = self.routes
  return { ...self, routes: [first, ...rest.slice(0, -1)] }
}

/** Changes the tab of a repository; does nothing on other screens. */
export const changeTab = (self: State, tab: (current: Route.Tab) => Route.Tab): State => {
  const current = route(self)
  if (current._tag !== "Repository") return self
  const [first, ...rest] = self.routes
  const next: Route.Route = { ...current, tab: tab(current.tab) }
  return rest.length === 0 ? { ...self, routes: [next] } : { ...self, routes: [first, ...rest.slice(0, -1), next] }
}
