import { assert, describe, it } from "@effect/vitest"
import * as SemanticVersion from "./SemanticVersion.ts"

describe("semantic versions", () => {
  it("are compared by numbers, then by identifiers of prereleases", () => {
    const sorted = [
      "v0.9.9",
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "v1.0",
      "1.2.0",
      "v1.10.0"
    ]
    for (const [index, one] of sorted.entries()) {
      assert.strictEqual(SemanticVersion.compare(one, one), 0)
      for (const other of sorted.slice(index + 1)) {
        assert.isBelow(SemanticVersion.compare(one, other) ?? 0, 0, `${one} ${other}`)
        assert.isAbove(SemanticVersion.compare(other, one) ?? 0, 0, `${other} ${one}`)
      }
    }
  })

  it("are not other names", () => {
    for (const name of ["nightly", "v1", "1.2.3.4", "release-1.2.3"])
      assert.isUndefined(SemanticVersion.compare(name, "1.0.0"), name)
  })
})
