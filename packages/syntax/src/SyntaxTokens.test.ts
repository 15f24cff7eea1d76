import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as SyntaxTokens from "./SyntaxTokens.ts"

describe("firstEndingAfter", () => {
  it.prop(
    "agrees with a linear search",
    [
      Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200 }))
    ],
    ([steps, position]) => {
      let end = 0
      const all = steps.map((step) => {
        const start = end + (step % 2)
        end = start + step
        return [start, end, 0]
      })
      const found = SyntaxTokens.firstEndingAfter(Uint32Array.from(all.flat()), position)
      const expected = all.findIndex(([, end = 0]) => end > position)
      assert.strictEqual(found, (expected === -1 ? all.length : expected) * SyntaxTokens.STRIDE)
    }
  )
})
