/** The result of one round of a candidate. */
import * as Schema from "effect/Schema"
import { median, quantile } from "./Statistics.ts"

/** Operations per second, and quantiles of the duration of an operation in milliseconds. */
export const LatencySample = Schema.Struct({ perSecond: Schema.Finite, p50: Schema.Finite, p99: Schema.Finite })
export type LatencySample = typeof LatencySample.Type

/** Computes a sample from the durations of the operations and of the whole round (milliseconds). */
export const make = (durations: ReadonlyArray<number>, elapsed: number): LatencySample => ({
  perSecond: (durations.length / elapsed) * 1000,
  p50: median(durations),
  p99: quantile(durations, 0.99)
})

/** The median of each figure over the rounds. */
export const medianOf = (samples: ReadonlyArray<LatencySample>): LatencySample => ({
  perSecond: median(samples.map(({ perSecond }) => perSecond)),
  p50: median(samples.map(({ p50 }) => p50)),
  p99: median(samples.map(({ p99 }) => p99))
})
