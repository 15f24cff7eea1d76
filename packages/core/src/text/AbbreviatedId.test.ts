import { assert, it } from "@effect/vitest"
import * as AbbreviatedId from "./AbbreviatedId.ts"

it("abbreviates SHA-1 and SHA-256 ids to seven digits", () => {
  assert.strictEqual(AbbreviatedId.of("0123456789".repeat(4)), "0123456")
  assert.strictEqual(AbbreviatedId.of("abcdef01".repeat(8)), "abcdef0")
})

it("keeps names and abbreviations", () => {
  for (const text of ["", "main", "v1.2.3", "0123456789ab", "0123456789".repeat(5), "ABCDEF0123".repeat(4)]) {
    assert.strictEqual(AbbreviatedId.of(text), text)
  }
})
