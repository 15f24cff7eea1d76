import { assert, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as SingleFlight from "./SingleFlight.ts"

const immediately = { startImmediately: true } as const

it.effect("64 callers that arrive during a run share one later run", () =>
  Effect.gen(function* () {
    const coalesce = SingleFlight.make<number, never>()
    const gate = yield* Deferred.make<void>()
    let runs = 0
    const work = Effect.suspend(() => {
      const number = ++runs
      return Effect.as(Deferred.await(gate), number)
    })
    const first = yield* Effect.forkChild(coalesce("a", work), immediately)
    const later = yield* Effect.forEach(Array.from({ length: 64 }), () =>
      Effect.forkChild(coalesce("a", work), immediately)
    )
    assert.strictEqual(runs, 1)
    yield* Deferred.succeed(gate, undefined)
    assert.strictEqual(yield* Fiber.join(first), 1)
    assert.deepStrictEqual(new Set(yield* Fiber.joinAll(later)), new Set([2]))
    assert.strictEqual(runs, 2)
    assert.strictEqual(yield* coalesce("a", work), 3)
  })
)

it.effect("keys do not wait for each other", () =>
  Effect.gen(function* () {
    const coalesce = SingleFlight.make<string, never>()
    const blocked = yield* Effect.forkChild(coalesce("a", Effect.never), immediately)
    assert.strictEqual(yield* coalesce("b", Effect.succeed("other")), "other")
    yield* Fiber.interrupt(blocked)
  })
)

it.effect("a failed run does not fail the next", () =>
  Effect.gen(function* () {
    const coalesce = SingleFlight.make<string, string>()
    const gate = yield* Deferred.make<void>()
    const failing = Effect.andThen(Deferred.await(gate), Effect.fail("no"))
    const first = yield* Effect.forkChild(coalesce("a", failing), immediately)
    const next = yield* Effect.forkChild(coalesce("a", Effect.succeed("yes")), immediately)
    yield* Deferred.succeed(gate, undefined)
    assert.strictEqual(yield* Effect.flip(Fiber.join(first)), "no")
    assert.strictEqual(yield* Fiber.join(next), "yes")
  })
)

it.effect("a run goes on while one of its callers is left, and is interrupted after the last", () =>
  Effect.gen(function* () {
    const coalesce = SingleFlight.make<string, never>()
    const gate = yield* Deferred.make<void>()
    let interrupted = 0
    const work = Effect.onInterrupt(Effect.as(Deferred.await(gate), "done"), () =>
      Effect.sync(() => void (interrupted += 1))
    )
    const current = yield* Effect.forkChild(coalesce("a", work), immediately)
    const [pending, other] = yield* Effect.all([
      Effect.forkChild(coalesce("a", work), immediately),
      Effect.forkChild(coalesce("a", work), immediately)
    ])
    yield* Fiber.interrupt(current)
    assert.strictEqual(interrupted, 1)
    yield* Fiber.interrupt(pending)
    assert.strictEqual(interrupted, 1)
    yield* Deferred.succeed(gate, undefined)
    assert.strictEqual(yield* Fiber.join(other), "done")
    assert.strictEqual(yield* coalesce("a", Effect.succeed("again")), "again")
  })
)

it.effect("calls a function at once only if nothing is in progress", () =>
  Effect.gen(function* () {
    const coalesce = SingleFlight.make<string, never>()
    const calls: Array<string> = []
    const work = (name: string, effect: Effect.Effect<string>) => () => {
      calls.push(name)
      return effect
    }
    const complete = Effect.succeed("complete")
    assert.strictEqual(
      coalesce("a", () => complete),
      complete
    )
    const gate = yield* Deferred.make<string>()
    const first = yield* Effect.forkChild(coalesce("a", work("first", Deferred.await(gate))), immediately)
    const later = yield* Effect.forkChild(coalesce("a", work("later", complete)), immediately)
    assert.deepStrictEqual(calls, ["first"])
    yield* Deferred.succeed(gate, "waited")
    assert.strictEqual(yield* Fiber.join(first), "waited")
    assert.strictEqual(yield* Fiber.join(later), "complete")
    assert.deepStrictEqual(calls, ["first", "later"])
  })
)
