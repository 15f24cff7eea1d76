/** Which endpoint a raw route is: a forge counts points by endpoint, however a client spells its path. */
import { type Dialect, pathOf } from "../contract/Dialect.ts"
import { groups, ofGroup } from "../contract/Entry.ts"

interface RoutePattern {
  readonly route: string
  /** The first is the method. */
  readonly segments: ReadonlyArray<string>
  /** Whether its last parameter may hold slashes. */
  readonly allowsMoreSegments: boolean
  /** Segments that are no parameters: of two routes that match, the one with more of them is meant. */
  readonly literals: number
}

/** Raw routes that are remembered; with more, all are looked up anew. */
const MAX_CACHED = 1_000

const cache = new Map<string, string>()
let table: ReadonlyArray<RoutePattern> | undefined

/** The route as the contract has it, as `GET /repos/:owner/:repo`; a route that it lacks as it is. */
export const match = (route: string): string => {
  if (route.includes("/:")) return route
  const before = cache.get(route)
  if (before !== undefined) return before
  const found = findRoute(route)
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(route, found)
  return found
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

const matches = ({ allowsMoreSegments, segments }: RoutePattern, asked: ReadonlyArray<string>) =>
  (allowsMoreSegments ? asked.length >= segments.length : asked.length === segments.length) &&
  segments.every((segment, index) => segment.startsWith(":") || segment === asked[index])

const buildPatterns = () =>
  groups.flatMap(ofGroup).flatMap((entry) => {
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
