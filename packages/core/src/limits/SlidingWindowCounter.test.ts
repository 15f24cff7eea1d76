import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as SlidingWindowCounter from "./SlidingWindowCounter.ts"

const minute = 60_000

describe("Meter", () => {
  it("counts for the span, and a little longer", () => {
    const meter = SlidingWindowCounter.add(SlidingWindowCounter.empty, minute, 1_000, 5)
    assert.strictEqual(SlidingWindowCounter.used(meter, minute, 61_000), 5)
    assert.strictEqual(SlidingWindowCounter.used(meter, minute, 63_000), 0)
  })

  it("tells when there is room", () => {
    const meter = SlidingWindowCounter.add(
      SlidingWindowCounter.add(SlidingWindowCounter.empty, minute, 0, 5),
      minute,
      10_000,
      5
    )
    assert.strictEqual(SlidingWindowCounter.availableAt(meter, minute, 20_000, 10), 20_000)
    const first = SlidingWindowCounter.availableAt(meter, minute, 20_000, 5)
    const both = SlidingWindowCounter.availableAt(meter, minute, 20_000, 4)
    assert.strictEqual(SlidingWindowCounter.used(meter, minute, first - 1), 10)
    assert.strictEqual(SlidingWindowCounter.used(meter, minute, first), 5)
    assert.strictEqual(SlidingWindowCounter.used(meter, minute, both), 0)
  })

  it("moves what counts from later on", () => {
    const meter = SlidingWindowCounter.move(
      SlidingWindowCounter.add(SlidingWindowCounter.empty, minute, 0, 5),
      minute,
      0,
      30_000,
      5
    )
    assert.strictEqual(SlidingWindowCounter.used(meter, minute, 80_000), 5)
    assert.strictEqual(SlidingWindowCounter.used(meter, minute, 95_000), 0)
  })

  it("forgets what is from a future that was taken back", () => {
    const meter = SlidingWindowCounter.add(SlidingWindowCounter.empty, minute, 3_600_000, 900)
    assert.strictEqual(SlidingWindowCounter.used(meter, minute, 0), 0)
    assert.strictEqual(SlidingWindowCounter.used(SlidingWindowCounter.add(meter, minute, 0, 1), minute, 0), 1)
  })

  const Step = Schema.Tuple([Schema.Literals([0, 7, 499, 500, 5_000, 60_000]), Schema.Literals([0, 1, 5, 40])])

  it.prop("never counts less than what came within the span, and stays small", [Schema.Array(Step)], ([steps]) => {
    let meter = SlidingWindowCounter.empty
    let now = 0
    const log: Array<readonly [number, number]> = []
    for (const [pass, amount] of steps) {
      now += pass
      meter = SlidingWindowCounter.add(meter, minute, now, amount)
      log.push([now, amount])
      const exact = log.reduce((sum, [at, amount]) => (at > now - minute ? sum + amount : sum), 0)
      assert.isAtLeast(SlidingWindowCounter.used(meter, minute, now), exact)
      assert.isAtMost(meter.length, 2 * 125)
    }
    assert.strictEqual(SlidingWindowCounter.used(meter, minute, now + 2 * minute), 0)
  })
})
