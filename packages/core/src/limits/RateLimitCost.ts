/** The cost of a request for limits that no header reports: points, content creation, access tokens. */
import type { CatalogEntry } from "../contract/CatalogEntry.ts"
import * as Limits from "./Limits.ts"
import type { RequestClass } from "./RequestClass.ts"

/** A limit of the sum of costs in a sliding window. */
export interface SlidingWindowLimit {
  readonly reason: "points" | "content" | "tokens" | "cpu"
  /** Maximum sum of costs. */
  readonly limit: number
  /** Length of the window in milliseconds. */
  readonly span: number
}

/** A cost that a request adds to one counter of the budget. */
export interface RateLimitCost {
  /** Name of the counter. */
  readonly meter: string
  readonly limit: SlidingWindowLimit
  readonly amount: number
}

/** Names of the counters of CPU time, to which only responses add. */
export const CPU_COUNTER = "cpu"
const GRAPHQL_CPU_COUNTER = "cpu of graphql"

/** The GraphQL endpoint, which is also the name of the counter of points. */
const GRAPHQL_ENDPOINT = "POST /graphql"

const pointsLimit: SlidingWindowLimit = { reason: "points", limit: Limits.POINTS_PER_MINUTE, span: Limits.MINUTE }

const namedLimits: ReadonlyMap<string, SlidingWindowLimit> = new Map([
  [GRAPHQL_ENDPOINT, { reason: "points", limit: Limits.GRAPHQL_POINTS_PER_MINUTE, span: Limits.MINUTE }],
  [CPU_COUNTER, { reason: "cpu", limit: Limits.CPU_PER_MINUTE, span: Limits.MINUTE }],
  [GRAPHQL_CPU_COUNTER, { reason: "cpu", limit: Limits.GRAPHQL_CPU_PER_MINUTE, span: Limits.MINUTE }],
  ["content a minute", { reason: "content", limit: Limits.CONTENT_PER_MINUTE, span: Limits.MINUTE }],
  ["content an hour", { reason: "content", limit: Limits.CONTENT_PER_HOUR, span: Limits.HOUR }],
  ["tokens", { reason: "tokens", limit: Limits.TOKENS_PER_HOUR, span: Limits.HOUR }]
])

/** Returns the limit of a counter. A counter named after an endpoint has the limit of points. */
export const limitOf = (meter: string): SlidingWindowLimit => namedLimits.get(meter) ?? pointsLimit

/** Returns the names of the counters that count the CPU time of a request. */
export const cpuCountersOf = ({ endpoint }: RequestClass): ReadonlyArray<string> =>
  endpoint === GRAPHQL_ENDPOINT ? [CPU_COUNTER, GRAPHQL_CPU_COUNTER] : [CPU_COUNTER]

/** Returns the points that a call of an operation costs. */
export const pointsOf = ({ endpoint, operation }: Pick<CatalogEntry, "endpoint" | "operation">): number =>
  operation.points ?? Limits.points(endpoint.method)

/** Returns the costs of a request. */
export const costsOf = ({
  endpoint,
  method,
  points = Limits.points(method)
}: RequestClass): ReadonlyArray<RateLimitCost> => [
  charge(endpoint, points),
  ...(Limits.issuesToken(endpoint)
    ? [charge("tokens", 1)]
    : Limits.createsContent(method) && !isQuery(endpoint, points)
      ? [charge("content a minute", 1), charge("content an hour", 1)]
      : [])
]

/**
 * Returns whether a request is a GraphQL query, which only reads although the method is POST. A mutation has the points
 * of a write.
 */
const isQuery = (endpoint: string, points: number) => endpoint === GRAPHQL_ENDPOINT && points === Limits.points("GET")

const charge = (meter: string, amount: number): RateLimitCost => ({ meter, limit: limitOf(meter), amount })
