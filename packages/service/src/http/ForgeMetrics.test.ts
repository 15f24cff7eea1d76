import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Indexer } from "../search/Indexer.ts"
import { type DeliveryBacklog, DeliveryRows } from "../webhooks/DeliveryRows.ts"
import * as ForgeMetrics from "./ForgeMetrics.ts"
import { parse } from "./OpenMetrics.test-support.ts"

/** Prints the metrics of a process without requests. */
const metricsWith = (backlog: Effect.Effect<DeliveryBacklog>) =>
  Effect.gen(function* () {
    const print = yield* ForgeMetrics.make({
      connections: Effect.succeed(0),
      unsentBytes: () => 0,
      isDraining: () => false
    })
    const printed = yield* Effect.forkChild(print)
    yield* TestClock.adjust("2 seconds")
    return [...parse(yield* Fiber.join(printed)).keys()]
  }).pipe(
    Effect.provide([
      Layer.mock(DeliveryRows, { backlog }),
      Layer.mock(Indexer, {
        counts: () => ({ phases: { empty: 0, ready: 0, waiting: 0, indexing: 0, failed: 0 }, size: 0 })
      })
    ])
  )

describe("ForgeMetrics", () => {
  it.effect("leaves out only the webhooks while the database fails or does not answer", () =>
    Effect.gen(function* () {
      const all = yield* metricsWith(Effect.succeed({ waiting: 1, oldest: null }))
      const others = all.filter((name) => !name.startsWith("tongs_webhook_"))
      assert.lengthOf(others, all.length - 2)
      assert.include(others, "tongs_http_requests_refused")
      assert.deepStrictEqual(yield* metricsWith(Effect.die("connection refused")), others)
      assert.deepStrictEqual(yield* metricsWith(Effect.never), others)
      assert.deepStrictEqual(yield* metricsWith(Effect.uninterruptible(Effect.never)), others)
    })
  )

  it("counts no interval of the measurement as a delay of the event loop", () => {
    assert.strictEqual(ForgeMetrics.delaySeconds(20_000_000), 0)
    assert.strictEqual(ForgeMetrics.delaySeconds(19_900_000), 0)
    assert.strictEqual(ForgeMetrics.delaySeconds(520_000_000), 0.5)
  })
})
