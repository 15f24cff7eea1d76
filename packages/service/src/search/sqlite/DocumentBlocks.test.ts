import { assert, describe, it } from "@effect/vitest"
import * as DocumentBlocks from "./DocumentBlocks.ts"

const split = (text: string, blocks: number) =>
  DocumentBlocks.divide(text, blocks).map((end, at, ends) => text.slice(ends[at - 1] ?? 0, end))

describe("DocumentBlocks", () => {
  it("divides a text at ends of lines without loss", () => {
    const texts = ["", "\n", "\n\n\n", "a", "one\ntwo\r\nthree", `${"x".repeat(500)}\nend`, "😀😀\n".repeat(40)]
    for (const text of texts) {
      for (let blocks = 1; blocks < 12; blocks++) {
        const divided = split(text, blocks)
        assert.lengthOf(divided, blocks)
        const bytes = Buffer.from(text)
        if (bytes.length === text.length)
          assert.deepStrictEqual(DocumentBlocks.divide(bytes, blocks), DocumentBlocks.divide(text, blocks))
        assert.strictEqual(divided.join(""), text)
        const before = divided.filter((block) => block !== "").slice(0, -1)
        assert.isTrue(before.every((block) => block.endsWith("\n")))
      }
    }
    assert.deepStrictEqual(split("aa\nbb\ncc\ndd\n", 2), ["aa\nbb\ncc\n", "dd\n"])
  })

  it("has a block for each 2 KB", () => {
    assert.deepStrictEqual([0, 1, 2_048, 2_049, 32 * 1024 * 1024].map(DocumentBlocks.count), [1, 1, 1, 2, 16_384])
  })
})
