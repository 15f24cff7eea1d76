/** Saves code searches for the home screen: on an embedded forge, which other programs read, or in the session. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type * as Route from "../content/Route.ts"
import type { Services } from "../content/Source.ts"
import * as Search from "../screens/search/Search.ts"
import * as FailureMessage from "./FailureMessage.ts"
import type { ModelContext } from "./ModelContext.ts"
import * as State from "./State.ts"

export interface SearchSaving {
  /** Saves the search of a screen, or removes a saved search. */
  readonly toggle: (search: Route.Route) => void
}

export interface Dependencies extends ModelContext {
  readonly services: Services
  /** True if searches are saved on the forge: on an embedded forge, unless the program only reads. */
  readonly savesOnForge: boolean
  /** Loads the home screen again if it was open. */
  readonly refreshHome: () => void
}

export const make = ({ refreshHome, savesOnForge, services, showMessage, update }: Dependencies): SearchSaving => ({
  toggle: (search) => {
    const inSession = Effect.sync(() => update((now) => State.toggleSearch(now, search)))
    const onForge = toggleOnForge(Search.queryOf(search.arguments)).pipe(
      Effect.map((text) => {
        showMessage(text)
        refreshHome()
      }),
      Effect.catchTag("Unsupported", () => inSession),
      Effect.catch((failure) => Effect.sync(() => showMessage(FailureMessage.of(failure).title, true)))
    )
    Effect.runForkWith(services)(savesOnForge ? onForge : inSession)
  }
})

/** Maximum number of characters of a name. */
const MAX_NAME = 100

/** Maximum number of saved searches of a user. */
const MAX_SEARCHES = 100

/** Returns the message. */
const toggleOnForge = Effect.fnUntraced(function* (query: string) {
  const { savedSearches } = yield* Forge
  const options = { priority: "interactive" } as const // a literal type
  const { items } = yield* savedSearches.list({}, { ...options, perPage: MAX_SEARCHES }).first
  const known = items.find((saved) => saved.query === query)
  if (known === undefined) yield* savedSearches.create({ name: query.slice(0, MAX_NAME), query }, options)
  else yield* savedSearches.delete({ search_id: known.id }, options)
  return known === undefined ? State.SEARCH_SAVED : State.SEARCH_REMOVED
})
