import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as JsonEncoder from "./JsonEncoder.ts"

const text = (value: unknown) => Effect.map(JsonEncoder.encode(value), (encoded) => Buffer.from(encoded).toString())

describe("JsonEncoder.encode", () => {
  it.effect("encodes long lists as JSON.stringify does", () =>
    Effect.gen(function* () {
      const item = (index: number) => ({ index, name: 'ä"\n', missing: undefined, list: [index] })
      for (const length of [0, 1, 100, 101, 200, 3001]) {
        const list = Array.from({ length }, (_, index) => (index % 7 === 0 ? undefined : item(index)))
        for (const value of [list, { before: 1, list, after: [list], missing: undefined }, { list }]) {
          assert.strictEqual(yield* text(value), JSON.stringify(value))
        }
      }
      for (const value of [null, "text", 1, {}, [], { 'a"b': list300 }]) {
        assert.strictEqual(yield* text(value), JSON.stringify(value))
      }
    })
  )

  it.effect("yields to other fibers while it encodes a large list", () =>
    Effect.gen(function* () {
      let ticks = 0
      const others = yield* Effect.forkChild(
        Effect.forever(
          Effect.andThen(
            Effect.sync(() => void (ticks += 1)),
            Effect.yieldNow
          )
        )
      )
      yield* JsonEncoder.encode(Array.from({ length: 5000 }, () => "x".repeat(1000)))
      yield* Fiber.interrupt(others)
      assert.isAtLeast(ticks, 4)
    })
  )
})

const list300 = Array.from({ length: 300 }, (_, index) => index)
