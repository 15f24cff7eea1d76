import { assert, describe, it } from "@effect/vitest"
import * as Terminal from "@tongs/core/text/Terminal"
import * as Ascii from "./Ascii.ts"

describe("Ascii", () => {
  it("replaces frames, marks and charts", () => {
    assert.strictEqual(Ascii.convert("╭─ Keys ─╮"), "+- Keys -+")
    assert.strictEqual(Ascii.convert("❯● main › log …"), ">* main > log ~")
    assert.strictEqual(Ascii.convert("██░░ ✓ ✗ ├┬┼┤"), "##-- + x ++++")
  })

  it("keeps the width of text in any language", () => {
    for (const text of ["霧笛の説明書", "café", "👨‍👩‍👧 family", "e\u0301", "␛[2J"]) {
      const ascii = Ascii.convert(text)
      assert.match(ascii, /^[\x20-\x7e]*$/)
      assert.strictEqual(ascii.length, Terminal.width(text))
    }
  })
})
