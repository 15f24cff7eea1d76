/** What the client counts, for whoever collects metrics: requests, waits, refusals, answers that were kept, bytes. */
import type * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

/** Requests on the wire, by `method` and `status` (`2xx`; `none` where no answer came). */
const requests = Metric.counter("tongs.client.requests", {
  description: "Requests that were sent, redirects and repetitions among them",
  incremental: true
})

export const waits = Metric.counter("tongs.client.waits", {
  description: "Calls that waited for the budget of their credential",
  incremental: true
})

/** In milliseconds. */
export const waitDuration = Metric.histogram("tongs.client.wait.duration", {
  description: "How long calls waited for budget, in milliseconds",
  boundaries: [1, 10, 100, 1_000, 10_000, 60_000, 600_000, 3_600_000]
})

export const rateLimitResponses = Metric.counter("tongs.client.refusals", {
  description: "Requests that a rate limit of the forge refused",
  incremental: true
})

export const cacheHits = Metric.counter("tongs.client.cache.hits", {
  description: "Calls that were answered from what was kept",
  incremental: true
})

export const bytesReceived = Metric.counter("tongs.client.received", {
  description: "Bytes of answers that were received",
  incremental: true
})

/** In milliseconds, waits included. */
export const callDuration = Metric.histogram("tongs.client.call.duration", {
  description: "How long calls took, in milliseconds",
  boundaries: [1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000]
})

const byOutcome = new Map<string, Metric.Counter<number>>()

/** Counts a request on the wire by its outcome; no status where no answer came. */
export const request = (method: string, status: number | undefined): Effect.Effect<void> => {
  const kind = status === undefined ? "none" : `${Math.floor(status / 100)}xx`
  const key = `${method} ${kind}`
  let counter = byOutcome.get(key)
  if (counter === undefined) byOutcome.set(key, (counter = Metric.withAttributes(requests, { method, status: kind })))
  return Metric.update(counter, 1)
}
