import { assert, describe, it } from "@effect/vitest"
import * as History from "./History.ts"

describe("History", () => {
  it("has the latest first, each once", () => {
    const kept = ["a", "b", "a"].reduce(History.withRecent, History.empty)
    assert.deepStrictEqual(kept.recent, ["a", "b"])
  })

  it("takes a query that was typed on for one", () => {
    const kept = ["other", "par", "parse", "parse err"].reduce(History.withRecent, History.empty)
    assert.deepStrictEqual(kept.recent, ["parse err", "other"])
  })

  it("forgets the oldest", () => {
    const many = Array.from({ length: 80 }, (_, at) => `q${at}.`)
    const kept = many.reduce(History.withRecent, History.empty)
    assert.strictEqual(kept.recent.length, 50)
    assert.strictEqual(kept.recent[0], "q79.")
  })

  it("saves and forgets", () => {
    const kept = ["a", "b", "a"].reduce((kept, q) => History.withSaved(kept, q, true), History.empty)
    assert.deepStrictEqual(kept.saved, ["b", "a"])
    assert.deepStrictEqual(History.withSaved(kept, "b", false).saved, ["a"])
  })

  it("reads what it wrote, and takes nothing else", () => {
    const kept: History.Kept = { recent: ["a"], saved: ["b"] }
    assert.deepStrictEqual(History.read(JSON.stringify(kept)), kept)
    for (const text of [null, "", "[]", "7", '"x"', "null", "{", '{"recent":7,"saved":[1,""]}']) {
      assert.deepStrictEqual(History.read(text), History.empty, String(text))
    }
  })
})
