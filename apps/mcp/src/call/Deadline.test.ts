import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Deadline from "./Deadline.ts"

describe("the time limit of a call", () => {
  it.effect("interrupts the call", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Deadline.make("45 seconds").limit(Effect.never))
      yield* TestClock.adjust("44 seconds")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.isTrue(Option.isNone(yield* Fiber.join(fiber)))
    })
  )

  it.effect("stops while the user decides, and then continues", () =>
    Effect.gen(function* () {
      const answered = yield* Deferred.make<void>()
      const deadline = Deadline.make("45 seconds")
      const call = Effect.gen(function* () {
        yield* Effect.sleep("10 seconds")
        yield* deadline.pause(Deferred.await(answered))
        return yield* Effect.never
      })
      const fiber = yield* Effect.forkChild(deadline.limit(call))
      assert.isFalse(deadline.isPaused())
      yield* TestClock.adjust("4 minutes")
      assert.isUndefined(fiber.pollUnsafe())
      assert.isTrue(deadline.isPaused())
      yield* Deferred.succeed(answered, undefined)
      yield* TestClock.adjust("0 seconds")
      assert.isFalse(deadline.isPaused())
      assert.strictEqual(deadline.end(0), 275_000)
      yield* TestClock.adjust("34 seconds")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.isTrue(Option.isNone(yield* Fiber.join(fiber)))
    })
  )
})
