import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { pad, truncate, escape, width } from "./Terminal.ts"

/** Every kind of escaped character, mixed with plain text. Random strings rarely contain these characters. */
const Piece = Schema.Union([
  Schema.String,
  Schema.Literals([
    "\u001b[31m",
    "\u001b]0;title\u0007",
    "\u009b2J",
    "\u007f",
    "\u0000",
    "\r",
    "\n",
    "\r\n",
    "\t",
    "\u200b",
    "\u200d",
    "\u202e",
    "\u2066",
    "\ufe0f",
    "\ufeff",
    "\u00ad",
    "\u2028",
    "\ud800",
    "\udc00",
    "\u{e0041}",
    "👩‍💻",
    "❤️",
    "🇩🇪",
    "1️⃣",
    "漢字",
    "é",
    "plain"
  ])
])
const Text = Schema.Array(Piece)

const join = (pieces: ReadonlyArray<string>): string => pieces.join("")

describe("escape", () => {
  it("escapes control and format characters", () => {
    assert.strictEqual(escape("a\u001b[31mb\u0007"), "a␛[31mb␇")
    assert.strictEqual(escape("\u007f\u009b"), "␡<U+009B>")
    assert.strictEqual(escape("if (x\u202e\u2066) //"), "if (x<U+202E><U+2066>) //")
    assert.strictEqual(escape("a\u200bb\ufeff\u2028"), "a<U+200B>b<U+FEFF><U+2028>")
    assert.strictEqual(escape("\ud83d \udc00"), "<U+D83D> <U+DC00>")
    assert.strictEqual(escape("x\u{e0041}"), "x<U+E0041>")
  })

  it("keeps newlines only if allowed", () => {
    assert.strictEqual(escape("a\nb\r\nc\rd"), "a␊b␍␊c␍d")
    assert.strictEqual(escape("a\nb\r\nc\rd", { newlines: true }), "a\nb\nc␍d")
  })

  it("expands tabs to their stops, counting columns, line by line", () => {
    assert.strictEqual(escape("\ta\tb"), "    a   b")
    assert.strictEqual(escape("漢\tb"), "漢  b")
    assert.strictEqual(escape("abcd\n\tx", { newlines: true }), "abcd\n    x")
  })

  it("does not change plain text and emoji", () => {
    for (const text of ["", "plain", "naïve é", "漢字かな", "שלום", "👩‍💻 ❤️ 🇩🇪 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "☎︎"]) {
      assert.strictEqual(escape(text), text)
    }
  })

  it("escapes a joiner outside of emoji", () => {
    assert.strictEqual(escape("👩\u200dx"), "👩<U+200D>x")
  })

  it.prop("removes all control characters, and is idempotent", [Text], ([pieces]) => {
    const shown = escape(join(pieces))
    assert.notMatch(shown, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]/)
    assert.isTrue(shown.isWellFormed())
    assert.strictEqual(escape(shown), shown)
  })

  it.prop("also if newlines are allowed", [Text], ([pieces]) => {
    const shown = escape(join(pieces), { newlines: true })
    assert.notMatch(shown.replaceAll("\n", ""), /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]/)
    assert.strictEqual(escape(shown, { newlines: true }), shown)
  })
})

describe("width, truncate, pad", () => {
  it("counts columns", () => {
    assert.deepStrictEqual(["abc", "漢字", "👩‍💻", "é", ""].map(width), [3, 4, 2, 1, 0])
  })

  it("cuts at whole characters", () => {
    assert.strictEqual(truncate("abcdef", 6), "abcdef")
    assert.strictEqual(truncate("abcdef", 4), "abc…")
    assert.strictEqual(truncate("漢字漢字", 4), "漢…")
    assert.strictEqual(truncate("👩‍💻👩‍💻", 3), "👩‍💻…")
    assert.strictEqual(truncate("abc", 1), "…")
    assert.strictEqual(truncate("abc", 0), "")
  })

  it("pads on either side", () => {
    assert.strictEqual(pad("漢", 4) + "|", "漢  |")
    assert.strictEqual(pad("漢", 4, "right"), "  漢")
    assert.strictEqual(pad("long", 2), "long")
  })

  it.prop(
    "never takes more columns than it was given, and pad fills them",
    [Text, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))],
    ([pieces, columns]) => {
      const cut = truncate(escape(join(pieces)), columns)
      assert.isAtMost(width(cut), columns)
      assert.strictEqual(width(pad(cut, columns)), columns)
    }
  )
})
