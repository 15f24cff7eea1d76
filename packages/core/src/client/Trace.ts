/**
 * Pipeline steps that record the waits, requests and latency of a call. The scheduler needs the latency; the rest is for
 * spans and metrics (`Telemetry`), if the client has any.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constTrue, constVoid } from "effect/Function"
import * as Predicate from "effect/Predicate"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import type { CallData, Telemetry } from "./Telemetry.ts"

/** The record of the call that the current fiber makes. */
const CallRecord = Context.Reference<ActiveCall | undefined>("@tongs/core/client/Trace/Record", {
  defaultValue: () => undefined
})

interface ActiveCall extends CallData {
  readonly telemetry: Telemetry | undefined
}

/** Creates the outermost step, which records the whole call. */
export const make =
  (telemetry: Telemetry | undefined) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
    HttpClient.makeWith(
      (incoming) =>
        Effect.flatMap(incoming, (request) =>
          traceCall(client.postprocess(Effect.succeed(request)), request, telemetry)
        ),
      client.preprocess
    )

type Send<E, R> = Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>

const traceCall = <E, R>(
  send: Send<E, R>,
  request: HttpClientRequest.HttpClientRequest,
  telemetry: Telemetry | undefined
): Send<E, R> =>
  Effect.suspend(() => {
    const data = { sent: 0, rateLimited: 0, waited: 0, latency: 0, reason: undefined, bytes: 0 }
    const record: ActiveCall = { ...data, telemetry }
    const recorded = Effect.provideService(send, CallRecord, record)
    return telemetry === undefined ? recorded : telemetry.onCall(recorded, request, record)
  })

/** The innermost step: records one request. */
export const traceRequest = <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
  HttpClient.makeWith(
    (incoming) =>
      Effect.flatMap(incoming, (request) =>
        Effect.withFiber((fiber) => {
          const record = fiber.getRef(CallRecord)
          const clock = fiber.getRef(Clock.Clock)
          const since = clock.currentTimeMillisUnsafe()
          const idle = eventLoopIdle(clock)
          if (record !== undefined) record.sent++
          const traced = record?.telemetry?.onRequest(request, fiber) ?? request
          return client.postprocess(Effect.succeed(traced)).pipe(
            // The span of the HTTP client would contain the URL.
            Effect.provideService(HttpClient.TracerDisabledWhen, constTrue),
            Effect.onExit((exit) => {
              if (record !== undefined) {
                const elapsed = clock.currentTimeMillisUnsafe() - since
                record.latency += idle === undefined ? elapsed : Math.min(elapsed, (eventLoopIdle(clock) ?? 0) - idle)
              }
              const status = Exit.isSuccess(exit) ? exit.value.status : undefined
              return record?.telemetry?.onResponse(request.method, status) ?? Effect.void
            })
          )
        })
      ),
    client.preprocess
  )

const systemClock = Context.get(Context.empty(), Clock.Clock)

/**
 * Returns the idle time of this process in milliseconds; undefined if the platform lacks this measure, and for a test
 * clock. Busy time of this process is not latency of the forge, and is most of the elapsed time in a burst of calls
 * after the start.
 */
const eventLoopIdle = (clock: Clock.Clock): number | undefined => {
  const platform: typeof performance & { readonly eventLoopUtilization?: () => { readonly idle: number } } = performance
  return clock === systemClock ? platform.eventLoopUtilization?.().idle : undefined
}

/** Records bytes received in a response. */
export const recordBytes = (bytes: number): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const record = fiber.getRef(CallRecord)
    if (record === undefined) return Effect.void
    record.bytes += bytes
    return record.telemetry?.onBytes(bytes) ?? Effect.void
  })

/**
 * Records the waits and the rate limit responses of a request. `run` sends the request after admission by the
 * scheduler.
 */
export const traceWait = <A, E, R, E2, R2>(
  send: Effect.Effect<A, E, R>,
  run: (
    send: Effect.Effect<A, E, R>,
    onWait: (reason: string) => void,
    latency: (() => number) | undefined
  ) => Effect.Effect<A, E2, R2>
): Effect.Effect<A, E2, R2> =>
  Effect.withFiber((fiber) => {
    const record = fiber.getRef(CallRecord)
    const clock = fiber.getRef(Clock.Clock)
    let since = clock.currentTimeMillisUnsafe()
    if (record === undefined) return run(send, constVoid, undefined)
    let sent = 0
    const hold = () => {
      record.waited += clock.currentTimeMillisUnsafe() - since
    }
    const release = Effect.suspend(() => {
      hold()
      sent++
      record.latency = 0
      return Effect.onExit(send, () =>
        Effect.sync(() => {
          since = clock.currentTimeMillisUnsafe()
        })
      )
    })
    const onWait = (reason: string) => {
      record.reason = reason
    }
    return Effect.onExit(
      run(release, onWait, () => record.latency),
      (exit) =>
        Effect.sync(() => {
          const isLimited = Exit.isFailure(exit) && Predicate.isTagged(Cause.squash(exit.cause), "RateLimited")
          if (isLimited) hold()
          record.rateLimited += isLimited ? sent : Math.max(0, sent - 1)
        })
    )
  })
