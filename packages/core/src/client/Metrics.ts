/** Metrics of the client: requests, waits for the budget, rate limit responses, cache hits, bytes. */
import type * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

/** Requests by `method` and `status` (`2xx`; `none` without a response). */
const requests = Metric.counter("tongs.client.requests", {
  description: "Requests sent, including redirects and retries",
  incremental: true
})

export const waits = Metric.counter("tongs.client.waits", {
  description: "Calls that waited for the rate-limit budget of their credential",
  incremental: true
})

/** Wait for the rate-limit budget, in milliseconds. */
export const waitDuration = Metric.histogram("tongs.client.wait.duration", {
  description: "Time that calls waited for the rate-limit budget, in milliseconds",
  boundaries: [1, 10, 100, 1_000, 10_000, 60_000, 600_000, 3_600_000]
})

export const rateLimitResponses = Metric.counter("tongs.client.refusals", {
  description: "Requests rejected by a rate limit of the forge",
  incremental: true
})

export const cacheHits = Metric.counter("tongs.client.cache.hits", {
  description: "Calls answered from the cache",
  incremental: true
})

export const bytesReceived = Metric.counter("tongs.client.received", {
  description: "Bytes received in response bodies",
  incremental: true
})

/** Duration of a call in milliseconds, including waits. */
export const callDuration = Metric.histogram("tongs.client.call.duration", {
  description: "Duration of calls in milliseconds, waits included",
  boundaries: [1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000]
})

const byOutcome = new Map<string, Metric.Counter<number>>()

/** Counts a request by outcome. `status` is undefined if there was no response. */
export const countRequest = (method: string, status: number | undefined): Effect.Effect<void> => {
  const kind = status === undefined ? "none" : `${Math.floor(status / 100)}xx`
  const key = `${method} ${kind}`
  let counter = byOutcome.get(key)
  if (counter === undefined) byOutcome.set(key, (counter = Metric.withAttributes(requests, { method, status: kind })))
  return Metric.update(counter, 1)
}
