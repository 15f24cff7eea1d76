import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Timestamp } from "@tongs/core/contract/Scalars"
import { timestamp } from "./Time.ts"

const FARTHEST = 8_640_000_000_000_000

it.effect.prop(
  "formats any date as a timestamp of the contract",
  [Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: -FARTHEST, maximum: FARTHEST })))],
  ([millis]) =>
    Effect.sync(() => {
      const text = timestamp(millis)
      assert.isTrue(Schema.is(Timestamp)(text), text)
      if (Math.abs(millis) < 60_000_000_000_000) assert.strictEqual(Date.parse(text), Math.floor(millis / 1000) * 1000)
    })
)

it("clamps dates outside the years 0 to 9999", () => {
  assert.strictEqual(timestamp(FARTHEST), "9999-12-31T23:59:59Z")
  assert.strictEqual(timestamp(-FARTHEST), "0000-01-01T00:00:00Z")
})
