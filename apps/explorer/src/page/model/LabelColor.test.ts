import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as LabelColor from "./LabelColor.ts"

const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

describe("LabelColor", () => {
  it.prop(
    "has a contrast of 4.5:1 on every color",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffffff }))],
    ([value]) => {
      const color = value.toString(16).padStart(6, "0")
      const text = LabelColor.of(color)?.color.slice(1) ?? ""
      assert.isAtLeast(contrast(LabelColor.luminance(color), LabelColor.luminance(text)), 4.5, color)
    }
  )

  it("ignores everything else", () => {
    for (const color of [null, "", "red", "12345", "#123456", "12345g", "123456;"])
      assert.isUndefined(LabelColor.of(color))
  })
})
