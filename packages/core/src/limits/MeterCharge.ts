/** What a request takes of the limits that no header tells of: points, content creation, access tokens (`spec/1 §8.3`). */
import type { RequestClass } from "./RequestClass.ts"
import * as Limits from "./Limits.ts"

/** A limit on what comes within a span of time, in milliseconds. */
export interface MeterLimit {
  readonly reason: "points" | "content" | "tokens" | "cpu"
  readonly limit: number
  readonly span: number
}

/** So much of the sliding count with this name. */
export interface MeterCharge {
  readonly meter: string
  readonly limit: MeterLimit
  readonly amount: number
}

/** The sliding count of computing time, which only answers add to. */
export const CPU = "cpu"

const pointsLimit: MeterLimit = { reason: "points", limit: Limits.POINTS_PER_MINUTE, span: Limits.MINUTE }

const namedLimits: ReadonlyMap<string, MeterLimit> = new Map([
  [CPU, { reason: "cpu", limit: Limits.CPU_PER_MINUTE, span: Limits.MINUTE }],
  ["content a minute", { reason: "content", limit: Limits.CONTENT_PER_MINUTE, span: Limits.MINUTE }],
  ["content an hour", { reason: "content", limit: Limits.CONTENT_PER_HOUR, span: Limits.HOUR }],
  ["tokens", { reason: "tokens", limit: Limits.TOKENS_PER_HOUR, span: Limits.HOUR }]
])

/** What a sliding count is limited to: all but a few count the points of one endpoint, by whose name they go. */
export const limitOf = (meter: string): MeterLimit => namedLimits.get(meter) ?? pointsLimit

/** All that a request takes. */
export const chargesOf = ({
  endpoint,
  method,
  points = Limits.points(method)
}: RequestClass): ReadonlyArray<MeterCharge> => [
  charge(endpoint, points),
  ...(Limits.issuesToken(endpoint)
    ? [charge("tokens", 1)]
    : Limits.createsContent(method)
      ? [charge("content a minute", 1), charge("content an hour", 1)]
      : [])
]

const charge = (meter: string, amount: number): MeterCharge => ({ meter, limit: limitOf(meter), amount })
