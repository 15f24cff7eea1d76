import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as TestClock from "effect/testing/TestClock"
import * as AttemptTimeout from "./AttemptTimeout.ts"
import * as Retry from "./Retry.ts"
import * as Stub from "../TransportStub.test-support.ts"

const get = HttpClientRequest.get("https://forge.test/a")

it.effect("repeats a safe method until it succeeds", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make((_, count) =>
      count === 1 ? "broken" : count === 2 ? Stub.json({}, { status: 502 }) : Stub.json({ fine: true })
    )
    const exit = yield* Stub.patiently(Effect.flatMap(Retry.make()(client).execute(get), (response) => response.json))
    assert.deepStrictEqual(exit, Exit.succeed({ fine: true }))
    assert.strictEqual(sent.length, 3)
  })
)

it.effect("gives the last 5xx with its body after the last attempt", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make((_, count) => Stub.json({ message: `no ${count}` }, { status: 503 }))
    const exit = yield* Stub.patiently(Effect.flatMap(Retry.make()(client).execute(get), (response) => response.json))
    assert.deepStrictEqual(exit, Exit.succeed({ message: "no 4" }))
    assert.strictEqual(sent.length, 1 + Retry.MAX_RETRIES)
  })
)

it.effect("fails with the last connection error after the last attempt", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(() => "broken")
    assert.isTrue(Exit.isFailure(yield* Stub.patiently(Retry.make()(client).execute(get))))
    assert.strictEqual(sent.length, 1 + Retry.MAX_RETRIES)
  })
)

it.effect("does not ask again for a host whose name does not exist", () =>
  Effect.gen(function* () {
    const cause = new TypeError("fetch failed", { cause: Object.assign(new Error("unknown"), { code: "ENOTFOUND" }) })
    const { client, sent } = Stub.make(() => cause)
    assert.isTrue(Exit.isFailure(yield* Stub.patiently(Retry.make()(client).execute(get))))
    assert.strictEqual(sent.length, 1)
  })
)

it.effect("treats a truncated body as a broken connection", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make((_, count) =>
      count === 1 ? Stub.cut({ status: 200 }) : Stub.json({ fine: true })
    )
    const exit = yield* Stub.patiently(
      Effect.flatMap(Retry.make()(AttemptTimeout.make()(client)).execute(get), (response) => response.json)
    )
    assert.deepStrictEqual(exit, Exit.succeed({ fine: true }))
    assert.strictEqual(sent.length, 2)
  })
)

it.effect("waits longer each time", () =>
  Effect.gen(function* () {
    const times: Array<number> = []
    const { client } = Stub.make(() =>
      Effect.clockWith((clock) => {
        times.push(clock.currentTimeMillisUnsafe())
        return Effect.succeed(Stub.json({}, { status: 500 }))
      })
    )
    yield* Stub.patiently(Retry.make()(client).execute(get))
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    assert.strictEqual(waits.length, 3)
    for (const [index, expected] of [250, 500, 1000].entries()) {
      assert.isAtLeast(waits[index] ?? 0, expected * 0.8)
      assert.isAtMost(waits[index] ?? 0, expected * 1.2)
    }
  })
)

for (const method of ["POST", "PATCH", "PUT", "DELETE"] as const) {
  it.effect(`never repeats ${method}`, () =>
    Effect.gen(function* () {
      const { client, sent } = Stub.make((_, count) => (count === 1 ? Stub.json({}, { status: 500 }) : "broken"))
      const request = HttpClientRequest.make(method)("https://forge.test/a")
      const response = yield* Retry.make()(client).execute(request)
      assert.strictEqual(response.status, 500)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Retry.make()(client).execute(request))))
      assert.strictEqual(sent.length, 2)
    })
  )
}

for (const status of [200, 304, 400, 403, 404, 422, 429, 501]) {
  it.effect(`gives ${status} without a retry`, () =>
    Effect.gen(function* () {
      const { client, sent } = Stub.make(() => new Response(null, { status }))
      assert.strictEqual((yield* Retry.make()(client).execute(get)).status, status)
      assert.strictEqual(sent.length, 1)
    })
  )
}

it.effect("ends after the total time, even with attempts left, and limits the last attempt to it", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(() => Effect.never)
    const options = { timeout: 25_000, totalTimeout: 60_000 }
    const send = Retry.make(options)(AttemptTimeout.make(options.timeout)(client)).execute(get)
    const fiber = yield* Effect.forkChild(Effect.exit(send))
    // In steps: the client sets the next timer after a step. One large step would pass the end of that timer.
    const seconds = (count: number) => Effect.repeat(TestClock.adjust("1 second"), { times: count - 1 })
    yield* seconds(59)
    assert.isUndefined(fiber.pollUnsafe())
    yield* seconds(2)
    assert.isTrue(Exit.isFailure(yield* Fiber.join(fiber)))
    assert.lengthOf(sent, 3)
  })
)

it.effect("reports a silent server within a minute", () =>
  Effect.gen(function* () {
    const { client } = Stub.make(() => Effect.never)
    const fiber = yield* Effect.forkChild(Effect.exit(Retry.make()(AttemptTimeout.make()(client)).execute(get)))
    yield* TestClock.adjust("1 minute")
    assert.isTrue(Exit.isFailure(yield* Fiber.join(fiber)))
  })
)
