import { assert, it } from "@effect/vitest"
import { Effect, Latch, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { RefChanges } from "../events/RefChanges.ts"
import { Deliveries } from "../storage/Deliveries.ts"
import { Outbox } from "./Outbox.ts"
import { Secrets } from "./Secrets.ts"
import * as Worker from "./Worker.ts"

it.effect("records of deliveries are kept for 30 days, however long the process runs", () => {
  const forgotten: Array<number> = []
  const services = Layer.mergeAll(
    Layer.mock(Deliveries, {
      claim: () => Effect.succeed(Option.none()),
      forget: (before) => Effect.sync(() => void forgotten.push(before))
    }),
    Layer.effect(
      Outbox,
      Effect.map(Latch.make(), (filled) =>
        Outbox.of({ filled, put: () => Effect.die(""), again: () => Effect.die("") })
      )
    ),
    Layer.mock(RefChanges, { recover: Effect.void }),
    Layer.succeed(Secrets, Secrets.of({ seal: () => null, open: () => Option.none() }))
  )
  const month = 30 * 24 * 3_600_000
  return Effect.gen(function* () {
    yield* Layer.build(Layer.provide(Worker.layer({ dialect: "service", allowLocal: false }), services))
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual(forgotten, [-month, 3_600_000 - month])
  })
})
