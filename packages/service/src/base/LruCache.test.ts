import { assert, describe, it } from "@effect/vitest"
import { LruCache } from "./LruCache.ts"

describe("LruCache", () => {
  it("evicts the least recently used entries by weight", () => {
    const lru = new LruCache<number>(10)
    lru.set("a", 1, 4)
    lru.set("b", 2, 4)
    assert.strictEqual(lru.get("a"), 1)
    lru.set("c", 3, 4)
    assert.deepStrictEqual(
      ["a", "b", "c"].map((key) => lru.get(key)),
      [1, undefined, 3]
    )
  })

  it("counts a replaced value once, and rejects a value heavier than the limit", () => {
    const lru = new LruCache<number>(10)
    for (let round = 0; round < 5; round++) lru.set("a", round, 6)
    lru.set("b", 1, 4)
    assert.strictEqual(lru.get("a"), 4)
    lru.set("a", 9, 11)
    assert.isUndefined(lru.get("a"))
    assert.strictEqual(lru.get("b"), 1)
  })
})
