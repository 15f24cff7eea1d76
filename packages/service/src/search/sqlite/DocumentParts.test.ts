import { assert, describe, it } from "@effect/vitest"
import * as DocumentParts from "./DocumentParts.ts"

describe("DocumentParts", () => {
  it("divides a text at ends of lines without loss", () => {
    const texts = ["", "\n", "\n\n\n", "a", "one\ntwo\r\nthree", `${"x".repeat(500)}\nend`, "😀😀\n".repeat(40)]
    for (const text of texts) {
      for (let parts = 1; parts < 12; parts++) {
        const divided = DocumentParts.split(text, parts)
        assert.lengthOf(divided, parts)
        assert.strictEqual(divided.join(""), text)
        const before = divided.filter((part) => part !== "").slice(0, -1)
        assert.isTrue(before.every((part) => part.endsWith("\n")))
      }
    }
    assert.deepStrictEqual(DocumentParts.split("aa\nbb\ncc\ndd\n", 2), ["aa\nbb\ncc\n", "dd\n"])
  })

  it("keeps usual files whole", () => {
    assert.deepStrictEqual([0, 1, 262_144, 262_145, 32 * 1024 * 1024].map(DocumentParts.count), [1, 1, 1, 2, 128])
  })
})
