/** The parts of a response that the scheduler uses: rate limit headers, and whether the forge rejected the request. */
import * as Effect from "effect/Effect"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as RateLimitHeaders from "./RateLimitHeaders.ts"
import * as RateLimitResponse from "./RateLimitResponse.ts"
import type { ScheduledRequest } from "./ScheduledRequest.ts"

/** A response, with its body if needed. */
export interface ScheduledResponse {
  readonly response: HttpClientResponse
  /** Present only if the status does not show whether this is a rate limit response. The body can be read again. */
  readonly body: string | undefined
}

/** Sends a request, and reads the response body if the scheduler needs it. */
export const receive = <E, R>(send: Effect.Effect<HttpClientResponse, E, R>): Effect.Effect<ScheduledResponse, E, R> =>
  Effect.flatMap(send, (response): Effect.Effect<ScheduledResponse> =>
    RateLimitResponse.isPossible(response.status)
      ? Effect.map(
          Effect.orElseSucceed(response.text, () => ""),
          (body) => ({ response, body })
        )
      : Effect.succeed({ response, body: undefined })
  )

/** Returns the rate limit information of a response. `sent` and `received` are times by the clock of the store. */
export const observe = (
  { response: { headers, status } }: ScheduledResponse,
  request: ScheduledRequest,
  sent: number,
  received: number
): RateLimitHeaders.Observation => {
  const elapsed = Math.min(received - sent, request.latency?.() ?? Infinity)
  const observation = { ...RateLimitHeaders.parse(headers, sent, received), elapsed }
  if (observation.window !== undefined) return observation
  // `GET /rate_limit` reports limits in the body, so missing headers mean nothing; only a 404 means that there are no
  // limits.
  if (request.endpoint.endsWith("/rate_limit"))
    return status === 404 ? { ...observation, silence: "none" } : observation
  return status < 400 ? { ...observation, silence: "silent" } : observation
}

/**
 * Returns the rate limit information if the response rejects a request because of a rate limit; otherwise undefined.
 */
export const rateLimit = (
  { body, response }: ScheduledResponse,
  observation: RateLimitHeaders.Observation
): RateLimitResponse.RateLimitResponse | undefined =>
  body === undefined ? undefined : RateLimitResponse.parse(response.status, observation, body)
