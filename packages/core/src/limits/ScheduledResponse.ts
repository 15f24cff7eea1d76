/** A response as the scheduler reads it: its rate limit headers, and whether it is a rate limit response. */
import * as Effect from "effect/Effect"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as RateLimitHeaders from "./RateLimitHeaders.ts"
import * as RateLimitResponse from "./RateLimitResponse.ts"
import type { ScheduledRequest } from "./ScheduledRequest.ts"

/** A response, with its body if the scheduler needs it. */
export interface ScheduledResponse {
  readonly response: HttpClientResponse
  /** Present only if the status does not show whether it is a rate limit response. Other readers can read it again. */
  readonly body: string | undefined
}

/** Sends, and reads the body if the scheduler needs it. */
export const receive = <E, R>(send: Effect.Effect<HttpClientResponse, E, R>): Effect.Effect<ScheduledResponse, E, R> =>
  Effect.flatMap(send, (response): Effect.Effect<ScheduledResponse> =>
    RateLimitResponse.isPossible(response.status)
      ? Effect.map(
          Effect.orElseSucceed(response.text, () => ""),
          (body) => ({ response, body })
        )
      : Effect.succeed({ response, body: undefined })
  )

/** Rate limit information of a response. `sent` and `received` are by the clock of the budget. */
export const observe = (
  { response: { headers, status } }: ScheduledResponse,
  request: ScheduledRequest,
  sent: number,
  received: number
): RateLimitHeaders.Observation => {
  const elapsed = Math.min(received - sent, request.latency?.() ?? Infinity)
  const observation = { ...RateLimitHeaders.parse(headers, sent, received), elapsed }
  if (observation.window !== undefined) return observation
  // `GET /rate_limit` reports limits in its body; only a 404 for it means that there are none.
  if (request.endpoint.endsWith("/rate_limit"))
    return status === 404 ? { ...observation, silence: "none" } : observation
  return status < 400 ? { ...observation, silence: "silent" } : observation
}

/** The rate limit response, if it is one. */
export const rateLimit = (
  { body, response }: ScheduledResponse,
  observation: RateLimitHeaders.Observation
): RateLimitResponse.RateLimitResponse | undefined =>
  body === undefined ? undefined : RateLimitResponse.parse(response.status, observation, body)
