import { assert, describe, it } from "@effect/vitest"
import * as Truncation from "./Truncation.ts"
import * as TokenEstimate from "./TokenEstimate.ts"

describe("a tool result", () => {
  const huge = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`text${index}`, "word and word ".repeat(2_000)])
  )

  it("stays within the token limit, however large its members are", () => {
    for (const value of [
      huge,
      { list: Array.from({ length: 50_000 }, () => "item") },
      { text: "界".repeat(100_000) }
    ]) {
      assert.isAtMost(TokenEstimate.estimateTokens(Truncation.toJson(value)), Truncation.MAX_RESULT_TOKENS)
    }
  })

  it("states how much is missing, and never truncates the intact members", () => {
    const nextCursor = "aB3".repeat(300)
    const json = Truncation.toJson({ items: [huge] }, { nextCursor })
    assert.isAtMost(TokenEstimate.estimateTokens(json), Truncation.MAX_RESULT_TOKENS)
    assert.include(json, "more characters)")
    assert.strictEqual(JSON.parse(json).nextCursor, nextCursor)
  })

  it("has at least one item, and no more than fit", () => {
    const item = { text: "word and word ".repeat(100) }
    const given = Truncation.countFitting(Array.from({ length: 100 }, () => item))
    assert.isAbove(given, 5)
    assert.isAtMost(
      TokenEstimate.estimateTokens(JSON.stringify(Array.from({ length: given }, () => item))),
      Truncation.MAX_RESULT_TOKENS
    )
    assert.strictEqual(Truncation.countFitting([huge, huge]), 1)
  })
})
