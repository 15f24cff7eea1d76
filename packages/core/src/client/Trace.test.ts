import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import * as TestClock from "effect/testing/TestClock"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { Scheduler } from "../limits/Scheduler.ts"
import * as Telemetry from "./Telemetry.ts"
import * as Trace from "./Trace.ts"
import * as Stub from "./TransportStub.test-support.ts"

const get = HttpClientRequest.get("https://forge.test/a").pipe(HttpClientRequest.bearerToken("canary"))

/** A tracer that keeps its spans. */
const recording = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer }
}

const around = <E>(client: Parameters<typeof Trace.traceRequest<E, never>>[0]) =>
  Trace.make(Telemetry.make(identity))(Trace.traceRequest(client))

it.effect("sends no trace headers without a tracer", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(() => Stub.json({}))
    yield* Effect.withSpan(around(client).execute(get), "outer")
    assert.deepStrictEqual(Object.keys(sent[0]?.headers ?? {}), ["authorization"])
  })
)

it.effect("sends trace headers with a tracer, but only together with a credential", () =>
  Effect.gen(function* () {
    const { spans, tracer } = recording()
    const { client, sent } = Stub.make(() => Stub.json({}))
    yield* Effect.withTracer(around(client).execute(get), tracer)
    yield* Effect.withTracer(around(client).execute(HttpClientRequest.get("https://elsewhere.test/b")), tracer)
    assert.include(sent[0]?.headers["traceparent"] ?? "", spans[0]?.spanId ?? "none")
    assert.deepStrictEqual(sent[1]?.headers, {})
  })
)

describe("a call has one span", () => {
  const repository = { owner: "o", repo: "r" }
  const branches = "GET /repos/{owner}/{repo}/branches"

  /** The spans of a call through a client, without attributes irrelevant to these tests. */
  const traced = (
    reply: Parameters<typeof Stub.make>[0],
    use: (forge: Effect.Success<ReturnType<typeof Stub.forge>>["forge"]) => Effect.Effect<unknown, unknown>
  ) =>
    Effect.gen(function* () {
      const { spans, tracer } = recording()
      const { forge } = yield* Stub.forge(reply, { token: Redacted.make("canary") })
      const fiber = yield* Effect.forkChild(Effect.withTracer(Effect.exit(use(forge)), tracer))
      for (let second = 0; second < 90; second++) yield* TestClock.adjust("1 second")
      const exit = yield* Fiber.join(fiber)
      return { spans, exit, attributes: spans.map((span) => Object.fromEntries(span.attributes)) }
    }).pipe(Effect.provide(Scheduler.layerMemory))

  it.effect("with the route, the duration and the outcome", () =>
    Effect.gen(function* () {
      const { attributes, spans } = yield* traced(
        () => Stub.json([], { headers: { "x-request-id": "R1" } }),
        (forge) => forge.request(branches, repository, { priority: "interactive" })
      )
      assert.deepStrictEqual(
        spans.map(({ kind, name }) => [kind, name]),
        [["client", branches]]
      )
      assert.deepStrictEqual(attributes, [
        {
          "http.request.method": "GET",
          "server.address": "forge.test",
          "http.route": "/repos/{owner}/{repo}/branches",
          "http.response.status_code": 200,
          "http.response.body.size": 2,
          "http.request.resend_count": 0,
          "tongs.resource": "core",
          "tongs.priority": "interactive",
          "tongs.wait.milliseconds": 0,
          "tongs.refusals": 0,
          "tongs.cache": "miss",
          "tongs.request.id": "R1"
        }
      ])
    })
  )

  it.effect("with cache hits, shared requests, retries and rejections", () =>
    Effect.gen(function* () {
      const again = yield* traced(
        ({ headers }) =>
          headers["if-none-match"] === undefined
            ? Stub.json([], { headers: { etag: '"1"' } })
            : new Response(null, { status: 304, headers: { etag: '"1"' } }),
        (forge) => Effect.andThen(forge.request(branches, repository), forge.request(branches, repository))
      )
      assert.deepStrictEqual(
        again.attributes.map((span) => span["tongs.cache"]),
        ["miss", "hit"]
      )
      const shared = yield* traced(
        () => Effect.delay(Effect.succeed(Stub.json([])), "1 second"),
        (forge) =>
          Effect.all([forge.request(branches, repository), forge.request(branches, repository)], {
            concurrency: "unbounded"
          })
      )
      assert.sameMembers(
        shared.attributes.map((span) => span["tongs.cache"]),
        ["miss", "shared"]
      )
      const repeated = yield* traced(
        (_, count) => (count < 3 ? Stub.json({}, { status: 502 }) : Stub.json([])),
        (forge) => forge.request(branches, repository)
      )
      assert.deepInclude(repeated.attributes[0], { "http.request.resend_count": 2, "tongs.refusals": 0 })
      const refused = yield* traced(
        (_, count) =>
          count === 1
            ? Stub.json({ message: "secondary rate limit" }, { status: 429, headers: { "retry-after": "30" } })
            : Stub.json([]),
        (forge) => forge.request(branches, repository)
      )
      assert.deepInclude(refused.attributes[0], {
        "http.response.status_code": 200,
        "tongs.refusals": 1,
        "tongs.wait.reason": "pause"
      })
      assert.isAtLeast(Number(refused.attributes[0]?.["tongs.wait.milliseconds"]), 30_000)
    })
  )

  const secret = { q: "canary-query" }
  const replies: ReadonlyArray<
    readonly [name: string, kind: string | undefined, reply: Parameters<typeof Stub.make>[0]]
  > = [
    ["an error status", "404", () => Stub.json({ message: "canary-body" }, { status: 404 })],
    ["a broken connection", "TransportError", () => "broken"],
    [
      "a redirect",
      undefined,
      ({ url }) =>
        url.host === "forge.test"
          ? new Response(null, { status: 302, headers: { location: "https://files.test/?signature=canary" } })
          : Stub.json({})
    ]
  ]
  for (const [name, kind, reply] of replies) {
    it.effect(`without secrets: ${name}`, () =>
      Effect.gen(function* () {
        const { attributes, spans } = yield* traced(reply, (forge) =>
          forge.request("GET /search/{what}", { ...secret, what: "code" })
        )
        assert.strictEqual(attributes[0]?.["error.type"], kind)
        assert.notInclude(
          inspect(
            spans.map(({ attributes, events, name, status }) => ({ attributes, events, name, status })),
            { depth: 20 }
          ),
          "canary"
        )
      })
    )
  }
})

it.effect("updates the metrics", () =>
  Effect.gen(function* () {
    const { forge } = yield* Stub.forge(({ headers }, count) =>
      count === 1
        ? Stub.json({ message: "secondary rate limit" }, { status: 429, headers: { "retry-after": "30" } })
        : headers["if-none-match"] === undefined
          ? Stub.json([], { headers: { etag: '"1"' } })
          : new Response(null, { status: 304, headers: { etag: '"1"' } })
    )
    const fiber = yield* Effect.forkChild(Effect.andThen(forge.request("GET /a"), forge.request("GET /a")))
    for (let second = 0; second < 90; second++) yield* TestClock.adjust("1 second")
    yield* Fiber.join(fiber)
    const counts = (yield* Metric.snapshot).flatMap((metric) =>
      metric.type === "Counter" ? [[metric.id, metric.attributes?.["status"], Number(metric.state.count)]] : []
    )
    assert.sameDeepMembers(counts, [
      ["tongs.client.requests", "2xx", 1],
      ["tongs.client.requests", "3xx", 1],
      ["tongs.client.requests", "4xx", 1],
      ["tongs.client.waits", undefined, 1],
      ["tongs.client.refusals", undefined, 1],
      ["tongs.client.cache.hits", undefined, 1],
      ["tongs.client.received", undefined, 36]
    ])
  }).pipe(Effect.provide(Scheduler.layerMemory), Effect.provideService(Metric.MetricRegistry, new Map()))
)
