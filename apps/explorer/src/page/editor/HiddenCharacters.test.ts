import { assert, describe, it } from "@effect/vitest"
import { hiddenCharacter } from "./HiddenCharacters.ts"

const hidden = (text: string) => Array.from(text.matchAll(hiddenCharacter), ([found]) => found)

describe("HiddenCharacters", () => {
  it("matches invisible and reordering characters", () => {
    const all = ["\0", "\u001b", "\u00ad", "\u200b", "\u202e", "\u2066", "\u2028", "\u3164", "\u115f", "\ufeff"]
    assert.deepStrictEqual(hidden(`a${all.join("a")}`), all)
    assert.deepStrictEqual(hidden("\ta b\u00a0c"), [])
  })

  it("does not match inside emoji and scripts", () => {
    for (const text of ["👩‍💻", "❤️‍🔥", "1️⃣ *️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می\u200cخواهم", "क्\u200dष", "葛\u{e0100}"]) {
      assert.deepStrictEqual(hidden(text), [], text)
    }
  })

  it("matches the same characters outside emoji and scripts", () => {
    assert.deepStrictEqual(hidden("user\u200dName id\u200c"), ["\u200d", "\u200c"])
    assert.deepStrictEqual(hidden("\u200dat the beginning"), ["\u200d"])
    assert.deepStrictEqual(hidden("x\ufe0f 😀\ufe0f\ufe01\u{e0101}"), ["\ufe0f", "\ufe01", "\u{e0101}"])
    assert.deepStrictEqual(hidden("a\u{e0068}\u{e0069}"), ["\u{e0068}", "\u{e0069}"])
  })
})
