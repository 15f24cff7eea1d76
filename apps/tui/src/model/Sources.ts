/** The sources of the open and recent screens. */
import * as Route from "../content/Route.ts"
import type { Environment, Source } from "../content/Source.ts"
import * as Registry from "../screens/Registry.ts"

/** Maximum number of sources to keep. Older sources are loaded again, which the client's cache makes fast. */
const MAX_SOURCES = 40

/** The sources of screens by route. */
export interface Sources {
  /** Returns the source of a screen. Creates a missing source. */
  readonly of: (route: Route.Route) => Source | undefined
  /** Returns the source of a screen; undefined without a source. */
  readonly existing: (route: Route.Route) => Source | undefined
  readonly dispose: () => void
}

/** Creates an empty set of sources. */
export const make = (environment: Environment): Sources => {
  const sources = new Map<string, Source>()
  return {
    of: (route) => {
      const id = Route.id(route)
      const known = sources.get(id)
      if (known !== undefined) {
        // The most recently used source comes last.
        sources.delete(id)
        sources.set(id, known)
        return known
      }
      const made = Registry.find(route.screen)?.open(environment, route.arguments)
      if (made === undefined) return undefined
      sources.set(id, made)
      for (const [oldest, source] of sources) {
        if (sources.size <= MAX_SOURCES) break
        source.dispose()
        sources.delete(oldest)
      }
      return made
    },
    existing: (route) => sources.get(Route.id(route)),
    dispose: () => {
      for (const source of sources.values()) source.dispose()
      sources.clear()
    }
  }
}
