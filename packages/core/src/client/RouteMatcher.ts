/** Finds the contract's endpoint for a raw route, because a forge counts points by endpoint. */
import { type Dialect, pathOf } from "../contract/Dialect.ts"
import { groups, entriesOfGroup } from "../contract/CatalogEntry.ts"

/** A path of an endpoint in one dialect. */
interface RoutePattern {
  readonly route: string
  /** The method, then the path segments. */
  readonly segments: ReadonlyArray<string>
  /** True if the last parameter may contain slashes. */
  readonly allowsMoreSegments: boolean
  /** Number of segments that are not parameters. Of several matching patterns, the one with the most wins. */
  readonly literals: number
}

/** Maximum number of cached routes. A full cache is cleared. */
const MAX_CACHED = 1_000

const cache = new Map<string, string>()
let table: ReadonlyArray<RoutePattern> | undefined

/**
 * Returns the route in the form of the contract, for example `GET /repos/:owner/:repo`. Unchanged if the contract lacks
 * it.
 */
export const match = (route: string): string => {
  if (route.includes("/:")) return route
  const cached = cache.get(route)
  if (cached !== undefined) return cached
  const matched = findRoute(route)
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(route, matched)
  return matched
}

const findRoute = (route: string): string => {
  const segments = route.split("/")
  const first = (table ??= buildPatterns())
    .filter((known) => matches(known, segments))
    .reduce<RoutePattern | undefined>(
      (best, known) => (best === undefined || known.literals > best.literals ? known : best),
      undefined
    )
  return first?.route ?? route
}

const matches = ({ allowsMoreSegments, segments }: RoutePattern, segmentsOfRoute: ReadonlyArray<string>) =>
  (allowsMoreSegments ? segmentsOfRoute.length >= segments.length : segmentsOfRoute.length === segments.length) &&
  segments.every((segment, index) => segment.startsWith(":") || segment === segmentsOfRoute[index])

const buildPatterns = () =>
  groups.flatMap(entriesOfGroup).flatMap((entry) => {
    const { endpoint, operation } = entry
    const paths = new Set(dialects.map((dialect) => pathOf(dialect, entry)))
    return [...paths].map((path) => {
      const segments = `${endpoint.method} ${path}`.split("/")
      return {
        route: `${endpoint.method} ${endpoint.path}`,
        segments,
        allowsMoreSegments: operation.rest !== false,
        literals: segments.filter((segment) => !segment.startsWith(":")).length
      }
    })
  })

const dialects: ReadonlyArray<Dialect> = ["service", "github"]
