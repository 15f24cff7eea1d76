import { assert, describe, it } from "@effect/vitest"
import { nameOf } from "./SavedSearches.ts"

describe("nameOf", () => {
  it("is the query, shortened and unique", () => {
    assert.strictEqual(nameOf(" a  b ", []), "a b")
    assert.strictEqual(nameOf("a", ["A", "a (2)"]), "a (3)")
    assert.strictEqual(nameOf("x".repeat(200), []).length, 80)
  })
})
