import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as KeyedSemaphore from "./KeyedSemaphore.ts"

it.effect("limits each key separately, and releases permits with the scope", () =>
  Effect.gen(function* () {
    const permits = KeyedSemaphore.make(1)
    const log: Array<string> = []
    const holder = yield* Effect.forkChild(Effect.scoped(Effect.andThen(permits.take("a"), Effect.never)))
    yield* Effect.yieldNow
    const enter = (key: string) => permits.withPermit(key)(Effect.sync(() => log.push(key)))
    const waiting = yield* Effect.forkChild(enter("a"))
    const interrupted = yield* Effect.forkChild(Effect.scoped(permits.take("a")))
    yield* enter("b")
    yield* Fiber.interrupt(interrupted)
    assert.deepStrictEqual(log, ["b"])
    yield* Fiber.interrupt(holder)
    yield* Fiber.join(waiting)
    assert.deepStrictEqual(log, ["b", "a"])
  })
)
