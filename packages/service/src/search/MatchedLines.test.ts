import { assert, describe, it } from "@effect/vitest"
import * as MatchedLines from "./MatchedLines.ts"

describe("MatchedLines.complete", () => {
  it("returns a bounded number of lines, and that they are cut", () => {
    const text = "a\n".repeat(MatchedLines.maxCompleteLines + 5_000)
    const ranges = Array.from({ length: 400 }, (_, at): [number, number] => [at * 2_000, at * 2_000 + 1])
    const { chunks, isCut } = MatchedLines.complete(text, ranges, 1_000)
    assert.isTrue(isCut)
    assert.isAtMost(chunks.flatMap(({ lines }) => lines).length, MatchedLines.maxCompleteLines + 2_001)
    assert.isFalse(MatchedLines.complete("a\nb\n", [[0, 1]], 1_000).isCut)
  })
})
