import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as EventLoopTick from "./EventLoopTick.ts"

it("shares a read within a tick only", () => {
  let looks = 0
  const look = EventLoopTick.oncePerTick(() => ++looks)
  const one = { loop: 1, events: 1 }
  const two = { loop: 1, events: 2 }
  assert.deepStrictEqual([look(one), look(one), look(two), look(two)], [1, 1, 2, 2])
  assert.deepStrictEqual([look(undefined), look(undefined)], [3, 4])
  assert.strictEqual(look(two), 5)
})

const nextImmediate = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

it.live("a turn is the same until the event loop waits again", () =>
  Effect.gen(function* () {
    const before = EventLoopTick.current()
    assert.strictEqual(EventLoopTick.current(), before)
    yield* nextImmediate
    yield* nextImmediate
    assert.notStrictEqual(EventLoopTick.current(), before)
  })
)
