import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as HostileText from "./HostileText.test-support.ts"
import * as SafeText from "./SafeText.ts"

describe("hidden characters", () => {
  for (const [name, hidden] of Object.entries(HostileText.hidden)) {
    it(`become visible: ${name}`, () => {
      const text = SafeText.sanitizeText(`a${hidden}b`)
      assert.isUndefined(HostileText.hiddenCharacterOf(text), text)
      assert.isAbove(text.length, `a${hidden}b`.length - 1)
      assert.notInclude(text, hidden)
      assert.isTrue(text.startsWith("a") && text.endsWith("b"))
    })
  }

  it("are not found in ordinary text, which stays the same", () => {
    for (const text of ["\tif (x) {\n\t\treturn «ü» // naïve 漢字 한국어 עברית\n\t}\n", "1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👩‍💻 ❤️ ☺︎ 🇺🇦 #5 *a*"]) {
      assert.strictEqual(SafeText.sanitizeText(text), text)
    }
  })

  it("are visible after a digit, where an emoji's selector would be hidden", () => {
    assert.strictEqual(SafeText.sanitizeText("1\uFE0F2\uFE0E#\uFE0F"), "1<U+FE0F>2<U+FE0E>#<U+FE0F>")
  })

  it("are visible in the names and values of every member", () => {
    assert.deepStrictEqual(SafeText.sanitizeValue({ "a\u200b": [{ b: "\u202e" }, 1, null, true] }), {
      "a<U+200B>": [{ b: "<U+202E>" }, 1, null, true]
    })
  })

  it("are visible in a value that becomes JSON", () => {
    const value = { a: undefined, b: [undefined, Number.NaN], c: Number.POSITIVE_INFINITY }
    assert.deepStrictEqual(SafeText.sanitizeValue(value), { b: [null, null], c: null })
  })

  it("are visible in a value that is nested too deeply, which is cut", () => {
    const json = JSON.stringify(
      SafeText.sanitizeValue(JSON.parse(`${"[".repeat(50_000)}"\u200b"${"]".repeat(50_000)}`))
    )
    assert.isBelow(json.length, 1_000)
    assert.include(json, "…")
  })

  it.prop("never remain in a text, and a safe text stays the same", [Schema.String], ([text]) => {
    const safe = SafeText.sanitizeText(text)
    assert.isUndefined(HostileText.hiddenCharacterOf(safe))
    assert.strictEqual(SafeText.sanitizeText(safe), safe)
  })
})
