/**
 * Pipeline step: admission. Sends each request when the rate-limit budget of its credential has room, and updates the
 * budget from the response.
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type { RateLimited } from "../contract/Failure.ts"
import { DEFAULT_MAX_WAIT } from "../limits/Limits.ts"
import type { Scheduler } from "../limits/Scheduler.ts"
import { CallContext } from "./CallContext.ts"
import * as RouteMatcher from "./RouteMatcher.ts"
import * as Trace from "./Trace.ts"

export const make =
  (scheduler: Scheduler["Service"], scope: string, maxWait = DEFAULT_MAX_WAIT) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E | RateLimited, R> =>
    HttpClient.makeWith(
      (incoming) =>
        Effect.flatMap(incoming, (request) =>
          Effect.flatMap(CallContext, (call) =>
            Trace.traceWait(client.postprocess(Effect.succeed(request)), (send, onWait, latency, now) =>
              scheduler.run(
                {
                  ...call,
                  scope,
                  endpoint: RouteMatcher.match(call.endpoint),
                  method: request.method,
                  deadline: call.deadline ?? now + maxWait,
                  onWait,
                  latency
                },
                send
              )
            )
          )
        ),
      client.preprocess
    )
