/** Counts requests towards the rate limits during the other steps. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { CountedRequest, ExceededLimit, RateLimitDecision, RateLimits } from "../access/RateLimits.ts"
import * as ApiError from "../api/ApiError.ts"
import type { Recover } from "./ErrorRecovery.ts"
import { clientAddress } from "./IncomingRequest.ts"
import type { AnsweredRequest, KnownRequest } from "./RequestStages.ts"

/** The properties of a request that the endpoint decides. */
export type EndpointCount = Omit<CountedRequest, "address" | "method">

/**
 * Runs the other steps of a request if the rate limits admit the request. Otherwise answers with an error, or with the
 * answer of `refuse`, if given.
 */
export type Admit = <R extends KnownRequest>(
  request: R,
  count: EndpointCount,
  answer: (admitted: R) => Effect.Effect<AnsweredRequest>,
  refuse?: (request: R, exceeded: ExceededLimit) => AnsweredRequest | undefined
) => Effect.Effect<AnsweredRequest>

export const make =
  (limits: RateLimits["Service"], recover: Recover): Admit =>
  (request, count, answer, refuse) => {
    if (!limits.enforced) return answer(request)
    const { method } = request.request
    // Every admitted request is settled, also after an interruption. The count of a cluster fails without its database.
    const counted = Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(limits.admit({ ...count, address: clientAddress(request.request), method }), (admission) => {
        const admitted = { ...request, admission }
        const { exceeded } = admission
        if (exceeded !== undefined) {
          const refused = refuse?.(admitted, exceeded)
          if (refused !== undefined) return Effect.succeed(refused)
          return recover(
            admitted,
            Effect.flatMap(Clock.currentTimeMillis, (now) => ApiError.rateLimited(count.resource, exceeded, now))
          )
        }
        return Effect.flatMap(
          Effect.onInterrupt(restore(Effect.suspend(() => answer(admitted))), () => admission.settle(false)),
          (answered) => settle(admission, answered)
        )
      })
    )
    return recover(request, counted)
  }

/** Ends the count of a request: at the end of the stream if the response has events, otherwise at once. */
const settle = (admission: RateLimitDecision, { request, response }: AnsweredRequest) => {
  const { body } = response
  if (body._tag !== "Stream" || request.found?.route.hasEvents !== true) {
    return Effect.as(admission.settle(response.status === 304), { request, response })
  }
  const stream = Stream.ensuring(body.stream, admission.settle(false))
  const counted = HttpServerResponse.setBody(response, HttpBody.stream(stream, body.contentType))
  return Effect.succeed({ request, response: counted })
}
