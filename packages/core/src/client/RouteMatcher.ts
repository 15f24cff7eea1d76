/** Finds the contract's endpoint for a raw route, because a forge counts points by endpoint. */
import type { EndpointDescription } from "./EndpointDescription.ts"

/** The route of an endpoint of the contract. */
export interface Route extends Pick<EndpointDescription, "method" | "path" | "rest"> {
  /** The path in the dialect `github`, if different. */
  readonly githubPath?: string
}

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

/**
 * Creates a function that returns a route in the form of the contract, for example `GET /repos/:owner/:repo`. The
 * function returns a route that the contract lacks unchanged.
 */
export const make = (routes: () => ReadonlyArray<Route>): ((route: string) => string) => {
  const cache = new Map<string, string>()
  let patterns: ReadonlyArray<RoutePattern> | undefined
  return (route) => {
    if (route.includes("/:")) return route
    const cached = cache.get(route)
    if (cached !== undefined) return cached
    patterns ??= routes().flatMap(patternsOf)
    const matched = findRoute(patterns, route)
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(route, matched)
    return matched
  }
}

const findRoute = (patterns: ReadonlyArray<RoutePattern>, route: string): string => {
  const segments = route.split("/")
  const first = patterns
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

const patternsOf = ({ githubPath, method, path, rest }: Route): ReadonlyArray<RoutePattern> =>
  (githubPath === undefined ? [path] : [path, githubPath]).map((own) => {
    const segments = `${method} ${own}`.split("/")
    return {
      route: `${method} ${path}`,
      segments,
      allowsMoreSegments: rest !== undefined,
      literals: segments.filter((segment) => !segment.startsWith(":")).length
    }
  })
