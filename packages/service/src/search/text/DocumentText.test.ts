import { assert, describe, it } from "@effect/vitest"
import * as DocumentText from "./DocumentText.ts"

const read = (bytes: Buffer) => {
  const found = DocumentText.read(bytes)
  return found._tag === "Text" ? found.text : `! ${found.reason}`
}

describe("DocumentText.read", () => {
  it("decodes UTF-8, UTF-16 with a byte order mark, and mostly ASCII text in a legacy encoding", () => {
    assert.strictEqual(read(Buffer.from("")), "")
    assert.strictEqual(read(Buffer.from("größer 😀\r\n")), "größer 😀\r\n")
    assert.strictEqual(read(Buffer.from("\ufeffwide 搜", "utf16le")), "wide 搜")
    assert.strictEqual(read(Buffer.from("\ufeffab", "utf16le").swap16()), "ab")
    assert.strictEqual(read(Buffer.from("\ufeffmarked\n")), "marked\n")
    assert.strictEqual(read(Buffer.from("\ufeff\ufefftwice")), "\ufefftwice")
    assert.strictEqual(read(Buffer.from("Written by Jörg in a long line", "latin1")), "Written by Jörg in a long line")
  })

  it("reads a NUL after the bytes in which git looks for one as text", () => {
    const late = `${"x".repeat(8_000)}\0é`
    assert.strictEqual(read(Buffer.from(late)), late)
    assert.strictEqual(read(Buffer.from(late.slice(1))), "! binary")
  })

  it("gives the reason for each skipped file", () => {
    assert.strictEqual(read(Buffer.from("a\0b")), "! binary")
    assert.strictEqual(read(Buffer.from([0xff, 0xfe, 0x00, 0xd8])), "! encoding")
    assert.strictEqual(read(Buffer.from("8ab489bb93fa967b8cea", "hex")), "! encoding")
    assert.strictEqual(read(Buffer.alloc(DocumentText.MAX_BYTES, "x")), "! size")
    assert.lengthOf(read(Buffer.alloc(DocumentText.MAX_BYTES - 1, "x")), DocumentText.MAX_BYTES - 1)
  })
})
