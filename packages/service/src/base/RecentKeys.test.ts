import { assert, it } from "@effect/vitest"
import * as RecentKeys from "./RecentKeys.ts"

it("knows the keys of at least the last half of the limit, and forgets older ones", () => {
  const isRepeated = RecentKeys.make(4)
  assert.isFalse(isRepeated("a"))
  assert.isTrue(isRepeated("a"))
  for (const key of ["b", "c"]) assert.isFalse(isRepeated(key), key)
  assert.isTrue(isRepeated("a"))
  for (const key of ["d", "e", "f", "g"]) assert.isFalse(isRepeated(key), key)
  assert.isFalse(isRepeated("a"))
})
