import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { folder } from "../git/Fixture.test-support.ts"
import { type Claimed, Deliveries } from "./Deliveries.ts"
import { Hooks } from "./Hooks.ts"
import * as Storage from "./Storage.ts"
import { Users } from "./Users.ts"

const lease = 12_000

const hook = Effect.fnUntraced(function* (login: string) {
  const { id } = yield* (yield* Users).ensure({ login, type: "Organization" })
  return yield* (yield* Hooks).add({
    place: { kind: "organization", id },
    creatorId: id,
    byApp: false,
    active: 1,
    events: ["*"],
    url: "http://192.0.2.1/",
    content_type: "json",
    insecure_ssl: "0",
    sealed: null
  })
})

const outcome = {
  code: 200,
  status: "OK",
  last: { last_code: 200, last_status: "active", last_message: "OK" },
  startedAt: 0,
  duration: 0,
  url: "http://192.0.2.1/",
  requestHeaders: null,
  responseHeaders: null,
  responseBody: null
}

const guidOf = Option.map(({ delivery }: Claimed) => delivery.guid)

layer(Layer.unwrap(Effect.map(folder, Storage.layer)))("the outbox", (it) => {
  it.effect("gives each delivery to one at a time, and again when its lease is over", () =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const one = yield* hook("one")
      const message = { event: "push", action: null, repositoryId: null, payload: "{}" }
      for (const guid of ["a", "b"]) yield* deliveries.add({ ...message, hookId: one.id, guid })
      const claim = deliveries.claim(lease)
      const first = Option.getOrThrow(yield* claim)
      assert.strictEqual(first.delivery.guid, "a")
      assert.deepStrictEqual(guidOf(yield* claim), Option.some("b"))
      assert.deepStrictEqual(yield* claim, Option.none())
      yield* deliveries.settle(first, outcome)
      yield* TestClock.adjust(lease - 1)
      assert.deepStrictEqual(yield* claim, Option.none())
      yield* TestClock.adjust(1)
      const again = Option.getOrThrow(yield* claim)
      assert.strictEqual(again.delivery.guid, "b")
      yield* deliveries.release(again.delivery.id)
      assert.deepStrictEqual(guidOf(yield* claim), Option.some("b"))
      yield* deliveries.settle(again, outcome)
      yield* TestClock.adjust(lease)
      assert.deepStrictEqual(yield* claim, Option.none())
      yield* deliveries.forget(1)
      assert.lengthOf(yield* deliveries.page({ hookId: one.id, before: undefined, outcome: undefined, limit: 9 }), 2)
      yield* deliveries.forget(1000)
      assert.deepStrictEqual(
        yield* deliveries.page({ hookId: one.id, before: undefined, outcome: undefined, limit: 9 }),
        []
      )
    })
  )

  it.effect("does not let one receiver take every place", () =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const slow = yield* hook("slow")
      const other = yield* hook("other")
      const message = { event: "push", action: null, repositoryId: null, payload: "{}" }
      for (let index = 0; index < 6; index++)
        yield* deliveries.add({ ...message, hookId: slow.id, guid: `slow ${index}` })
      yield* deliveries.add({ ...message, hookId: other.id, guid: "other" })
      const claimed = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => deliveries.claim(lease))
      const guids = claimed.flatMap((one) => Option.toArray(guidOf(one)))
      assert.deepStrictEqual(guids, ["slow 0", "slow 1", "slow 2", "slow 3", "other"])
    })
  )
})
