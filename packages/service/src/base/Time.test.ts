import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Timestamp } from "@tongs/core/contract/Scalars"
import { timestamp } from "./Time.ts"

const farthest = 8_640_000_000_000_000

it.effect.prop(
  "any moment is one of the contract's, and those that it can say stay",
  [Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: -farthest, maximum: farthest })))],
  ([millis]) =>
    Effect.sync(() => {
      const text = timestamp(millis)
      assert.isTrue(Schema.is(Timestamp)(text), text)
      if (Math.abs(millis) < 60_000_000_000_000) assert.strictEqual(Date.parse(text), Math.floor(millis / 1000) * 1000)
    })
)

it("what is out of reach is the nearest that is not", () => {
  assert.strictEqual(timestamp(farthest), "9999-12-31T23:59:59Z")
  assert.strictEqual(timestamp(-farthest), "0000-01-01T00:00:00Z")
})
