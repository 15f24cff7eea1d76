/**
 * Pipeline step: tracing. Records one span per call, if spans are collected: its route, waits, requests and outcome. A
 * span never contains a URL, because its query can be secret, nor headers or bodies. Of a failure it contains only the
 * tag.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constTrue, constVoid } from "effect/Function"
import * as Metric from "effect/Metric"
import * as Predicate from "effect/Predicate"
import * as Tracer from "effect/Tracer"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import { CallContext } from "./CallContext.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import * as Metrics from "./Metrics.ts"

/** Data about a call that the pipeline steps record. */
interface CallRecord {
  /** Number of requests sent. */
  sent: number
  /** Number of requests that a rate limit rejected. */
  rateLimited: number
  /** Total wait for the rate-limit budget in milliseconds. */
  waited: number
  /** Time that the forge took for the last request including retries, in milliseconds, as measured by this process. */
  latency: number
  /** Reason of the last wait. */
  reason: string | undefined
  /** Bytes received. */
  bytes: number
}

const CallRecord = Context.Reference<CallRecord | undefined>("@tongs/core/client/Trace/Record", {
  defaultValue: () => undefined
})

/** Creates the outermost step, which traces the whole call. `safe` makes server text safe for an attribute. */
export const make =
  (safe: (text: string) => string) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
    HttpClient.makeWith(
      (incoming) =>
        Effect.flatMap(incoming, (request) => traceCall(client.postprocess(Effect.succeed(request)), request, safe)),
      client.preprocess
    )

type Send<E, R> = Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>

const traceCall = <E, R>(
  send: Send<E, R>,
  request: HttpClientRequest.HttpClientRequest,
  safe: (text: string) => string
): Send<E, R> =>
  Effect.withFiber((fiber) => {
    const record: CallRecord = { sent: 0, rateLimited: 0, waited: 0, latency: 0, reason: undefined, bytes: 0 }
    const clock = fiber.getRef(Clock.Clock)
    const since = clock.currentTimeMillisUnsafe()
    const counted = Effect.onExit(Effect.provideService(send, CallRecord, record), (exit) =>
      updateMetrics(record, exit, clock.currentTimeMillisUnsafe() - since)
    )
    if (fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer) return counted
    const call = fiber.getRef(CallContext)
    return Effect.flatMap(Effect.makeSpan(call.endpoint, { kind: "client" }), (span) =>
      Effect.onExit(Effect.withParentSpan(counted, span), (exit) =>
        Effect.sync(() => {
          annotateSpan(span, request, call, record, exit, safe)
          span.end(clock.currentTimeNanosUnsafe(), spanExit(exit))
        })
      )
    )
  })

const annotateSpan = (
  span: Tracer.Span,
  request: HttpClientRequest.HttpClientRequest,
  call: CallContext,
  record: CallRecord,
  exit: Exit.Exit<HttpClientResponse.HttpClientResponse, unknown>,
  safe: (text: string) => string
) => {
  const requestId = Exit.isSuccess(exit) ? ErrorResponse.requestId(exit.value.headers) : undefined
  const response = Exit.isSuccess(exit) ? exit.value : undefined
  const attributes = {
    "http.request.method": request.method,
    "server.address": URL.canParse(request.url) ? new URL(request.url).host : undefined,
    "http.route": call.endpoint.slice(call.endpoint.indexOf(" ") + 1),
    "http.response.status_code": response?.status,
    "http.response.body.size": record.bytes,
    "http.request.resend_count": Math.max(0, record.sent - 1),
    "tongs.resource": call.resource,
    "tongs.priority": call.priority,
    "tongs.wait.milliseconds": record.waited,
    "tongs.wait.reason": record.reason,
    "tongs.refusals": record.rateLimited,
    "tongs.cache": response === undefined ? undefined : cacheOutcome(request, record, response),
    "tongs.request.id": requestId === undefined ? undefined : safe(requestId),
    "error.type": response === undefined ? failureTag(exit) : response.status >= 400 ? `${response.status}` : undefined
  }
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) span.attribute(name, value)
}

/**
 * Returns how the cache served a call. `hit`: a 304. `stale`: from the cache during its refresh. `shared`: by another
 * call's request.
 */
const cacheOutcome = (
  { method }: HttpClientRequest.HttpClientRequest,
  { sent }: CallRecord,
  { headers }: HttpClientResponse.HttpClientResponse
) => headers["x-tongs-cache"] ?? (method === "GET" ? (sent === 0 ? "shared" : "miss") : undefined)

/** Returns the exit of the span, without the messages and stacks of failures, which can quote a URL. */
const spanExit = (exit: Exit.Exit<HttpClientResponse.HttpClientResponse, unknown>): Exit.Exit<void, string> => {
  if (Exit.isSuccess(exit)) return exit.value.status >= 400 ? Exit.fail(`status ${exit.value.status}`) : Exit.void
  return Exit.hasInterrupts(exit) ? Exit.interrupt() : Exit.fail(failureTag(exit) ?? "a defect")
}

const failureTag = (exit: Exit.Exit<unknown, unknown>): string | undefined => {
  const error = Exit.findErrorOption(exit)
  if (error._tag === "None") return undefined
  const { value } = error
  if (Predicate.isTagged(value, "HttpClientError") && Predicate.hasProperty(value, "reason")) {
    return Predicate.hasProperty(value.reason, "_tag") ? String(value.reason._tag) : "HttpClientError"
  }
  return Predicate.hasProperty(value, "_tag") ? String(value._tag) : "error"
}

const updateMetrics = (
  record: CallRecord,
  exit: Exit.Exit<HttpClientResponse.HttpClientResponse, unknown>,
  milliseconds: number
): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const { context } = fiber
    const update = <A>(metric: Metric.Metric<A, unknown>, value: A) => metric.updateUnsafe(value, context)
    update(Metrics.callDuration, milliseconds)
    if (record.reason !== undefined) {
      update(Metrics.waits, 1)
      update(Metrics.waitDuration, record.waited)
    }
    if (record.rateLimited > 0) update(Metrics.rateLimitResponses, record.rateLimited)
    if (Exit.isSuccess(exit) && exit.value.headers["x-tongs-cache"] !== undefined) update(Metrics.cacheHits, 1)
    return Effect.void
  })

/**
 * The innermost step: traces one request. Sends trace headers only together with a credential, thus never to other
 * hosts.
 */
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
          const span = fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer ? undefined : fiber.cache.span
          const traced =
            span?._tag === "Span" && request.headers["authorization"] !== undefined
              ? HttpClientRequest.setHeaders(request, HttpTraceContext.toHeaders(span))
              : request
          return client.postprocess(Effect.succeed(traced)).pipe(
            // The span of the HTTP client would contain the URL.
            Effect.provideService(HttpClient.TracerDisabledWhen, constTrue),
            Effect.onExit((exit) => {
              if (record !== undefined) {
                const elapsed = clock.currentTimeMillisUnsafe() - since
                record.latency += idle === undefined ? elapsed : Math.min(elapsed, (eventLoopIdle(clock) ?? 0) - idle)
              }
              return Metrics.countRequest(request.method, Exit.isSuccess(exit) ? exit.value.status : undefined)
            })
          )
        })
      ),
    client.preprocess
  )

const systemClock = Context.get(Context.empty(), Clock.Clock)

/**
 * Returns the idle time of this process in milliseconds; undefined if the platform does not measure it, and for a test
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
    if (record !== undefined) record.bytes += bytes
    return Metric.update(Metrics.bytesReceived, bytes)
  })

/**
 * Records the waits of a request and its rate limit responses. `run` sends the request when the scheduler admits it.
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
          const isLimited = failureTag(exit) === "RateLimited"
          if (isLimited) hold()
          record.rateLimited += isLimited ? sent : Math.max(0, sent - 1)
        })
    )
  })
