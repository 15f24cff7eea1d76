import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Readiness from "./Readiness.ts"

it.effect("names the failing checks, and runs the checks at most once a second", () =>
  Effect.gen(function* () {
    let runs = 0
    let isDown = false
    const failing = yield* Readiness.make([
      {
        name: "database",
        run: Effect.suspend(() => {
          runs += 1
          return isDown ? Effect.fail("down") : Effect.void
        })
      },
      { name: "data", run: Effect.suspend(() => (isDown ? Effect.die("broken") : Effect.void)) }
    ])
    assert.deepStrictEqual(yield* failing, [])
    isDown = true
    assert.deepStrictEqual(yield* failing, [])
    assert.strictEqual(runs, 1)
    yield* TestClock.adjust("1 second")
    assert.sameMembers([...(yield* failing)], ["database", "data"])
    isDown = false
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* failing, [])
    assert.strictEqual(runs, 3)
  })
)

it.effect("fails a check without a result", () =>
  Effect.gen(function* () {
    const failing = yield* Readiness.make([{ name: "database", run: Effect.never }])
    const fiber = yield* Effect.forkChild(failing)
    yield* TestClock.adjust("3 seconds")
    assert.deepStrictEqual(yield* Fiber.join(fiber), ["database"])
  })
)
