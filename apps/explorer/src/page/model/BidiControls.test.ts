import { assert, describe, it } from "@effect/vitest"
import * as TextLines from "./TextLines.ts"
import { linesWithBidiControls } from "./BidiControls.ts"

describe("linesWithBidiControls", () => {
  it("gives the lines with bidirectional controls", () => {
    const text = ["plain", "\u202ehidden", "שלום is no control", "\u2066isolated\u2069", "a\u200bb"].join("\n")
    assert.deepStrictEqual(linesWithBidiControls(TextLines.split(text)), [2, 4])
  })
})
