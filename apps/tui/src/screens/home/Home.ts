/** The home screen: everything that needs the user, in one document. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Atom from "effect/reactivity/Atom"
import { Connection } from "@tongs/connection/Connection"
import type { Failure } from "@tongs/core/contract/Failure"
import type { Route } from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as RateLimits from "../limits/RateLimits.ts"
import type { Screen } from "../Screen.ts"
import * as HomeDocument from "./HomeDocument.ts"
import * as HomeRequests from "./HomeRequests.ts"
import type { Parts } from "./HomeRequests.ts"

/** The screen of the program's first place. */
export const screen: Screen = {
  id: "home",
  label: "home",
  required: [],
  title: () => "home",
  open: (environment) => {
    const { registry } = environment
    // Kept between refreshes, so that a part stays until the new items are loaded.
    const parts = Atom.keepAlive(Atom.make(HomeRequests.initial))
    const loadedAt = Atom.keepAlive(Atom.make(0))
    const limits = RateLimits.atom(environment)
    const isEmbedded = Context.get(environment.services, Connection).kind === "embedded"
    const searches = environment.searches ?? noSearches
    const document = Atom.make((get) =>
      HomeDocument.make({ parts: get(parts), limits: get(limits), searches: get(searches), now: get(loadedAt) })
    )
    const base = Source.fromStream(environment, (forge, options) =>
      Stream.concat(
        HomeRequests.load(forge, options, isEmbedded).pipe(
          Stream.mapEffect((change) =>
            Effect.map(Clock.currentTimeMillis, (now) => {
              registry.set(loadedAt, now)
              registry.update(parts, (known) => ({ ...known, ...change }))
              return registry.get(parts)
            })
          ),
          Stream.filter(({ events, repositories }) => [events, repositories].some(isUseful)),
          Stream.map((now) => ({ content: placeholder, age: Math.max(...partsOf(now).map(({ age }) => age)) }))
        ),
        Stream.unwrap(
          Effect.sync(() => {
            const failure = failureOf(registry.get(parts))
            return failure === undefined ? Stream.succeed({ content: placeholder, age: 0 }) : Stream.fail(failure)
          })
        )
      )
    )
    const state = Atom.make((get): Source.LoadState => {
      const load = get(base.state)
      return load.content === undefined ? load : { ...load, content: get(document) }
    })
    return { ...base, state }
  }
}

const noSearches = Atom.keepAlive(Atom.make<ReadonlyArray<Route>>([]))

/** Replaced by the document of the current parts. */
const placeholder = HomeDocument.make({ parts: HomeRequests.initial, limits: undefined, searches: [], now: 0 })

const partsOf = ({ artifacts, deliveries, events, repositories, searches }: Parts) => [
  repositories,
  events,
  deliveries,
  artifacts,
  searches
]

const isUseful = ({ failures, isLoaded, items }: HomeRequests.Part<unknown>) =>
  isLoaded && (failures.length === 0 || items.length > 0)

/**
 * Returns the failure that a retry may solve: the failure of an unreachable forge, or of all parts. Other failures are
 * shown in the section of the part only, because a retry would repeat the requests of all other parts, too.
 */
const failureOf = (parts: Parts): Failure | undefined => {
  const failures = partsOf(parts).flatMap(({ failures }) => failures)
  const unreachable = failures.find(({ _tag }) => _tag === "Unreachable")
  const [first] = failures
  const isAll = parts.repositories.failures.length > 0 && parts.events.failures.length > 0
  return unreachable ?? (isAll && first?.retry !== "never" ? first : undefined)
}
