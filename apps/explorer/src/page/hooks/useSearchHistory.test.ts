import { assert, describe, it } from "@effect/vitest"
import * as useSearchHistory from "./useSearchHistory.ts"

describe("SearchHistory", () => {
  it("lists the latest first, without duplicates", () => {
    const history = ["a", "b", "a"].reduce(useSearchHistory.withRecent, useSearchHistory.empty)
    assert.deepStrictEqual(history.recent, ["a", "b"])
  })

  it("replaces a query that the next one extends", () => {
    const history = ["other", "par", "parse", "parse err"].reduce(useSearchHistory.withRecent, useSearchHistory.empty)
    assert.deepStrictEqual(history.recent, ["parse err", "other"])
  })

  it("drops the oldest", () => {
    const many = Array.from({ length: 80 }, (_, at) => `q${at}.`)
    const history = many.reduce(useSearchHistory.withRecent, useSearchHistory.empty)
    assert.strictEqual(history.recent.length, 50)
    assert.strictEqual(history.recent[0], "q79.")
  })

  it("saves and removes queries", () => {
    const history = ["a", "b", "a"].reduce(
      (history, q) => useSearchHistory.withSaved(history, q, true),
      useSearchHistory.empty
    )
    assert.deepStrictEqual(history.saved, ["b", "a"])
    assert.deepStrictEqual(useSearchHistory.withSaved(history, "b", false).saved, ["a"])
  })

  it("parses its own JSON and ignores anything else", () => {
    const history: useSearchHistory.SearchHistory = { recent: ["a"], saved: ["b"] }
    assert.deepStrictEqual(useSearchHistory.parse(JSON.stringify(history)), history)
    for (const text of [null, "", "[]", "7", '"x"', "null", "{", '{"recent":7,"saved":[1,""]}']) {
      assert.deepStrictEqual(useSearchHistory.parse(text), useSearchHistory.empty, String(text))
    }
  })
})
