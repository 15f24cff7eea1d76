import { EditorState } from "@codemirror/state"
import { assert, describe, it } from "@effect/vitest"
import * as MatchHighlights from "./MatchHighlights.ts"

const { doc } = EditorState.create({ doc: "a hit\nno\nhit hit" })

describe("MatchHighlights", () => {
  it("converts line ranges to offsets", () => {
    const lines = [
      { line: 1, ranges: [[2, 5] as const] }, // pairs
      { line: 3, ranges: [[0, 3] as const, [4, 7] as const] } // pairs
    ]
    assert.deepStrictEqual(Array.from(MatchHighlights.toOffsets(doc, lines)), [2, 5, 9, 12, 13, 16])
  })

  it("drops ranges outside the text", () => {
    const lines = [
      { line: 1, ranges: [[0, 5] as const, [2, 9] as const, [3, 3] as const] }, // pairs
      { line: 4, ranges: [[0, 1] as const] } // a pair
    ]
    assert.deepStrictEqual(Array.from(MatchHighlights.toOffsets(doc, lines)), [0, 5])
  })
})
