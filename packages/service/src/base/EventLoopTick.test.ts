import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as EventLoopTick from "./EventLoopTick.ts"

it("shares a read within a tick only", () => {
  let looks = 0
  const look = EventLoopTick.oncePerTick(() => ++looks)
  const one = { loop: 1, events: 1 }
  const two = { loop: 1, events: 2 }
  const lookIn = (tick: EventLoopTick.EventLoopTick | undefined) => EventLoopTick.share(tick, look)
  assert.deepStrictEqual([lookIn(one), lookIn(one), lookIn(two), lookIn(two)], [1, 1, 2, 2])
  assert.deepStrictEqual([lookIn(undefined), look()], [3, 4])
  assert.strictEqual(lookIn(two), 5)
})

it("does not share a read with work that continues later, or after an error", () => {
  let looks = 0
  const look = EventLoopTick.oncePerTick(() => ++looks)
  const tick = { loop: 1, events: 1 }
  assert.throws(() =>
    EventLoopTick.share(tick, () => {
      look()
      throw new Error("failed")
    })
  )
  assert.deepStrictEqual([look(), look()], [2, 3])
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
