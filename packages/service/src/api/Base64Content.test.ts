import { assert, it } from "@effect/vitest"
import * as Base64Content from "./Base64Content.ts"

it("decodes Base64 with and without padding and line breaks, and nothing else", () => {
  const text = (content: string) => Base64Content.decode(content)?.toString()
  assert.strictEqual(text(""), "")
  assert.strictEqual(text("bWFkZQo="), "made\n")
  assert.strictEqual(text("bWFkZQo"), "made\n")
  assert.strictEqual(text("bWFk\r\nZQo=\n"), "made\n")
  for (const wrong of ["%", "made!", "bWFkZ", "bWFkZQo==", "=", "bW=kZQo=", "bWFk-_o=", "é"]) {
    assert.isUndefined(Base64Content.decode(wrong), wrong)
  }
})
