/** An answer as the scheduler looks at it: what its headers tell of limits, and whether it is a refusal. */
import * as Effect from "effect/Effect"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as RateLimitResponse from "./RateLimitResponse.ts"
import * as RateLimitWindow from "./RateLimitWindow.ts"
import type { ScheduledRequest } from "./ScheduledRequest.ts"

export interface ScheduledResponse {
  readonly response: HttpClientResponse
  /** Only where the status alone does not tell whether it is a refusal. It stays readable for others. */
  readonly body: string | undefined
}

export const receive = <E, R>(send: Effect.Effect<HttpClientResponse, E, R>): Effect.Effect<ScheduledResponse, E, R> =>
  Effect.flatMap(send, (response): Effect.Effect<ScheduledResponse> =>
    RateLimitResponse.isPossible(response.status)
      ? Effect.map(
          Effect.orElseSucceed(response.text, () => ""),
          (body) => ({ response, body })
        )
      : Effect.succeed({ response, body: undefined })
  )

/** What it tells of limits; `sent` and `received` by the clock that the budget goes by. */
export const observe = (
  { response: { headers, status } }: ScheduledResponse,
  request: ScheduledRequest,
  sent: number,
  received: number
): RateLimitWindow.Observation => {
  const told = RateLimitWindow.observe(headers, sent, received)
  const elapsed = Math.min(received - sent, request.latency?.() ?? Infinity)
  const observation = { ...told, elapsed }
  if (observation.window !== undefined) return observation
  // Only this answer tells of limits in its body instead, and only its absence tells that there are none.
  if (request.endpoint.endsWith("/rate_limit"))
    return status === 404 ? { ...observation, silence: "none" } : observation
  return status < 400 ? { ...observation, silence: "silent" } : observation
}

export const rateLimit = (
  { body, response }: ScheduledResponse,
  observation: RateLimitWindow.Observation
): RateLimitResponse.RateLimitResponse | undefined =>
  body === undefined ? undefined : RateLimitResponse.parse(response.status, observation, body)
