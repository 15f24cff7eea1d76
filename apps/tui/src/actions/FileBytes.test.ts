import { assert, describe, it } from "@effect/vitest"
import * as FileBytes from "./FileBytes.ts"

const entry = (bytes: Uint8Array | string) => {
  const content = Buffer.from(bytes)
  return { type: "file", size: content.length, encoding: "base64", content: content.toString("base64") }
}

const reasonOf = (found: FileBytes.FileBytes) => (found._tag === "Refused" ? found.reason : found.text)

describe("FileBytes", () => {
  it("reads a text with its byte order mark and line ends", () => {
    for (const text of ["a\r\nb", "\ufeffa\n", "ä 日本 👩‍👩‍👧\n", ""])
      assert.deepStrictEqual(FileBytes.read(entry(text)), { _tag: "Text", text })
  })

  it("refuses bytes that an editor could not keep, and files without content", () => {
    assert.match(reasonOf(FileBytes.read(entry("a\u0000b"))), /binary/)
    assert.match(reasonOf(FileBytes.read(entry(Uint8Array.of(0xff, 0xfe, 0x61, 0)))), /UTF-16/)
    assert.match(reasonOf(FileBytes.read(entry(Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a)))), /not UTF-8/)
    assert.match(
      reasonOf(FileBytes.read({ type: "file", size: 2_000_000, encoding: "none", content: "" })),
      /2\.0 MB|2 MB/
    )
    assert.match(reasonOf(FileBytes.read({ ...entry("target"), type: "symlink" })), /symlink/)
  })

  it("restores what an editor changes by itself", () => {
    assert.strictEqual(FileBytes.restore("a\r\nb\r\n", "a\r\nb\r\nnew\n"), "a\r\nb\r\nnew\r\n")
    assert.strictEqual(FileBytes.restore("\ufeffa\n", "b\n"), "\ufeffb\n")
    assert.strictEqual(FileBytes.restore("a\nb", "a\nc\n"), "a\nc")
  })

  it("keeps mixed line ends, and a final newline that is the only change", () => {
    assert.strictEqual(FileBytes.restore("a\r\nb\n", "a\r\nb\nc\n"), "a\r\nb\nc\n")
    assert.strictEqual(FileBytes.restore("a", "a\n"), "a\n")
    assert.strictEqual(FileBytes.restore("", "a\n"), "a\n")
  })
})
