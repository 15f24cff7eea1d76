/** What a request takes of the limits that no header tells of: points, content creation, access tokens (`spec/1 §8.3`). */
import type { Ask } from "./Budget.ts"
import * as Limits from "./Limits.ts"

/** A limit on what comes within a span of time, in milliseconds. */
export interface Rule {
  readonly reason: "points" | "content" | "tokens" | "cpu"
  readonly limit: number
  readonly span: number
}

/** So much of the sliding count with this name. */
export interface Claim {
  readonly meter: string
  readonly rule: Rule
  readonly amount: number
}

/** The sliding count of computing time, which only answers add to. */
export const CPU = "cpu"

const points: Rule = { reason: "points", limit: Limits.POINTS_PER_MINUTE, span: Limits.MINUTE }

const others: ReadonlyMap<string, Rule> = new Map([
  [CPU, { reason: "cpu", limit: Limits.CPU_PER_MINUTE, span: Limits.MINUTE }],
  ["content a minute", { reason: "content", limit: Limits.CONTENT_PER_MINUTE, span: Limits.MINUTE }],
  ["content an hour", { reason: "content", limit: Limits.CONTENT_PER_HOUR, span: Limits.HOUR }],
  ["tokens", { reason: "tokens", limit: Limits.TOKENS_PER_HOUR, span: Limits.HOUR }]
])

/** What a sliding count is limited to: all but a few count the points of one endpoint, by whose name they go. */
export const rule = (meter: string): Rule => others.get(meter) ?? points

/** All that a request takes. */
export const of = ({ endpoint, method, points = Limits.points(method) }: Ask): ReadonlyArray<Claim> => [
  claim(endpoint, points),
  ...(Limits.givesToken(endpoint)
    ? [claim("tokens", 1)]
    : Limits.createsContent(method)
      ? [claim("content a minute", 1), claim("content an hour", 1)]
      : [])
]

const claim = (meter: string, amount: number): Claim => ({ meter, rule: rule(meter), amount })
