import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as StyledLine from "./StyledLine.ts"

const columns = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))

describe("Line", () => {
  it.prop("fits exactly, whatever is in it", [Schema.Array(Schema.String), columns], ([texts, columns]) => {
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

  it.prop("wraps within its width and loses no word", [Schema.String], ([text]) => {
    const lines = StyledLine.wrap(text, 12)
    assert.isTrue(lines.every((line) => StyledLine.width([{ text: line, role: "plain" }]) <= 12))
    const squeezed = (value: string) => value.replace(/\s/g, "")
    assert.strictEqual(
      squeezed(lines.join("")),
      squeezed(StyledLine.text([StyledLine.span(text.replaceAll("\n", ""))]).replace(/\s/g, ""))
    )
  })

  it("shows escape sequences instead of passing them on", () => {
    assert.strictEqual(StyledLine.text(StyledLine.line("a\u001b[31mb\u0007")), "a␛[31mb␇")
  })

  it("says with a sign that something was cut, and does not cut a wide character in two", () => {
    assert.strictEqual(StyledLine.text(StyledLine.fit(StyledLine.line("abcdef"), 4)), "abc…")
    assert.strictEqual(StyledLine.text(StyledLine.fit(StyledLine.line("広い文字"), 6)), "広い… ")
    assert.strictEqual(StyledLine.text(StyledLine.fit([StyledLine.span("abc"), StyledLine.span("def")], 3)), "ab…")
  })

  it("cuts paths at their beginning", () => {
    assert.strictEqual(StyledLine.text(StyledLine.fitFromEnd(StyledLine.line("packages/core/src"), 9)), "…core/src")
    assert.strictEqual(StyledLine.text(StyledLine.fitFromEnd(StyledLine.line("広い文字"), 6)), "… 文字")
    assert.strictEqual(StyledLine.text(StyledLine.fitFromEnd(StyledLine.line("src"), 5)), "src  ")
  })

  it("keeps both ends, the left giving way first", () => {
    assert.strictEqual(
      StyledLine.text(StyledLine.justify(StyledLine.line("left"), StyledLine.line("right"), 12)),
      "left   right"
    )
    assert.strictEqual(
      StyledLine.text(StyledLine.justify(StyledLine.line("a long left end"), StyledLine.line("right"), 12)),
      "a lon… right"
    )
  })

  it("drops columns from the left, half a wide character being a space", () => {
    assert.strictEqual(StyledLine.text(StyledLine.dropColumns([StyledLine.span("ab"), StyledLine.span("cd")], 3)), "d")
    assert.strictEqual(StyledLine.text(StyledLine.dropColumns(StyledLine.line("広い"), 1)), " い")
  })
})
