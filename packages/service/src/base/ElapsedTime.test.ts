import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as ElapsedTime from "./ElapsedTime.ts"

it("never goes back, and is as fast as the faster clock", () => {
  let [monotonic, wall] = [0, 1_000_000]
  const time = ElapsedTime.make({
    ...Clock.Clock.defaultValue(),
    monotonicTimeNanosUnsafe: () => BigInt(monotonic) * 1_000_000n,
    currentTimeMillisUnsafe: () => wall
  })
  const after = (monotonicMillis: number, wallMillis: number) => {
    monotonic += monotonicMillis
    wall += wallMillis
    return time()
  }
  assert.strictEqual(after(5, 5), 5)
  // The wall clock was set back.
  assert.strictEqual(after(10, -500_000), 15)
  assert.strictEqual(after(10, 10), 25)
  // The machine slept.
  assert.strictEqual(after(1, 60_000), 60_025)
  // The wall clock was set forward and back.
  assert.strictEqual(after(0, 1000), 61_025)
  assert.strictEqual(after(0, -1000), 61_025)
  assert.strictEqual(after(7, 7), 61_032)
})
