import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as CircuitBreaker from "./CircuitBreaker.ts"
import { type LeasedDelivery, DeliveryRows } from "./DeliveryRows.ts"
import type { HookRow } from "./HookRows.ts"
import { Outbox } from "./Outbox.ts"
import * as Receiver from "./Receiver.test-support.ts"
import { SecretSealer } from "./SecretSealer.ts"
import * as DeliveryWorker from "./DeliveryWorker.ts"

const hook: HookRow = {
  id: 1,
  repository_id: 1,
  organization_id: null,
  app_id: null,
  creator_id: 1,
  by_app: 0,
  active: 1,
  events: ["*"],
  url: "http://192.0.2.1/",
  content_type: "json",
  insecure_ssl: "0",
  sealed: null,
  last_code: null,
  last_status: "unused",
  last_message: null,
  ...CircuitBreaker.closed,
  created_at: "",
  updated_at: ""
}

const ready = Layer.effect(
  Outbox,
  Effect.map(Latch.make(), (ready) => Outbox.of({ ready, put: () => Effect.die(""), redeliver: () => Effect.die("") }))
)

const services = (deliveries: Partial<DeliveryRows["Service"]>) =>
  Layer.mergeAll(
    Layer.mock(DeliveryRows, { giveUp: Effect.void, forget: () => Effect.void, ...deliveries }),
    ready,
    Layer.succeed(SecretSealer, SecretSealer.of({ seal: () => null, open: () => ({}) }))
  )

/** A leased delivery to a slow receiver. */
const leasedOf = (id: number, url: string, isLeased: LeasedDelivery["isLeased"]): LeasedDelivery => ({
  delivery: {
    id,
    hook_id: 1,
    guid: `${id}`,
    redelivery: 0,
    event: "push",
    action: null,
    repository_id: 1,
    installation_id: null,
    payload: "{}",
    created_at: 0,
    leased_until: 0
  },
  hook: { ...hook, url, is_slow: 1 },
  isLeased
})

it.effect("keeps records of deliveries for 30 days", () => {
  const forgotten: Array<number> = []
  const fake = services({
    claim: () => Effect.undefined,
    forget: (before) => Effect.sync(() => void forgotten.push(before))
  })
  const month = 30 * 24 * 3_600_000
  return Effect.gen(function* () {
    yield* Layer.build(
      Layer.provide(DeliveryWorker.layer({ dialect: "service", allowLocal: false, whenIdle: Effect.void }), fake)
    )
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual(forgotten, [-month, 3_600_000 - month])
  })
})

it.effect.each([
  ["before the send", [false]],
  ["while the process connected", [true, false]]
] as const)("sends nothing and releases the delivery if the lease ended %s", ([, leased]) =>
  Effect.gen(function* () {
    const receiver = yield* Receiver.make()
    const released = yield* Deferred.make<number>()
    const answers: Array<boolean> = [...leased]
    let claims = 0
    const fake = services({
      claim: () =>
        Effect.sync(() => (claims++ === 0 ? leasedOf(1, receiver.url, () => answers.shift() ?? true) : undefined)),
      settle: () => Effect.die("nothing to settle"),
      release: ({ delivery }) => Effect.asVoid(Deferred.succeed(released, delivery.id))
    })
    yield* Layer.build(
      Layer.provide(DeliveryWorker.layer({ dialect: "service", allowLocal: true, whenIdle: Effect.void }), fake)
    )
    assert.strictEqual(yield* Deferred.await(released), 1)
    assert.deepStrictEqual(answers, [])
    assert.deepStrictEqual(yield* receiver.rest, [])
  })
)

it.effect("sends at most four concurrent deliveries to slow receivers", () =>
  Effect.gen(function* () {
    const receiver = yield* Receiver.make(() => "never")
    const settled: Array<number> = []
    let id = 0
    const slow = () => leasedOf(++id, receiver.url, () => true)
    const fake = services({
      claim: (_, { allowSlow }) => Effect.sync(() => (allowSlow ? slow() : undefined)),
      settle: ({ delivery }) => Effect.sync(() => settled.push(delivery.id) > 0)
    })
    yield* Layer.build(
      Layer.provide(DeliveryWorker.layer({ dialect: "service", allowLocal: true, whenIdle: Effect.void }), fake)
    )
    for (let index = 0; index < 4; index++) yield* receiver.next
    yield* TestClock.adjust("9 seconds")
    assert.deepStrictEqual([id, settled], [4, []])
    yield* TestClock.adjust("1 second")
    for (let index = 0; index < 4; index++) yield* receiver.next
    assert.deepStrictEqual([id, settled], [8, [1, 2, 3, 4]])
  })
)
