import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { type ScheduledRequest } from "../limits/ScheduledRequest.ts"
import { Scheduler } from "../limits/Scheduler.ts"
import * as Pipeline from "./Pipeline.ts"
import * as Redactor from "./Redactor.ts"
import { makeMemory } from "./ResponseStore.ts"
import * as Stub from "./TransportStub.test-support.ts"

/** The pipeline with a scheduler that records the requests. */
const pipeline = Effect.fnUntraced(function* (reply: Parameters<typeof Stub.make>[0]) {
  const scheduler = yield* Scheduler
  const scheduled: Array<ScheduledRequest> = []
  const { client, sent } = Stub.make(reply)
  const made = Pipeline.make({
    matchRoute: (route) => route,
    telemetry: undefined,
    transport: client,
    scheduler: {
      ...scheduler,
      run: (demand, send) => {
        scheduled.push(demand)
        return scheduler.run(demand, send)
      }
    },
    responseStore: makeMemory(),
    scope: "scope",
    dialect: "github",
    token: Redacted.make("canary"),
    version: "2022-11-28",
    userAgent: "octo",
    timeout: undefined,
    totalTimeout: undefined,
    maxWait: undefined,
    onWait: undefined,
    maxBody: 1_000_000,
    redactor: Redactor.make(),
    lifetime: undefined
  })
  return { client: made, scheduled, sent }
})

const get = HttpClientRequest.get("https://forge.test/a")

const test = <E>(name: string, effect: Effect.Effect<void, E, Scheduler>) =>
  it.effect(name, () => Effect.provide(effect, Scheduler.layerMemory))

test(
  "sends the user agent, the media type and the version in the names of the dialect",
  Effect.gen(function* () {
    const { client, sent } = yield* pipeline(() => Stub.json({}))
    yield* client.execute(get)
    assert.deepInclude(sent[0]?.headers, {
      accept: "application/vnd.github+json",
      authorization: "Bearer canary",
      "user-agent": "octo",
      "x-github-api-version": "2022-11-28"
    })
  })
)

test(
  "coalesces requests before scheduling: shared requests take one lease",
  Effect.gen(function* () {
    const { client, scheduled, sent } = yield* pipeline(() => Effect.as(Effect.yieldNow, Stub.json({})))
    yield* Effect.all([client.execute(get), client.execute(get), client.execute(get)], { concurrency: 3 })
    assert.deepStrictEqual([scheduled.length, sent.length], [1, 1])
  })
)

test(
  "schedules conditional requests: a 304 updates the budget",
  Effect.gen(function* () {
    const { client, scheduled, sent } = yield* pipeline(({ headers }) =>
      headers["if-none-match"] === '"x"'
        ? new Response(null, { status: 304 })
        : Stub.json({ a: 1 }, { headers: { etag: '"x"' } })
    )
    yield* client.execute(get)
    assert.deepStrictEqual(yield* (yield* client.execute(get)).json, { a: 1 })
    assert.deepStrictEqual([scheduled.length, sent.length], [2, 2])
  })
)

test(
  "tries again and follows redirects under one lease, and without the token elsewhere",
  Effect.gen(function* () {
    const { client, scheduled, sent } = yield* pipeline(({ url }, count) =>
      count === 1
        ? Stub.json({}, { status: 502 })
        : url.host === "forge.test"
          ? new Response(null, { status: 302, headers: { location: "https://elsewhere.test/file" } })
          : Stub.json({ a: 1 })
    )
    yield* Stub.patiently(client.execute(get))
    assert.strictEqual(scheduled.length, 1)
    assert.deepStrictEqual(
      sent.map(({ headers, url }) => [url.href, headers["authorization"]]),
      [
        ["https://forge.test/a", "Bearer canary"],
        ["https://forge.test/a", "Bearer canary"],
        ["https://elsewhere.test/file", undefined]
      ]
    )
  })
)
