import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Line from "./Line.ts"

const columns = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))

describe("Line", () => {
  it.prop("fits exactly, whatever is in it", [Schema.Array(Schema.String), columns], ([texts, columns]) => {
    assert.strictEqual(
      Line.width(
        Line.fit(
          texts.map((text) => Line.span(text)),
          columns
        )
      ),
      columns
    )
  })

  it.prop("wraps within its width and loses no word", [Schema.String], ([text]) => {
    const lines = Line.wrap(text, 12)
    assert.isTrue(lines.every((line) => Line.width([{ text: line, role: "plain" }]) <= 12))
    const squeezed = (value: string) => value.replace(/\s/g, "")
    assert.strictEqual(
      squeezed(lines.join("")),
      squeezed(Line.text([Line.span(text.replaceAll("\n", ""))]).replace(/\s/g, ""))
    )
  })

  it("shows escape sequences instead of passing them on", () => {
    assert.strictEqual(Line.text(Line.line("a\u001b[31mb\u0007")), "a␛[31mb␇")
  })

  it("says with a sign that something was cut, and does not cut a wide character in two", () => {
    assert.strictEqual(Line.text(Line.fit(Line.line("abcdef"), 4)), "abc…")
    assert.strictEqual(Line.text(Line.fit(Line.line("広い文字"), 6)), "広い… ")
    assert.strictEqual(Line.text(Line.fit([Line.span("abc"), Line.span("def")], 3)), "ab…")
  })

  it("cuts paths at their beginning", () => {
    assert.strictEqual(Line.text(Line.fitEnd(Line.line("packages/core/src"), 9)), "…core/src")
    assert.strictEqual(Line.text(Line.fitEnd(Line.line("広い文字"), 6)), "… 文字")
    assert.strictEqual(Line.text(Line.fitEnd(Line.line("src"), 5)), "src  ")
  })

  it("keeps both ends, the left giving way first", () => {
    assert.strictEqual(Line.text(Line.ends(Line.line("left"), Line.line("right"), 12)), "left   right")
    assert.strictEqual(Line.text(Line.ends(Line.line("a long left end"), Line.line("right"), 12)), "a lon… right")
  })

  it("drops columns from the left, half a wide character being a space", () => {
    assert.strictEqual(Line.text(Line.drop([Line.span("ab"), Line.span("cd")], 3)), "d")
    assert.strictEqual(Line.text(Line.drop(Line.line("広い"), 1)), " い")
  })
})
