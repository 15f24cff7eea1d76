import { assert, describe, it } from "@effect/vitest"
import * as Compaction from "./Compaction.ts"
import * as TokenEstimate from "./TokenEstimate.ts"

describe("an answer", () => {
  const huge = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`text${index}`, "word and word ".repeat(2_000)])
  )

  it("keeps within the tokens, however large its members are", () => {
    for (const value of [
      huge,
      { list: Array.from({ length: 50_000 }, () => "item") },
      { text: "界".repeat(100_000) }
    ]) {
      assert.isAtMost(TokenEstimate.estimateTokens(Compaction.toJson(value)), TokenEstimate.MAX_TOKENS)
    }
  })

  it("says what was cut, and cuts nothing that must stay whole", () => {
    const nextCursor = "aB3".repeat(300)
    const json = Compaction.toJson({ items: [huge] }, { nextCursor })
    assert.isAtMost(TokenEstimate.estimateTokens(json), TokenEstimate.MAX_TOKENS)
    assert.include(json, "more characters)")
    assert.strictEqual(JSON.parse(json).nextCursor, nextCursor)
  })

  it("gives at least one item, and no more than fit", () => {
    const item = { text: "word and word ".repeat(100) }
    const given = Compaction.countFitting(Array.from({ length: 100 }, () => item))
    assert.isAbove(given, 5)
    assert.isAtMost(
      TokenEstimate.estimateTokens(JSON.stringify(Array.from({ length: given }, () => item))),
      TokenEstimate.MAX_TOKENS
    )
    assert.strictEqual(Compaction.countFitting([huge, huge]), 1)
  })
})
