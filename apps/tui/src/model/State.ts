/** Where the person is and what they see of it. Pure: every function gives the next state. */
import * as ListWindow from "./ListWindow.ts"
import * as Route from "./Route.ts"
import type { Prompt } from "./Prompt.ts"

/** What is remembered of a place while it is on the way. */
export interface Position extends ListWindow.ListWindow {
  /** Columns of a text that are out of sight on the left. */
  readonly left: number
  readonly filter: string
  /** Words that one looks for in a text, and the line with them that one is at. */
  readonly findText: string
  readonly foundLine: number
}

export interface State {
  /** The way here, the first place first. */
  readonly routes: readonly [Route.Route, ...ReadonlyArray<Route.Route>]
  /** By the id of the place. */
  readonly positions: ReadonlyMap<string, Position>
  readonly prompt: Prompt | undefined
  /** The first line of the help that is on the screen, where the help is. */
  readonly helpTop: number | undefined
  /** What was just done, until the next key. */
  readonly message: string | undefined
  readonly columns: number
  readonly rows: number
}

const start: Position = { ...ListWindow.start, left: 0, filter: "", findText: "", foundLine: -1 }

/** Begins in a repository, with the list one step back; or in the list. */
export const make = (here: Route.Revision | undefined): State => ({
  routes:
    here === undefined
      ? [{ _tag: "Repositories" }]
      : [{ _tag: "Repositories" }, { _tag: "Repository", owner: here.owner, repo: here.repo, tab: "log" }],
  positions: new Map(),
  prompt: undefined,
  helpTop: undefined,
  message: undefined,
  columns: 80,
  rows: 24
})

export const route = (self: State): Route.Route => self.routes.at(-1) ?? self.routes[0]

/** The position here; none where the person has not moved yet. */
export const savedPosition = (self: State): Position | undefined => self.positions.get(Route.id(route(self)))

export const position = (self: State): Position => savedPosition(self) ?? start

export const withPosition = (self: State, position: Position): State => ({
  ...self,
  positions: new Map(self.positions).set(Route.id(route(self)), position)
})

export const push = (self: State, to: Route.Route): State => forget({ ...self, routes: [...self.routes, to] }, to)

/** One step back; the first place is never left. */
export const pop = (self: State): State => {
  const [first, ...rest] = self.routes
  return { ...self, routes: [first, ...rest.slice(0, -1)] }
}

/** The same repository on another tab. */
export const changeTab = (self: State, tab: (now: Route.Tab) => Route.Tab): State => {
  const here = route(self)
  if (here._tag !== "Repository") return self
  const [first, ...rest] = self.routes
  const next: Route.Route = { ...here, tab: tab(here.tab) }
  return rest.length === 0 ? { ...self, routes: [next] } : { ...self, routes: [first, ...rest.slice(0, -1), next] }
}

/** A place that is opened anew starts at its top. */
const forget = (self: State, place: Route.Route): State => {
  const positions = new Map(self.positions)
  positions.delete(Route.id(place))
  return { ...self, positions }
}
