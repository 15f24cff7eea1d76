import { assert, describe, it } from "@effect/vitest"
import * as TextLines from "./TextLines.ts"
import { linesWithBidiControls } from "./BidiControls.ts"

describe("reordered", () => {
  it("names the lines that read in another order than they run in", () => {
    const text = ["plain", "\u202ehidden", "שלום is no control", "\u2066isolated\u2069", "a\u200bb"].join("\n")
    assert.deepStrictEqual(linesWithBidiControls(TextLines.split(text)), [2, 4])
  })
})
