import { assert, describe, it } from "@effect/vitest"
import * as StyledLine from "../../text/StyledLine.ts"
import * as ChangeCounts from "./ChangeCounts.ts"

const bar = (additions: number, deletions: number, largest: number) =>
  StyledLine.text(ChangeCounts.bar(additions, deletions, largest))

describe("ChangeCounts", () => {
  it("leaves out counts that are zero", () => {
    assert.strictEqual(StyledLine.text(ChangeCounts.line(1200, 3)), "+1,200 -3")
    assert.strictEqual(StyledLine.text(ChangeCounts.line(0, 3)), "-3")
    assert.strictEqual(StyledLine.text(ChangeCounts.line(0, 0)), "")
  })

  it("draws one sign per line while all fit", () => {
    assert.strictEqual(bar(2, 1, 5), "++-")
    assert.strictEqual(bar(0, 0, 5), "")
  })

  it("scales large counts, and shows at least one sign of each kind", () => {
    assert.strictEqual(bar(100_000, 0, 100_000), "+".repeat(16))
    assert.strictEqual(bar(100_000, 1, 100_001), `${"+".repeat(15)}-`)
    assert.strictEqual(bar(1, 0, 100_000), "+")
  })
})
