import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Pace from "./Pace.ts"

/** Starts calls, and counts the running ones. */
const start = Effect.fnUntraced(function* (count: number, call: Effect.Effect<void>) {
  const pace = Pace.make()
  const counts = { running: 0, most: 0, done: 0 }
  const one = Effect.gen(function* () {
    counts.most = Math.max(counts.most, ++counts.running)
    yield* call
    counts.done += 1
  }).pipe(Effect.ensuring(Effect.sync(() => void (counts.running -= 1))))
  const fibers = yield* Effect.all(Array.from({ length: count }, () => Effect.forkChild(pace.run(one))))
  return { counts, fibers }
})

describe("the pace of calls", () => {
  it.effect("lets few quick calls run at a time, and all in the end", () =>
    Effect.gen(function* () {
      const { counts, fibers } = yield* start(200, Effect.sleep("100 millis"))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.joinAll(fibers)
      assert.deepStrictEqual(counts, { running: 0, most: 4, done: 200 })
    })
  )

  it.effect("starts others while slow calls run", () =>
    Effect.gen(function* () {
      const { counts } = yield* start(100, Effect.never)
      yield* TestClock.adjust("249 millis")
      assert.strictEqual(counts.running, 4)
      yield* TestClock.adjust("7 seconds")
      assert.strictEqual(counts.running, 100)
    })
  )

  it.effect("does not wait for interrupted calls", () =>
    Effect.gen(function* () {
      const { counts, fibers } = yield* start(10, Effect.never)
      yield* TestClock.adjust("1 millis")
      yield* Fiber.interruptAll(fibers.slice(0, 8))
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(counts.running, 2)
    })
  )
})
