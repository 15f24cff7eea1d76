import { assert, it } from "@effect/vitest"
import * as QuotedText from "./QuotedText.ts"

it("keeps a text within its quotation marks, on one line, and shortens it", () => {
  assert.strictEqual(QuotedText.quote('a "b"\nc', 20), String.raw`"a \"b\"\nc"`)
  assert.strictEqual(QuotedText.quote("abcdef", 3), '"abc…"')
  assert.notInclude(QuotedText.quote("a\u202eb", 20), "\u202e")
})
