import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as TestClock from "effect/testing/TestClock"
import type { ScheduledRequest } from "./ScheduledRequest.ts"
import { Scheduler } from "./Scheduler.ts"

const request = HttpClientRequest.get("https://forge.test/user")

const answer = (status: number, headers: Record<string, string>, message = "") =>
  Effect.succeed(HttpClientResponse.fromWeb(request, Response.json({ message }, { status, headers })))

/** An exhausted window until `reset`, in seconds. */
const spent = (reset: number) =>
  answer(200, {
    "x-ratelimit-limit": "10",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(reset),
    "x-ratelimit-resource": "core"
  })

const scheduled = { scope: "one", resource: "core", endpoint: "GET /user", method: "GET", priority: "normal" } as const

/** Records the calls of `onLongWait`. */
const recorded = () => {
  const waits: Array<readonly [string, number | undefined]> = []
  const options: ScheduledRequest = { ...scheduled, onLongWait: (reason, until) => waits.push([reason, until]) }
  return { waits, options }
}

const test = (name: string, effect: Effect.Effect<void, unknown, Scheduler>) =>
  it.effect(name, () => Effect.provide(effect, Scheduler.layerMemory))

describe("a long wait", () => {
  test(
    "is reported once per request, at once if its end is known",
    Effect.gen(function* () {
      const { options, waits } = recorded()
      const scheduler = yield* Scheduler
      yield* scheduler.run(scheduled, spent(600))
      const fiber = yield* Effect.forkChild(scheduler.run(options, spent(1200)), { startImmediately: true })
      assert.deepStrictEqual(waits, [["primary", 600_000]])
      yield* TestClock.adjust("601 seconds")
      yield* Fiber.join(fiber)
      assert.strictEqual(waits.length, 1)
    })
  )

  test(
    "is reported after three seconds if its end is unknown, and a short one never",
    Effect.gen(function* () {
      const { options, waits } = recorded()
      const scheduler = yield* Scheduler
      const run = Effect.forEach(
        Array.from({ length: 120 }),
        () => scheduler.run(options, Effect.delay(spent(600), "10 seconds")),
        { concurrency: "unbounded" }
      )
      const fiber = yield* Effect.forkChild(run, { startImmediately: true })
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(waits, [])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual([...new Set(waits)].at(0), ["primary", undefined])
      assert.strictEqual(waits.length, 60)
      yield* Fiber.interrupt(fiber)
    })
  )
})

describe("maxWait", () => {
  test(
    "fails a request at once if its limit lifts later, and waits if it lifts before",
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      yield* scheduler.run(scheduled, spent(600))
      const error = yield* Effect.flip(scheduler.run({ ...scheduled, maxWait: 120_000 }, spent(1)))
      assert.strictEqual(error._tag, "RateLimited")
      assert.strictEqual(error.until, 600_000)
      assert.include(error.message, "longer than `maxWait` (120 s)")
      assert.include(error.message, "1970-01-01T00:10:00.000Z")
      yield* TestClock.adjust("500 seconds")
      const fiber = yield* Effect.forkChild(scheduler.run({ ...scheduled, maxWait: 120_000 }, spent(1200)), {
        startImmediately: true
      })
      yield* TestClock.adjust("101 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).status, 200)
    })
  )

  test(
    "fails waiting requests when a new pause is longer, with the message of the forge",
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const refused = answer(429, { "retry-after": "1800" }, "You have exceeded a secondary rate limit")
      const limited = { ...scheduled, maxWait: 120_000 }
      const error = yield* Effect.flip(scheduler.run(limited, refused))
      assert.match(error.message, /secondary rate limit \(the wait would be longer than `maxWait` \(120 s\)\)/)
    })
  )

  test(
    "does not fail requests that only wait their turn",
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const open = answer(200, {
        "x-ratelimit-limit": "100000",
        "x-ratelimit-remaining": "90000",
        "x-ratelimit-reset": "3600"
      })
      const all = Effect.forEach(
        Array.from({ length: 3000 }),
        () => scheduler.run({ ...scheduled, maxWait: 120_000 }, open),
        { concurrency: "unbounded", discard: true }
      )
      const fiber = yield* Effect.forkChild(all, { startImmediately: true })
      yield* TestClock.adjust("130 seconds")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("120 seconds")
      yield* Fiber.join(fiber)
    })
  )
})
