import { assert, it } from "@effect/vitest"
import * as TextCache from "./TextCache.ts"

it("keeps the texts that were used last, up to its size", () => {
  const cache = TextCache.make(10)
  cache.set("a", "1234")
  cache.set("b", "1234")
  assert.strictEqual(cache.get("a"), "1234")
  cache.set("c", "1234")
  assert.deepStrictEqual([cache.get("a"), cache.get("b"), cache.get("c")], ["1234", undefined, "1234"])
  cache.set("a", "12")
  cache.set("d", "1234")
  assert.deepStrictEqual([cache.get("a"), cache.get("c"), cache.get("d")], ["12", "1234", "1234"])
  cache.set("e", "12345678901")
  assert.isUndefined(cache.get("e"))
  assert.strictEqual(cache.get("d"), "1234")
})
