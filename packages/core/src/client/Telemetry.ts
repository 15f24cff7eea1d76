/**
 * Spans and metrics of calls. Each call has one span, if spans are collected: route, waits, requests and outcome. A
 * span never contains a URL, because the query can be secret, nor headers or bodies, and of a failure only the tag. The
 * client with promises has neither spans nor metrics, because programs cannot read them.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as Predicate from "effect/Predicate"
import * as Tracer from "effect/Tracer"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import { CallContext } from "./CallContext.ts"
import * as ErrorResponse from "./responses/ErrorResponse.ts"
import * as Metrics from "./Metrics.ts"

/** Data about a call that the pipeline steps record. */
export interface CallData {
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

type Send<E, R> = Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>

/** Receives the events of calls. */
export interface Telemetry {
  /** Wraps a call. The pipeline completes `data` during the call. */
  readonly onCall: <E, R>(send: Send<E, R>, request: HttpClientRequest.HttpClientRequest, data: CallData) => Send<E, R>
  /** Returns the request to send. */
  readonly onRequest: (
    request: HttpClientRequest.HttpClientRequest,
    fiber: Fiber.Fiber<unknown, unknown>
  ) => HttpClientRequest.HttpClientRequest
  /** Called after each request. `status` is undefined if there was no response. */
  readonly onResponse: (method: string, status: number | undefined) => Effect.Effect<void>
  readonly onBytes: (bytes: number) => Effect.Effect<void>
}

/** Creates the telemetry of a client. `safe` makes server text safe for an attribute. */
export const make = (safe: (text: string) => string): Telemetry => ({
  onCall: (send, request, data) => traceCall(send, request, data, safe),
  onRequest: withTraceHeaders,
  onResponse: Metrics.countRequest,
  onBytes: (bytes) => Metric.update(Metrics.bytesReceived, bytes)
})

const traceCall = <E, R>(
  send: Send<E, R>,
  request: HttpClientRequest.HttpClientRequest,
  record: CallData,
  safe: (text: string) => string
): Send<E, R> =>
  Effect.withFiber((fiber) => {
    const clock = fiber.getRef(Clock.Clock)
    const since = clock.currentTimeMillisUnsafe()
    const counted = Effect.onExit(send, (exit) => updateMetrics(record, exit, clock.currentTimeMillisUnsafe() - since))
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

/** Adds trace headers, but only together with a credential, thus never to other hosts. */
const withTraceHeaders: Telemetry["onRequest"] = (request, fiber) => {
  const span = fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer ? undefined : fiber.cache.span
  return span?._tag === "Span" && request.headers["authorization"] !== undefined
    ? HttpClientRequest.setHeaders(request, HttpTraceContext.toHeaders(span))
    : request
}

const annotateSpan = (
  span: Tracer.Span,
  request: HttpClientRequest.HttpClientRequest,
  call: CallContext,
  record: CallData,
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
 * Returns how the cache served a call. `hit`: a 304. `stale`: from the cache during a refresh. `shared`: by another
 * call's request.
 */
const cacheOutcome = (
  { method }: HttpClientRequest.HttpClientRequest,
  { sent }: CallData,
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
  record: CallData,
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
