import { assert, describe, it } from "@effect/vitest"
import * as useSearchHistory from "./useSearchHistory.ts"

describe("History", () => {
  it("has the latest first, each once", () => {
    const kept = ["a", "b", "a"].reduce(useSearchHistory.withRecent, useSearchHistory.empty)
    assert.deepStrictEqual(kept.recent, ["a", "b"])
  })

  it("takes a query that was typed on for one", () => {
    const kept = ["other", "par", "parse", "parse err"].reduce(useSearchHistory.withRecent, useSearchHistory.empty)
    assert.deepStrictEqual(kept.recent, ["parse err", "other"])
  })

  it("forgets the oldest", () => {
    const many = Array.from({ length: 80 }, (_, at) => `q${at}.`)
    const kept = many.reduce(useSearchHistory.withRecent, useSearchHistory.empty)
    assert.strictEqual(kept.recent.length, 50)
    assert.strictEqual(kept.recent[0], "q79.")
  })

  it("saves and forgets", () => {
    const kept = ["a", "b", "a"].reduce((kept, q) => useSearchHistory.withSaved(kept, q, true), useSearchHistory.empty)
    assert.deepStrictEqual(kept.saved, ["b", "a"])
    assert.deepStrictEqual(useSearchHistory.withSaved(kept, "b", false).saved, ["a"])
  })

  it("reads what it wrote, and takes nothing else", () => {
    const kept: useSearchHistory.SearchHistory = { recent: ["a"], saved: ["b"] }
    assert.deepStrictEqual(useSearchHistory.parse(JSON.stringify(kept)), kept)
    for (const text of [null, "", "[]", "7", '"x"', "null", "{", '{"recent":7,"saved":[1,""]}']) {
      assert.deepStrictEqual(useSearchHistory.parse(text), useSearchHistory.empty, String(text))
    }
  })
})
