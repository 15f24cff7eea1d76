/** The session: the open screens, saved when the program ends and restored when it starts again in the same place. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Route } from "../content/Route.ts"
import * as Registry from "../screens/Registry.ts"
import type { State } from "./State.ts"

/** The schema of a saved session. */
export const Session = Schema.Struct({
  routes: Schema.NonEmptyArray(Route),
  split: Schema.Finite,
  isPaneShown: Schema.Boolean,
  searches: Schema.optionalKey(Schema.Array(Route)),
  queryHistory: Schema.optionalKey(Schema.Array(Schema.String)),
  recentChoices: Schema.optionalKey(Schema.Array(Schema.String))
})

/** A saved session. */
export type Session = typeof Session.Type

/** Returns the session of a state. */
export const of = ({ isPaneShown, queryHistory, recentChoices, routes, searches, split }: State): Session => ({
  // A screen with a form has an effect, such as a download, which a restored session must not repeat.
  routes: [routes[0], ...routes.slice(1).filter(({ screen }) => Registry.find(screen)?.form === undefined)],
  split,
  isPaneShown,
  searches,
  queryHistory,
  recentChoices
})

/** Maximum and minimum share of the width of the left side of the split. */
export const MAX_SPLIT = 0.85
export const MIN_SPLIT = 0.25

/** Restores a session. Ignores its screens if one of them does not exist any more. */
export const restore = (state: State, saved: unknown): State => {
  const session = Option.getOrUndefined(Schema.decodeUnknownOption(Session)(saved))
  if (session === undefined) return state
  const { isPaneShown, queryHistory = [], recentChoices = [], routes, searches = [] } = session
  const split = Math.max(MIN_SPLIT, Math.min(MAX_SPLIT, session.split))
  const exists = routes.every(({ screen }) => Registry.find(screen) !== undefined)
  return {
    ...state,
    ...(exists ? { routes, split, isPaneShown } : {}),
    queryHistory,
    recentChoices,
    searches: searches.filter(({ screen }) => Registry.find(screen) !== undefined)
  }
}
