import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as QueryHighlight from "./QueryHighlight.ts"

describe("QueryHighlight", () => {
  it.prop("covers the whole query", [Schema.String], ([q]) => {
    assert.strictEqual(
      QueryHighlight.parts(q, [])
        .map(({ text }) => text)
        .join(""),
      q
    )
  })

  it("underlines a problem, but not one of the whole query", () => {
    const invalid = (start: number, length: number) =>
      QueryHighlight.parts("a repo:b c", [{ start, length, message: "" }])
        .filter(({ isInvalid }) => isInvalid)
        .map(({ text }) => text)
        .join("")
    assert.strictEqual(invalid(2, 6), "repo:b")
    assert.strictEqual(invalid(0, 10), "")
  })
})
