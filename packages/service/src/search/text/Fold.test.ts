import { assert, describe, it } from "@effect/vitest"
import { fold } from "./Fold.ts"

describe("fold", () => {
  it("folds characters that the regular expression flags iu equate to the same text", () => {
    const wrong: Array<string> = []
    for (let point = 0; point <= 0x1_ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const character = String.fromCodePoint(point)
      for (const other of [character.toLowerCase(), character.toUpperCase()]) {
        const isSame = other !== character && new RegExp(`^${RegExp.escape(character)}$`, "iu").test(other)
        if (isSame && fold(character) !== fold(other)) wrong.push(`${point.toString(16)} ${other}`)
      }
    }
    assert.deepStrictEqual(wrong, [])
  })

  it("folds non-ASCII letters that equal ASCII letters, and cased letters of other scripts", () => {
    assert.strictEqual(fold("ſK"), "sk")
    assert.strictEqual(fold("ΟΔΥΣΣΕΥΣ"), fold("οδυσσευς"))
    assert.strictEqual(fold("𐐔𐐯"), fold("𐐼𐐇"))
  })

  it("preserves the length and caseless characters", () => {
    for (const text of ["", "ẞß", "İıI", "搜索 😀\0\r\n", "\ud801", "\ud801x"]) {
      assert.lengthOf(fold(text), text.length)
    }
    assert.strictEqual(fold("搜索 😀"), "搜索 😀")
  })
})
