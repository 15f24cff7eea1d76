import { assert, describe, it } from "@effect/vitest"
import * as Lines from "../Lines.ts"
import { reordered } from "./Reordering.ts"

describe("reordered", () => {
  it("names the lines that read in another order than they run in", () => {
    const text = ["plain", "\u202ehidden", "שלום is no control", "\u2066isolated\u2069", "a\u200bb"].join("\n")
    assert.deepStrictEqual(reordered(Lines.split(text)), [2, 4])
  })
})
