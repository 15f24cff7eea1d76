import { assert, describe, it } from "@effect/vitest"
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import * as MatchedLines from "./MatchedLines.ts"
import { PartialText } from "./text/PartialText.ts"

describe("MatchedLines.complete", () => {
  it("returns a bounded number of lines, and that they are cut", () => {
    const text = "a\n".repeat(MatchedLines.MAX_COMPLETE_LINES + 5_000)
    const ranges = Array.from({ length: 400 }, (_, at): [number, number] => [at * 2_000, at * 2_000 + 1])
    const { chunks, isCut } = MatchedLines.complete(PartialText.ofWhole(text), ranges, 1_000)
    assert.isTrue(isCut)
    assert.isAtMost(chunks.flatMap(({ lines }) => lines).length, MatchedLines.MAX_COMPLETE_LINES + 2_001)
    assert.isFalse(MatchedLines.complete(PartialText.ofWhole("a\nb\n"), [[0, 1]], 1_000).isCut)
  })
})

describe("MatchedLines.chunks", () => {
  const text = "// area of a circle\n\n\n\n/** area */\nconst area = 1\n\n\n\narea()\n"
  const ranges = [...text.matchAll(/area/g)].map(({ index }) => [index, index + 4] as const)
  const definitions: ReadonlyArray<CodeSymbol> = [{ name: "area", kind: "constant", line: 6 }]

  it("puts the chunk with the definition first", () => {
    const first = MatchedLines.chunks(PartialText.ofWhole(text), ranges, definitions, { lines: "best", context: 1 })
    assert.deepStrictEqual(
      first.map(({ lines }) => lines.map(({ number }) => number)),
      [
        [4, 5, 6, 7],
        [1, 2],
        [9, 10]
      ]
    )
  })

  it("puts the definition before the comment above it if no context is wanted", () => {
    const lines = MatchedLines.chunks(PartialText.ofWhole(text), ranges, definitions, { lines: "best", context: 0 })
    assert.deepStrictEqual(
      lines.flatMap(({ lines }) => lines.map(({ number }) => number)),
      [6, 1, 5, 10]
    )
  })

  it("keeps the order of the file if all lines are wanted", () => {
    const lines = MatchedLines.chunks(PartialText.ofWhole(text), ranges, definitions, { lines: "all", context: 0 })
    assert.deepStrictEqual(
      lines.flatMap(({ lines }) => lines.map(({ number }) => number)),
      [1, 5, 6, 10]
    )
  })
})
