import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Cancellation from "./Cancellation.ts"

/** A signal that counts its listeners. */
const counting = () => {
  const controller = new AbortController()
  const { signal } = controller
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  const counts = { now: 0, most: 0 }
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    counts.most = Math.max(counts.most, ++counts.now)
    add(...args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    counts.now--
    remove(...args)
  }
  return { controller, signal, counts }
}

it.effect("adds one listener for all calls with a signal, and removes it after the last", () =>
  Effect.gen(function* () {
    const { counts, signal } = counting()
    const fibers = yield* Effect.forEach(Array.from({ length: 100 }), () => Effect.forkChild(Effect.never))
    for (const fiber of fibers) Cancellation.interruptOnAbort(signal, fiber)
    assert.deepStrictEqual(counts, { now: 1, most: 1 })
    yield* Fiber.interruptAll(fibers.slice(1))
    assert.strictEqual(counts.now, 1)
    yield* Fiber.interruptAll(fibers)
    assert.deepStrictEqual(counts, { now: 0, most: 1 })
  })
)

it.effect("interrupts all calls with the signal, also later ones", () =>
  Effect.gen(function* () {
    const { controller, signal } = counting()
    const fibers = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(Effect.never))
    for (const fiber of fibers.slice(1)) Cancellation.interruptOnAbort(signal, fiber)
    controller.abort()
    for (const fiber of fibers.slice(0, 1)) Cancellation.interruptOnAbort(signal, fiber)
    for (const fiber of fibers) yield* Fiber.await(fiber)
  })
)
