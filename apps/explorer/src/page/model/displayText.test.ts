import { assert, describe, it } from "@effect/vitest"
import { displayText } from "./displayText.ts"

describe("displayText", () => {
  it("keeps tabs and code unchanged", () => {
    assert.strictEqual(displayText("\tif (a <b>) {\t// \u{1F600} 漢字"), "\tif (a <b>) {\t// \u{1F600} 漢字")
  })

  it("escapes characters that hide or reorder text", () => {
    assert.strictEqual(displayText("a\u202Eb\u200B\tc\u001B[31m"), "a<U+202E>b<U+200B>\tc\u241B[31m")
  })
})
