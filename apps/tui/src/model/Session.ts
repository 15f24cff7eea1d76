/** The session: the open screens, saved when the program ends and restored at the next start in the same place. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Route from "../content/Route.ts"
import * as Registry from "../screens/Registry.ts"
import { type Position, type State, start } from "./State.ts"

/** The cursor on a screen. */
const Cursor = Schema.Struct({
  /** The id of the screen's route. */
  route: Schema.String,
  cursor: Schema.Finite,
  top: Schema.Finite,
  selectedId: Schema.optionalKey(Schema.String)
})

/** The schema of a saved session. */
export const Session = Schema.Struct({
  routes: Schema.NonEmptyArray(Route.Route),
  split: Schema.Finite,
  isPaneShown: Schema.Boolean,
  isWrapped: Schema.optionalKey(Schema.Boolean),
  /** When the session ended, in epoch milliseconds. */
  endedAt: Schema.optionalKey(Schema.Finite),
  cursors: Schema.optionalKey(Schema.Array(Cursor)),
  searches: Schema.optionalKey(Schema.Array(Route.Route)),
  queryHistory: Schema.optionalKey(Schema.Array(Schema.String)),
  recentChoices: Schema.optionalKey(Schema.Array(Schema.String))
})

/** A saved session. */
export type Session = typeof Session.Type

/**
 * Milliseconds after the end of a session in which the screens are restored: the work of the same day, not of another
 * day.
 */
export const MAX_AGE = 12 * 60 * 60 * 1_000

/** Maximum number of screens to save. Lower screens of the stack are left out. */
const MAX_ROUTES = 20

/** Maximum length of the routes as JSON. A search query is the only long argument. */
const MAX_LENGTH = 10_000

/** Returns the session of a state that ends at `now`, in epoch milliseconds. */
export const of = (
  { isPaneShown, isWrapped, positions, queryHistory, recentChoices, routes: open, searches, split }: State,
  now: number
): Session => {
  // A screen with a form has an effect, such as a download, which a restored session must not repeat.
  const above = open.slice(1).filter(({ screen }) => Registry.find(screen)?.form === undefined)
  const all: Session["routes"] = [open[0], ...above.slice(1 - MAX_ROUTES)]
  const routes: Session["routes"] = JSON.stringify(all).length > MAX_LENGTH ? [open[0]] : all
  const cursors = routes.map(Route.id).flatMap((route) => {
    const position = positions.get(route)
    return position === undefined ? [] : [cursorOf(route, position)]
  })
  return { routes, split, isPaneShown, isWrapped, endedAt: now, cursors, searches, queryHistory, recentChoices }
}

const cursorOf = (route: string, { cursor, selectedId, top }: Position): typeof Cursor.Type => ({
  route,
  cursor,
  top,
  ...(selectedId === undefined ? {} : { selectedId })
})

/** Maximum and minimum share of the width of the left side of the split. */
export const MAX_SPLIT = 0.85
export const MIN_SPLIT = 0.25

/** Restores a session. Ignores screens older than `MAX_AGE`, and all screens if one screen no longer exists. */
export const restore = (state: State, saved: unknown, now: number): State => {
  const session = Option.getOrUndefined(Schema.decodeUnknownOption(Session)(saved))
  if (session === undefined) return state
  const { endedAt = 0, isPaneShown, isWrapped = false, queryHistory = [], recentChoices = [] } = session
  const { routes, searches = [] } = session
  const split = Math.max(MIN_SPLIT, Math.min(MAX_SPLIT, session.split))
  const isRecent = now - endedAt < MAX_AGE && routes.every(({ screen }) => Registry.find(screen) !== undefined)
  return {
    ...state,
    split,
    isPaneShown,
    isWrapped,
    ...(isRecent ? { routes, positions: positionsOf(session) } : {}),
    queryHistory,
    recentChoices,
    lastLook: session.endedAt,
    searches: searches.filter(({ screen }) => Registry.find(screen) !== undefined)
  }
}

const positionsOf = ({ cursors = [] }: Session): State["positions"] =>
  new Map(
    cursors.map(({ route, selectedId, ...window }) => [
      route,
      { ...start, cursor: natural(window.cursor), top: natural(window.top), selectedId }
    ])
  )

/** Returns a number of a file as an index. */
const natural = (value: number): number => Math.max(0, Math.min(Number.MAX_SAFE_INTEGER, Math.floor(value)))
