/** An answer as the scheduler looks at it: what its headers tell of limits, and whether it is a refusal. */
import * as Effect from "effect/Effect"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import type { Demand } from "./Demand.ts"
import * as Refusal from "./Refusal.ts"
import * as Window from "./Window.ts"

export interface Reply {
  readonly response: HttpClientResponse
  /** Only where the status alone does not tell whether it is a refusal. It stays readable for others. */
  readonly body: string | undefined
}

export const read = <E, R>(send: Effect.Effect<HttpClientResponse, E, R>): Effect.Effect<Reply, E, R> =>
  Effect.flatMap(send, (response): Effect.Effect<Reply> =>
    Refusal.isCandidate(response.status)
      ? Effect.map(
          Effect.orElseSucceed(response.text, () => ""),
          (body) => ({ response, body })
        )
      : Effect.succeed({ response, body: undefined })
  )

/** What it tells of limits; `sent` and `received` by the clock that the budget goes by. */
export const observe = (
  { response: { headers, status } }: Reply,
  demand: Demand,
  sent: number,
  received: number
): Window.Observation => {
  const told = Window.observe(headers, sent, received)
  const elapsed = Math.min(received - sent, demand.latency?.() ?? Infinity)
  const observation = { ...told, elapsed }
  if (observation.window !== undefined) return observation
  // Only this answer tells of limits in its body instead, and only its absence tells that there are none.
  if (demand.endpoint.endsWith("/rate_limit")) return status === 404 ? { ...observation, silence: "none" } : observation
  return status < 400 ? { ...observation, silence: "silent" } : observation
}

export const refusal = ({ body, response }: Reply, observation: Window.Observation): Refusal.Refusal | undefined =>
  body === undefined ? undefined : Refusal.read(response.status, observation, body)
