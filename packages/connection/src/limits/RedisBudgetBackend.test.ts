import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redis from "effect/persistence/Redis"
import * as TestClock from "effect/testing/TestClock"
import * as RedisBudgetBackend from "./RedisBudgetBackend.ts"

/** A Redis that only answers `TIME`, with a clock offset and a latency. */
const make = Effect.fnUntraced(function* () {
  const state = { ahead: 0, way: 0 }
  const unused = Effect.die(new Error("not used"))
  const redis = yield* Redis.make({
    send: <A>() =>
      Effect.gen(function* () {
        yield* Effect.sleep(state.way)
        const time = (yield* Clock.currentTimeMillis) + state.ahead
        yield* Effect.sleep(state.way)
        return [String(Math.floor(time / 1000)), String((time % 1000) * 1000)] as A // oxlint-disable-line typescript/no-unsafe-type-assertion -- every command gets the time as its reply
      }),
    subscribe: () => unused,
    connect: unused
  })
  return { state, redis }
})

/** Runs an effect to completion by advancing the clock. */
const passing = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust("1 second")
    return yield* Fiber.join(fiber)
  })

it.effect("uses the server's clock and detects when a clock is set", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(1_800_000_000_000)
    const { redis, state } = yield* make()
    Object.assign(state, { ahead: 5000, way: 20 })
    const documents = yield* passing(Effect.provideService(RedisBudgetBackend.make("redis"), Redis.Redis, redis))
    assert.strictEqual(documents.clockOffset(), 5000)
    const announce = passing(documents.putHolder("scope", { holder: "h", body: "{}", until: 1_800_000_010_000 }))

    // The change is within the uncertainty of a slow response.
    Object.assign(state, { ahead: 5050, way: 100 })
    yield* announce
    assert.strictEqual(documents.clockOffset(), 5000)

    // One of the clocks was set.
    Object.assign(state, { ahead: -60_000, way: 20 })
    yield* announce
    assert.strictEqual(documents.clockOffset(), -59_980)
  })
)
