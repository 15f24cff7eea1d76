import { assert, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as ReadyEffects from "./ReadyEffects.ts"

const ready = Effect.succeed(1)
const waiting = Effect.as(Effect.yieldNow, 2)
const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runFork(effect)

it.effect("uses complete effects at once, and runs others", () =>
  Effect.gen(function* () {
    const used: Array<number> = []
    const use = (value: number) => {
      used.push(value)
      return value * 10
    }
    const [mapped, later] = [ReadyEffects.map(ready, use), ReadyEffects.map(waiting, use)]
    assert.deepStrictEqual(used, [1])
    assert.deepStrictEqual([ReadyEffects.valueOf(mapped), ReadyEffects.valueOf(later)?.value], [mapped, undefined])
    assert.deepStrictEqual([yield* mapped, yield* later], [10, 20])
  })
)

it.effect("keeps the order of items, some of which wait, and fails with the error of one", () =>
  Effect.gen(function* () {
    const each = (effects: ReadonlyArray<Effect.Effect<number, string>>) =>
      ReadyEffects.forEach(effects, (effect) => effect, { concurrency: 2 })
    assert.deepStrictEqual(yield* each([ready, ready]), [1, 1])
    assert.deepStrictEqual(yield* each([waiting, ready, waiting]), [2, 1, 2])
    assert.strictEqual(yield* Effect.flip(each([ready, Effect.fail("no")])), "no")
  })
)

it("starts no fiber for a complete effect, and returns the result of one that does not wait", () => {
  const complete = Effect.succeed(1)
  assert.strictEqual(
    ReadyEffects.start(complete, () => assert.fail()),
    complete
  )
  assert.deepStrictEqual(
    ReadyEffects.valueOf(
      ReadyEffects.start(
        Effect.sync(() => 2),
        run
      )
    )?.value,
    2
  )
})

it.effect("waits for a started effect, and interrupts it", () =>
  Effect.gen(function* () {
    const gate = yield* Deferred.make<number>()
    let interrupted = 0
    const waiting = Effect.onInterrupt(Deferred.await(gate), () => Effect.sync(() => void (interrupted += 1)))
    const dropped = yield* Effect.forkChild(ReadyEffects.start(waiting, run), { startImmediately: true })
    yield* Fiber.interrupt(dropped)
    assert.strictEqual(interrupted, 1)
    const started = ReadyEffects.start(waiting, run)
    yield* Deferred.succeed(gate, 3)
    assert.strictEqual(yield* started, 3)
  })
)

it("applies functions to complete effects at once", () => {
  const doubled = ReadyEffects.flatMap(Effect.succeed(2), (value) => Effect.succeed(2 * value))
  assert.strictEqual(ReadyEffects.valueOf(doubled)?.value, 4)
  assert.isUndefined(ReadyEffects.valueOf(ReadyEffects.flatMap(Effect.yieldNow, Effect.succeed)))
})
