import { assert, describe, it } from "@effect/vitest"
import * as DocumentBlocks from "./DocumentBlocks.ts"

describe("DocumentBlocks", () => {
  it("divides a text at ends of lines without loss", () => {
    const texts = ["", "\n", "\n\n\n", "a", "one\ntwo\r\nthree", `${"x".repeat(500)}\nend`, "😀😀\n".repeat(40)]
    for (const text of texts) {
      for (let blocks = 1; blocks < 12; blocks++) {
        const divided = DocumentBlocks.split(text, blocks)
        assert.lengthOf(divided, blocks)
        assert.strictEqual(divided.join(""), text)
        const before = divided.filter((block) => block !== "").slice(0, -1)
        assert.isTrue(before.every((block) => block.endsWith("\n")))
      }
    }
    assert.deepStrictEqual(DocumentBlocks.split("aa\nbb\ncc\ndd\n", 2), ["aa\nbb\ncc\n", "dd\n"])
  })

  it("has a block for each 2 KB", () => {
    assert.deepStrictEqual([0, 1, 2_048, 2_049, 32 * 1024 * 1024].map(DocumentBlocks.count), [1, 1, 1, 2, 16_384])
  })
})
