import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { Range } from "../../Wire.ts"
import * as TextSegments from "./TextSegments.ts"

const piece = (text: string, syntaxClass?: string, isMatch = false): TextSegments.TextSegment => ({
  text,
  syntaxClass,
  isMatch
})

describe("pieces", () => {
  it("marks matches", () => {
    assert.deepStrictEqual(
      TextSegments.segments(
        "a hit and a hit",
        [],
        [
          [12, 15],
          [2, 5]
        ]
      ),
      [piece("a "), piece("hit", undefined, true), piece(" and a "), piece("hit", undefined, true)]
    )
    assert.deepStrictEqual(TextSegments.segments("plain", [], []), [piece("plain")])
    assert.deepStrictEqual(TextSegments.segments("", [], [[0, 1]]), [])
  })

  it("joins matches that overlap or touch, and keeps within the text", () => {
    const marks: ReadonlyArray<Range> = [
      [3, 99],
      [2, 4],
      [-5, 1],
      [5, 5],
      [7, 6]
    ]
    assert.deepStrictEqual(TextSegments.segments("abcdefgh", [], marks), [
      piece("a", undefined, true),
      piece("b"),
      piece("cdefgh", undefined, true)
    ])
  })

  it("lets matches cross syntax", () => {
    const tokens = [
      { start: 0, end: 5, syntaxClass: "keyword" },
      { start: 6, end: 10, syntaxClass: "type" }
    ]
    assert.deepStrictEqual(TextSegments.segments("class Name {", tokens, [[3, 8]]), [
      piece("cla", "keyword"),
      piece("ss", "keyword", true),
      piece(" ", undefined, true),
      piece("Na", "type", true),
      piece("me", "type"),
      piece(" {")
    ])
  })

  const At = Schema.Int.check(Schema.isBetween({ minimum: -3, maximum: 30 }))
  const Marks = Schema.Array(Schema.Tuple([At, At]))
  const Tokens = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 }))).pipe(
    Schema.check(Schema.isMaxLength(8))
  )

  it.prop(
    "leaves nothing out, and marks exactly what was asked for",
    [Schema.String, Marks, Tokens],
    ([text, marks, steps]) => {
      let end = 0
      const tokens = steps.map((step, at) => {
        const start = end + (at % 2)
        end = start + step
        return { start, end, syntaxClass: `t${at}` }
      })
      const pieces = TextSegments.segments(text, tokens, marks)
      assert.strictEqual(pieces.map((piece) => piece.text).join(""), text)
      let at = 0
      for (const { isMatch, syntaxClass, text: part } of pieces) {
        assert.notStrictEqual(part, "")
        for (const offset of part.split("").keys()) {
          const place = at + offset
          assert.strictEqual(
            isMatch,
            marks.some(([start, end]) => start <= place && place < end)
          )
          assert.strictEqual(syntaxClass, tokens.find(({ end, start }) => start <= place && place < end)?.syntaxClass)
        }
        at += part.length
      }
    }
  )
})

describe("within", () => {
  it("cuts to a stretch and counts from its start", () => {
    assert.deepStrictEqual(
      TextSegments.clip(
        [
          [0, 4],
          [5, 8],
          [9, 12]
        ],
        3,
        10
      ),
      [
        [0, 1],
        [2, 5],
        [6, 7]
      ]
    )
  })

  it("does the same for tokens", () => {
    const tokens = Uint32Array.from([0, 5, 10, 15].flatMap((start) => [start, start + 4, 1]))
    assert.deepStrictEqual(TextSegments.clipTokens(tokens, 7, 12), [
      { start: 0, end: 2, syntaxClass: "keyword" },
      { start: 3, end: 5, syntaxClass: "keyword" }
    ])
    assert.deepStrictEqual(TextSegments.clipTokens(tokens, 4, 5), [])
  })
})
