import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as SlidingWindowCounter from "./SlidingWindowCounter.ts"

const MINUTE = 60_000

describe("SlidingWindowCounter", () => {
  it("counts for the span, rounded up", () => {
    const counter = SlidingWindowCounter.add(SlidingWindowCounter.empty, MINUTE, 1_000, 5)
    assert.strictEqual(SlidingWindowCounter.used(counter, MINUTE, 61_000), 5)
    assert.strictEqual(SlidingWindowCounter.used(counter, MINUTE, 63_000), 0)
  })

  it("gives the time when there is room", () => {
    const counter = SlidingWindowCounter.add(
      SlidingWindowCounter.add(SlidingWindowCounter.empty, MINUTE, 0, 5),
      MINUTE,
      10_000,
      5
    )
    assert.strictEqual(SlidingWindowCounter.availableAt(counter, MINUTE, 20_000, 10), 20_000)
    const first = SlidingWindowCounter.availableAt(counter, MINUTE, 20_000, 5)
    const both = SlidingWindowCounter.availableAt(counter, MINUTE, 20_000, 4)
    assert.strictEqual(SlidingWindowCounter.used(counter, MINUTE, first - 1), 10)
    assert.strictEqual(SlidingWindowCounter.used(counter, MINUTE, first), 5)
    assert.strictEqual(SlidingWindowCounter.used(counter, MINUTE, both), 0)
  })

  it("moves charges to a later time", () => {
    const counter = SlidingWindowCounter.move(
      SlidingWindowCounter.add(SlidingWindowCounter.empty, MINUTE, 0, 5),
      MINUTE,
      0,
      30_000,
      5
    )
    assert.strictEqual(SlidingWindowCounter.used(counter, MINUTE, 80_000), 5)
    assert.strictEqual(SlidingWindowCounter.used(counter, MINUTE, 95_000), 0)
  })

  it("drops charges after a clock is set back", () => {
    const counter = SlidingWindowCounter.add(SlidingWindowCounter.empty, MINUTE, 3_600_000, 900)
    assert.strictEqual(SlidingWindowCounter.used(counter, MINUTE, 0), 0)
    assert.strictEqual(SlidingWindowCounter.used(SlidingWindowCounter.add(counter, MINUTE, 0, 1), MINUTE, 0), 1)
  })

  const Step = Schema.Tuple([Schema.Literals([0, 7, 499, 500, 5_000, 60_000]), Schema.Literals([0, 1, 5, 40])])

  it.prop("never counts less than the charges of the span, in bounded memory", [Schema.Array(Step)], ([steps]) => {
    let counter = SlidingWindowCounter.empty
    let now = 0
    const log: Array<readonly [number, number]> = []
    for (const [pass, amount] of steps) {
      now += pass
      counter = SlidingWindowCounter.add(counter, MINUTE, now, amount)
      log.push([now, amount])
      const exact = log.reduce((sum, [at, amount]) => (at > now - MINUTE ? sum + amount : sum), 0)
      assert.isAtLeast(SlidingWindowCounter.used(counter, MINUTE, now), exact)
      assert.isAtMost(counter.length, 2 * 125)
    }
    assert.strictEqual(SlidingWindowCounter.used(counter, MINUTE, now + 2 * MINUTE), 0)
  })
})
