import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as QueryHighlight from "./QueryHighlight.ts"

describe("Colours", () => {
  it.prop("together are the text", [Schema.String], ([q]) => {
    assert.strictEqual(
      QueryHighlight.parts(q, [])
        .map(({ text }) => text)
        .join(""),
      q
    )
  })

  it("mark what is wrong, but not where all of it is", () => {
    const wrong = (start: number, length: number) =>
      QueryHighlight.parts("a repo:b c", [{ start, length, message: "" }])
        .filter(({ isWrong }) => isWrong)
        .map(({ text }) => text)
        .join("")
    assert.strictEqual(wrong(2, 6), "repo:b")
    assert.strictEqual(wrong(0, 10), "")
  })
})
