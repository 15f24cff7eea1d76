import { assert, describe, it } from "@effect/vitest"
import * as NumberFormat from "./NumberFormat.ts"

describe("NumberFormat", () => {
  it("separates thousands, and inflects the noun", () => {
    assert.strictEqual(NumberFormat.format(1234567), "1,234,567")
    assert.strictEqual(NumberFormat.quantity(1, "branch", "branches"), "1 branch")
    assert.strictEqual(NumberFormat.quantity(0, "tag"), "0 tags")
    assert.strictEqual(NumberFormat.quantity(2000, "branch", "branches"), "2,000 branches")
  })

  it("formats sizes", () => {
    assert.deepStrictEqual([0, 999, 1000, 3_400_000, -5, Number.NaN].map(NumberFormat.bytes), [
      "0 B",
      "999 B",
      "1 kB",
      "3.4 MB",
      "0 B",
      "0 B"
    ])
  })
})
