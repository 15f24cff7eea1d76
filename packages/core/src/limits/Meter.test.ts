import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Meter from "./Meter.ts"

const minute = 60_000

describe("Meter", () => {
  it("counts for the span, and a little longer", () => {
    const meter = Meter.add(Meter.empty, minute, 1_000, 5)
    assert.strictEqual(Meter.used(meter, minute, 61_000), 5)
    assert.strictEqual(Meter.used(meter, minute, 63_000), 0)
  })

  it("tells when there is room", () => {
    const meter = Meter.add(Meter.add(Meter.empty, minute, 0, 5), minute, 10_000, 5)
    assert.strictEqual(Meter.settles(meter, minute, 20_000, 10), 20_000)
    const first = Meter.settles(meter, minute, 20_000, 5)
    const both = Meter.settles(meter, minute, 20_000, 4)
    assert.strictEqual(Meter.used(meter, minute, first - 1), 10)
    assert.strictEqual(Meter.used(meter, minute, first), 5)
    assert.strictEqual(Meter.used(meter, minute, both), 0)
  })

  it("moves what counts from later on", () => {
    const meter = Meter.move(Meter.add(Meter.empty, minute, 0, 5), minute, 0, 30_000, 5)
    assert.strictEqual(Meter.used(meter, minute, 80_000), 5)
    assert.strictEqual(Meter.used(meter, minute, 95_000), 0)
  })

  it("forgets what is from a future that was taken back", () => {
    const meter = Meter.add(Meter.empty, minute, 3_600_000, 900)
    assert.strictEqual(Meter.used(meter, minute, 0), 0)
    assert.strictEqual(Meter.used(Meter.add(meter, minute, 0, 1), minute, 0), 1)
  })

  const Step = Schema.Tuple([Schema.Literals([0, 7, 499, 500, 5_000, 60_000]), Schema.Literals([0, 1, 5, 40])])

  it.prop("never counts less than what came within the span, and stays small", [Schema.Array(Step)], ([steps]) => {
    let meter = Meter.empty
    let now = 0
    const log: Array<readonly [number, number]> = []
    for (const [pass, amount] of steps) {
      now += pass
      meter = Meter.add(meter, minute, now, amount)
      log.push([now, amount])
      const exact = log.reduce((sum, [at, amount]) => (at > now - minute ? sum + amount : sum), 0)
      assert.isAtLeast(Meter.used(meter, minute, now), exact)
      assert.isAtMost(meter.length, 2 * 125)
    }
    assert.strictEqual(Meter.used(meter, minute, now + 2 * minute), 0)
  })
})
