/**
 * Pipeline step: admission. Sends each request when the rate-limit budget of the credential has room, and updates the
 * budget from the response.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as HttpClient from "effect/http/HttpClient"
import type { RateLimited } from "../../contract/Failure.ts"
import { DEFAULT_MAX_WAIT } from "../../limits/Limits.ts"
import type { ScheduledRequest } from "../../limits/ScheduledRequest.ts"
import type { Scheduler } from "../../limits/Scheduler.ts"
import { CallContext } from "../CallContext.ts"
import * as Trace from "../Trace.ts"
import * as WaitLog from "../WaitLog.ts"

export interface Options {
  readonly maxWait?: number | undefined
  /** Called for each long wait. Default: logs a warning. */
  readonly onWait?: ((wait: WaitLog.Wait) => void) | undefined
  /** Returns the route of the contract for a raw route. Default: unchanged. */
  readonly matchRoute?: ((route: string) => string) | undefined
}

export const make =
  (
    scheduler: Scheduler["Service"],
    scope: string,
    { matchRoute = identity, maxWait = DEFAULT_MAX_WAIT, onWait }: Options = {}
  ) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E | RateLimited, R> => {
    const log = WaitLog.make()
    return HttpClient.makeWith(
      (incoming) =>
        Effect.flatMap(incoming, (request) =>
          Effect.withFiber((fiber) => {
            const call = fiber.getRef(CallContext)
            const onLongWait: ScheduledRequest["onLongWait"] = (reason, until) => {
              const wait = { reason, until, resource: call.resource, request: call.endpoint }
              if (onWait === undefined) log(wait, fiber.context, fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())
              else onWait(wait)
            }
            return Trace.traceWait(client.postprocess(Effect.succeed(request)), (send, onWait, latency) =>
              scheduler.run(
                {
                  ...call,
                  scope,
                  endpoint: matchRoute(call.endpoint),
                  method: request.method,
                  ...(call.deadline === undefined ? { maxWait } : {}),
                  onWait,
                  onLongWait,
                  latency
                },
                send
              )
            )
          })
        ),
      client.preprocess
    )
  }
