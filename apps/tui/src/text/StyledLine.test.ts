import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as StyledLine from "./StyledLine.ts"

const columns = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))

describe("StyledLine", () => {
  it.prop("fits any text to the exact width", [Schema.Array(Schema.String), columns], ([texts, columns]) => {
    assert.strictEqual(
      StyledLine.width(
        StyledLine.fit(
          texts.map((text) => StyledLine.span(text)),
          columns
        )
      ),
      columns
    )
  })

  it.prop("wraps to the width without losing words", [Schema.String], ([text]) => {
    const lines = StyledLine.wrap(text, 12)
    assert.isTrue(lines.every((line) => StyledLine.width([{ text: line, role: "plain" }]) <= 12))
    const squeezed = (value: string) => value.replace(/\s/g, "")
    assert.strictEqual(
      squeezed(lines.join("")),
      squeezed(StyledLine.text([StyledLine.span(text.replaceAll("\n", ""))]).replace(/\s/g, ""))
    )
  })

  it("escapes control characters", () => {
    assert.strictEqual(StyledLine.text(StyledLine.line("a\u001b[31mb\u0007")), "a␛[31mb␇")
  })

  it("adds an ellipsis to truncated text, and never splits a wide character", () => {
    assert.strictEqual(StyledLine.text(StyledLine.fit(StyledLine.line("abcdef"), 4)), "abc…")
    assert.strictEqual(StyledLine.text(StyledLine.fit(StyledLine.line("広い文字"), 6)), "広い… ")
    assert.strictEqual(StyledLine.text(StyledLine.fit([StyledLine.span("abc"), StyledLine.span("def")], 3)), "ab…")
  })

  it("truncates the beginning of paths", () => {
    assert.strictEqual(StyledLine.text(StyledLine.fitFromEnd(StyledLine.line("packages/core/src"), 9)), "…core/src")
    assert.strictEqual(StyledLine.text(StyledLine.fitFromEnd(StyledLine.line("広い文字"), 6)), "… 文字")
    assert.strictEqual(StyledLine.text(StyledLine.fitFromEnd(StyledLine.line("src"), 5)), "src  ")
  })

  it("keeps both ends, and shortens the left one first", () => {
    assert.strictEqual(
      StyledLine.text(StyledLine.justify(StyledLine.line("left"), StyledLine.line("right"), 12)),
      "left   right"
    )
    assert.strictEqual(
      StyledLine.text(StyledLine.justify(StyledLine.line("a long left end"), StyledLine.line("right"), 12)),
      "a lon… right"
    )
  })

  it("replaces half of a wide character with a space when it drops columns", () => {
    assert.strictEqual(StyledLine.text(StyledLine.dropColumns([StyledLine.span("ab"), StyledLine.span("cd")], 3)), "d")
    assert.strictEqual(StyledLine.text(StyledLine.dropColumns(StyledLine.line("広い"), 1)), " い")
  })

  it("breaks a line into rows without splitting a wide character", () => {
    const rows = (line: StyledLine.Line, columns: number, max = 9) =>
      StyledLine.breakInto(line, columns, max).map(StyledLine.text)
    assert.deepStrictEqual(rows([StyledLine.span("abc"), StyledLine.span("defg", "error")], 3), ["abc", "def", "g"])
    assert.deepStrictEqual(rows(StyledLine.line("a広い文"), 4), ["a広", "い文"])
    assert.deepStrictEqual(rows(StyledLine.line("abcdef"), 3), ["abc", "def"])
    assert.deepStrictEqual(rows(StyledLine.line("abcdef"), 1, 2), ["a", "b"])
    assert.deepStrictEqual(rows(StyledLine.empty, 5), [""])
    assert.strictEqual(rows(StyledLine.line("広い"), 1).length, 4)
  })
})
