/** Where the person is and what they see of it. Pure: every function gives the next state. */
import * as ListWindow from "./ListWindow.ts"
import * as Place from "./Place.ts"
import type { Prompt } from "./Prompt.ts"

/** What is remembered of a place while it is on the way. */
export interface Position extends ListWindow.ListWindow {
  /** Columns of a text that are out of sight on the left. */
  readonly left: number
  readonly filter: string
  /** Words that one looks for in a text, and the line with them that one is at. */
  readonly find: string
  readonly found: number
}

export interface State {
  /** The way here, the first place first. */
  readonly way: readonly [Place.Place, ...ReadonlyArray<Place.Place>]
  /** By the id of the place. */
  readonly positions: ReadonlyMap<string, Position>
  readonly prompt: Prompt | undefined
  /** The first line of the help that is on the screen, where the help is. */
  readonly help: number | undefined
  /** What was just done, until the next key. */
  readonly said: string | undefined
  readonly columns: number
  readonly rows: number
}

const start: Position = { ...ListWindow.start, left: 0, filter: "", find: "", found: -1 }

/** Begins in a repository, with the list one step back; or in the list. */
export const make = (here: Place.Revision | undefined): State => ({
  way:
    here === undefined
      ? [{ _tag: "Repositories" }]
      : [{ _tag: "Repositories" }, { _tag: "Repository", owner: here.owner, repo: here.repo, tab: "log" }],
  positions: new Map(),
  prompt: undefined,
  help: undefined,
  said: undefined,
  columns: 80,
  rows: 24
})

export const place = (self: State): Place.Place => self.way.at(-1) ?? self.way[0]

/** The position here; none where the person has not moved yet. */
export const known = (self: State): Position | undefined => self.positions.get(Place.id(place(self)))

export const position = (self: State): Position => known(self) ?? start

export const moved = (self: State, position: Position): State => ({
  ...self,
  positions: new Map(self.positions).set(Place.id(place(self)), position)
})

export const opened = (self: State, to: Place.Place): State => forget({ ...self, way: [...self.way, to] }, to)

/** One step back; the first place is never left. */
export const back = (self: State): State => {
  const [first, ...rest] = self.way
  return { ...self, way: [first, ...rest.slice(0, -1)] }
}

/** The same repository on another tab. */
export const onTab = (self: State, tab: (now: Place.Tab) => Place.Tab): State => {
  const here = place(self)
  if (here._tag !== "Repository") return self
  const [first, ...rest] = self.way
  const next: Place.Place = { ...here, tab: tab(here.tab) }
  return rest.length === 0 ? { ...self, way: [next] } : { ...self, way: [first, ...rest.slice(0, -1), next] }
}

/** A place that is opened anew starts at its top. */
const forget = (self: State, place: Place.Place): State => {
  const positions = new Map(self.positions)
  positions.delete(Place.id(place))
  return { ...self, positions }
}
