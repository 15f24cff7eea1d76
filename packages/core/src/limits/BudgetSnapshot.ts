/** Encodes budgets as text for shared stores: compact JSON, validated when decoded. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Budget, type LeaseHolder, empty } from "./Budget.ts"
import * as Limits from "./Limits.ts"
import * as RateLimitCost from "./RateLimitCost.ts"
import { resetAt } from "./RateLimitWindow.ts"
import * as SlidingWindowCounter from "./SlidingWindowCounter.ts"

const entriesOf = <S extends Schema.Top>(schema: S) => Schema.Array(Schema.Tuple([Schema.String, schema]))

const Pause = Schema.Struct({
  until: Schema.Finite,
  limit: Schema.Literals(["primary", "secondary"]),
  length: Schema.Finite,
  probing: Schema.optionalKey(Schema.String)
})

/** The JSON of a budget. Undefined members of a budget are absent. */
const Snapshot = Schema.Struct({
  resources: entriesOf(
    Schema.Struct({
      window: Schema.optionalKey(
        Schema.Struct({
          limit: Schema.Finite,
          used: Schema.Finite,
          remaining: Schema.Finite,
          reset: Schema.Finite
        })
      ),
      countedBy: Schema.optionalKey(Schema.String),
      lost: Schema.optionalKey(Schema.Struct({ count: Schema.Finite, at: Schema.Finite }))
    })
  ),
  meters: entriesOf(Schema.Array(Schema.Finite)),
  holders: entriesOf(Schema.Struct({ since: Schema.Finite, until: Schema.Finite, inFlight: entriesOf(Schema.Finite) })),
  computing: Schema.Struct({ typical: Schema.Finite, roundTrip: Schema.optionalKey(Schema.Finite) }),
  skew: Schema.optionalKey(Schema.Struct({ low: Schema.Finite, high: Schema.Finite })),
  limits: Schema.Literals(["unknown", "stated", "silent", "none"]),
  pause: Schema.optionalKey(Pause),
  lifted: Schema.optionalKey(Pause),
  epoch: Schema.Finite
})

const decodeSnapshot = Schema.decodeUnknownOption(Schema.fromJsonString(Snapshot))

/** Encodes a budget without the counters that are empty at the time `now`. */
export const encode = (budget: Budget, now: number): string => {
  const holders = [...budget.holders].map(([name, holder]) => [name, { ...holder, inFlight: [...holder.inFlight] }])
  const meters = [...budget.meters].filter(
    ([name, meter]) => SlidingWindowCounter.used(meter, RateLimitCost.limitOf(name).span, now) > 0
  )
  return JSON.stringify({ ...budget, resources: [...budget.resources], meters, holders })
}

/**
 * Decodes a budget. Returns undefined for an invalid text. Drops times beyond the longest documented window, which an
 * older version or another program may have written, and which would block requests indefinitely.
 */
export const decode = (text: string, now: number): Budget | undefined => {
  const snapshot = text.length > MAX_LENGTH ? undefined : Option.getOrUndefined(decodeSnapshot(text))
  if (snapshot === undefined) return undefined
  const { computing, holders, meters, pause, lifted, resources, skew } = snapshot
  const isCredible = (time: number) => time <= now + Limits.MAX_WAIT + CLOCK_TOLERANCE
  const credible = (pause: typeof Pause.Type | undefined): Budget["pause"] =>
    pause === undefined || !isCredible(pause.until) || pause.length > Limits.MAX_WAIT
      ? undefined
      : { probing: undefined, ...pause }
  return {
    ...empty,
    epoch: snapshot.epoch,
    limits: snapshot.limits,
    skew,
    computing: { typical: Math.min(computing.typical, Limits.MINUTE), roundTrip: computing.roundTrip },
    pause: credible(pause),
    lifted: credible(lifted),
    meters: new Map(meters.slice(-Limits.MAX_COUNTERS)),
    resources: new Map(
      resources.slice(-Limits.MAX_RESOURCES).map(([name, { countedBy, lost, window }]) => {
        const isWindow = window !== undefined && isCredible(resetAt(window, skew))
        return [name, { window: isWindow ? window : undefined, countedBy, lost }] as const // a pair
      })
    ),
    holders: new Map(
      holders.map(([name, holder]): [string, LeaseHolder] => {
        const until = Math.min(holder.until, now + Limits.HOLDER_TTL + CLOCK_TOLERANCE)
        return [name, { ...holder, until, inFlight: new Map(holder.inFlight) }]
      })
    )
  }
}

/** Maximum length of an encoded budget in characters. A full budget has about 100,000. */
const MAX_LENGTH = 1_000_000

/** Maximum difference between the clocks of processes that share a store, in milliseconds. */
const CLOCK_TOLERANCE = 60_000
