import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import * as TextSegments from "./TextSegments.ts"

const segment = (text: string, syntaxClass?: string, isMatch = false): TextSegments.TextSegment => ({
  text,
  syntaxClass,
  isMatch
})

describe("segments", () => {
  it("separates matches", () => {
    assert.deepStrictEqual(
      TextSegments.segments(
        "a hit and a hit",
        [],
        [
          [12, 15],
          [2, 5]
        ]
      ),
      [segment("a "), segment("hit", undefined, true), segment(" and a "), segment("hit", undefined, true)]
    )
    assert.deepStrictEqual(TextSegments.segments("plain", [], []), [segment("plain")])
    assert.deepStrictEqual(TextSegments.segments("", [], [[0, 1]]), [])
  })

  it("merges overlapping and adjacent matches and clips them to the text", () => {
    const matches: ReadonlyArray<TextRange> = [
      [3, 99],
      [2, 4],
      [-5, 1],
      [5, 5],
      [7, 6]
    ]
    assert.deepStrictEqual(TextSegments.segments("abcdefgh", [], matches), [
      segment("a", undefined, true),
      segment("b"),
      segment("cdefgh", undefined, true)
    ])
  })

  it("splits matches at token borders", () => {
    const tokens = [
      { start: 0, end: 5, syntaxClass: "keyword" },
      { start: 6, end: 10, syntaxClass: "type" }
    ]
    assert.deepStrictEqual(TextSegments.segments("class Name {", tokens, [[3, 8]]), [
      segment("cla", "keyword"),
      segment("ss", "keyword", true),
      segment(" ", undefined, true),
      segment("Na", "type", true),
      segment("me", "type"),
      segment(" {")
    ])
  })

  const At = Schema.Int.check(Schema.isBetween({ minimum: -3, maximum: 30 }))
  const Matches = Schema.Array(Schema.Tuple([At, At]))
  const Tokens = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 }))).pipe(
    Schema.check(Schema.isMaxLength(8))
  )

  it.prop(
    "covers the whole text and gives each position its match and token",
    [Schema.String, Matches, Tokens],
    ([text, matches, steps]) => {
      let end = 0
      const tokens = steps.map((step, at) => {
        const start = end + (at % 2)
        end = start + step
        return { start, end, syntaxClass: `t${at}` }
      })
      const segments = TextSegments.segments(text, tokens, matches)
      assert.strictEqual(segments.map(({ text }) => text).join(""), text)
      let at = 0
      for (const { isMatch, syntaxClass, text: part } of segments) {
        assert.notStrictEqual(part, "")
        for (const offset of part.split("").keys()) {
          const position = at + offset
          assert.strictEqual(
            isMatch,
            matches.some(([start, end]) => start <= position && position < end)
          )
          assert.strictEqual(
            syntaxClass,
            tokens.find(({ end, start }) => start <= position && position < end)?.syntaxClass
          )
        }
        at += part.length
      }
    }
  )
})

describe("clip", () => {
  it("clips ranges and makes them relative", () => {
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

  it("clips tokens", () => {
    const tokens = Uint32Array.from([0, 5, 10, 15].flatMap((start) => [start, start + 4, 1]))
    assert.deepStrictEqual(TextSegments.clipTokens(tokens, 7, 12), [
      { start: 0, end: 2, syntaxClass: "keyword" },
      { start: 3, end: 5, syntaxClass: "keyword" }
    ])
    assert.deepStrictEqual(TextSegments.clipTokens(tokens, 4, 5), [])
  })
})
