import { assert, describe, it } from "@effect/vitest"
import * as Truncation from "./Truncation.ts"

describe("truncate", () => {
  it("says how much of a text and of a list is missing", () => {
    assert.match(Truncation.truncateText("word ".repeat(100), 10), /^(word ?)+… \(\d+ more characters\)$/)
    assert.deepStrictEqual(Truncation.truncate({ list: [1, 2, 3] }, 10, 2), { list: [1, 2, "… (1 more items)"] })
  })
})
