import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { folder } from "../git/Fixture.test-support.ts"
import * as CircuitBreaker from "./CircuitBreaker.ts"
import { type LeasedDelivery, DeliveryRows, type DeliveryOutcome } from "./DeliveryRows.ts"
import { HookRows } from "./HookRows.ts"
import { UserRows } from "../accounts/UserRows.ts"
import { requireRow } from "../storage/RowDecoder.ts"
import * as TestDatabase from "../storage/TestDatabase.test-support.ts"

const LEASE = 12_000
const all = { allowSlow: true }

const hook = Effect.fnUntraced(function* (login: string) {
  const { id } = yield* (yield* UserRows).ensure({ login, type: "Organization" })
  return yield* (yield* HookRows).add({
    owner: { kind: "organization", id },
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
  isAnswered: true,
  status: "OK",
  last: { last_code: 200, last_status: "active", last_message: "OK" },
  startedAt: 0,
  duration: 0,
  url: "http://192.0.2.1/",
  requestHeaders: null,
  responseHeaders: null,
  responseBody: null
} satisfies DeliveryOutcome

const unanswered = {
  ...outcome,
  code: 504,
  isAnswered: false,
  status: "timed out",
  last: { last_code: 504, last_status: "misconfigured", last_message: "timed out" },
  duration: 10
} satisfies DeliveryOutcome

const message = { event: "push", action: null, repositoryId: null, payload: "{}" }

const guidOf = (claimed: LeasedDelivery | undefined) => claimed?.delivery.guid

layer(Layer.unwrap(Effect.map(folder, TestDatabase.storageLayer)))("the outbox", (it) => {
  it.effect("leases each delivery to one sender, and again when the lease ends", () =>
    Effect.gen(function* () {
      const deliveries = yield* DeliveryRows
      const one = yield* hook("one")
      yield* (yield* HookRows).answered(one.id, { ...outcome.last, ...CircuitBreaker.closed })
      assert.deepStrictEqual(yield* deliveries.backlog, { waiting: 0, oldest: null })
      for (const guid of ["a", "b"]) yield* deliveries.add({ ...message, hookId: one.id, guid })
      assert.deepStrictEqual(yield* deliveries.backlog, { waiting: 2, oldest: yield* Clock.currentTimeMillis })
      const claim = deliveries.claim(LEASE, all)
      const first = yield* requireRow(claim)
      assert.strictEqual(first.delivery.guid, "a")
      assert.deepStrictEqual(guidOf(yield* claim), "b")
      assert.deepStrictEqual(yield* claim, undefined)
      yield* deliveries.settle(first, outcome)
      yield* TestClock.adjust(LEASE - 1)
      assert.deepStrictEqual(yield* claim, undefined)
      yield* TestClock.adjust(1)
      const again = yield* requireRow(claim)
      assert.strictEqual(again.delivery.guid, "b")
      yield* deliveries.release(again)
      assert.deepStrictEqual(guidOf(yield* claim), "b")
      yield* deliveries.settle(again, outcome)
      assert.strictEqual((yield* deliveries.backlog).waiting, 0)
      yield* TestClock.adjust(LEASE)
      assert.deepStrictEqual(yield* claim, undefined)
      yield* deliveries.forget(1)
      assert.lengthOf(yield* deliveries.page({ hookId: one.id, position: undefined, outcome: undefined, limit: 9 }), 2)
      yield* deliveries.forget(1000)
      assert.deepStrictEqual(
        yield* deliveries.page({ hookId: one.id, position: undefined, outcome: undefined, limit: 9 }),
        []
      )
    })
  )

  it.effect("sends again what was leased or delayed before the clock went back", () =>
    Effect.gen(function* () {
      const deliveries = yield* DeliveryRows
      const hooks = yield* HookRows
      const { id } = yield* hook("clock")
      yield* TestClock.adjust("1 hour")
      const claim = deliveries.claim(LEASE, all)
      const later = (yield* Clock.currentTimeMillis) + 86_400_000
      yield* hooks.answered(id, { ...outcome.last, ...CircuitBreaker.closed, failures: 3, retry_at: later })
      yield* deliveries.add({ ...message, hookId: id, guid: "delayed" })
      const claimed = yield* requireRow(claim)
      assert.strictEqual(claimed.delivery.guid, "delayed")
      yield* hooks.answered(id, { ...outcome.last, ...CircuitBreaker.closed })
      assert.deepStrictEqual(yield* claim, undefined)
      yield* TestClock.setTime((yield* Clock.currentTimeMillis) - 120_000)
      const again = yield* requireRow(claim)
      assert.strictEqual(again.delivery.guid, "delayed")
      assert.isFalse(yield* deliveries.settle(claimed, unanswered))
      assert.isTrue(yield* deliveries.settle(again, outcome))
    })
  )

  it.effect("alternates between hooks, with limited concurrency, and one delivery before the first response", () =>
    Effect.gen(function* () {
      const deliveries = yield* DeliveryRows
      const add = (hookId: number, guid: string) => deliveries.add({ ...message, hookId, guid })
      const claim = deliveries.claim(LEASE, all)
      const known = yield* hook("known")
      yield* add(known.id, "first")
      yield* deliveries.settle(yield* requireRow(claim), outcome)
      for (let index = 0; index < 6; index++) yield* add(known.id, `known ${index}`)
      const fresh = yield* hook("new")
      for (const guid of ["new 0", "new 1"]) yield* add(fresh.id, guid)
      const other = yield* hook("other")
      for (const guid of ["other 0", "other 1"]) yield* add(other.id, guid)
      const claimed = yield* Effect.forEach(Array.from({ length: 9 }), () => claim)
      const guids = claimed.flatMap((one) => guidOf(one) ?? [])
      assert.deepStrictEqual(guids, ["new 0", "other 0", "known 0", "known 1", "known 2", "known 3"])
      for (const one of claimed) if (one !== undefined) yield* deliveries.settle(one, outcome)
      const rest = yield* Effect.forEach(Array.from({ length: 9 }), () => claim)
      assert.sameMembers(
        rest.flatMap((one) => guidOf(one) ?? []),
        ["new 1", "other 1", "known 4", "known 5"]
      )
      for (const one of rest) if (one !== undefined) yield* deliveries.settle(one, outcome)
    })
  )

  it.effect("delays deliveries after three attempts without a response, and notes it", () =>
    Effect.gen(function* () {
      const deliveries = yield* DeliveryRows
      const hooks = yield* HookRows
      const dead = yield* hook("dead")
      const owner = { kind: "organization", id: dead.organization_id ?? 0 } as const
      const claim = deliveries.claim(LEASE, all)
      const attempt = Effect.fnUntraced(function* (guid: string, result: DeliveryOutcome) {
        const claimed = yield* requireRow(claim)
        assert.strictEqual(claimed.delivery.guid, guid)
        const startedAt = yield* Clock.currentTimeMillis
        yield* deliveries.settle(claimed, { ...result, startedAt })
        const hook = yield* requireRow(hooks.find(owner, dead.id))
        const record = yield* requireRow(deliveries.find(dead.id, claimed.delivery.id))
        assert.strictEqual(record.status, hook.last_message)
        return hook.last_message
      })
      for (const guid of ["a", "b", "c", "d", "e", "f", "g"]) {
        yield* deliveries.add({ ...message, hookId: dead.id, guid })
      }
      assert.strictEqual(yield* attempt("a", unanswered), "timed out")
      assert.deepStrictEqual(yield* deliveries.claim(LEASE, { allowSlow: false }), undefined)
      assert.strictEqual(yield* attempt("b", unanswered), "timed out")
      const opened = ", 3 failures in a row: the next attempt is in 30 seconds"
      assert.strictEqual(yield* attempt("c", unanswered), `timed out${opened}`)
      assert.deepStrictEqual(yield* claim, undefined)
      yield* TestClock.adjust("29 seconds")
      assert.deepStrictEqual(yield* claim, undefined)
      // A redelivery does not wait.
      yield* deliveries.add({ ...message, hookId: dead.id, guid: "a", redelivery: true })
      assert.strictEqual(
        yield* attempt("a", unanswered),
        "timed out, 4 failures in a row: the next attempt is in 60 seconds"
      )
      yield* TestClock.adjust("60 seconds")
      const delayed = "delayed by 89 seconds because the receiver had not answered"
      assert.strictEqual(
        yield* attempt("d", unanswered),
        `timed out, ${delayed}, 5 failures in a row: the next attempt is in 120 seconds`
      )
      yield* TestClock.adjust("120 seconds")
      // Any response closes the breaker. The note explains the delay.
      assert.strictEqual(yield* attempt("e", outcome), `OK, ${delayed.replace("89", "209")}`)
      assert.strictEqual(yield* attempt("f", outcome), `OK, ${delayed.replace("89", "209")}`)
      yield* deliveries.add({ ...message, hookId: dead.id, guid: "h" })
      assert.match(String(yield* attempt("g", outcome)), /^OK, delayed/)
      assert.strictEqual(yield* attempt("h", outcome), "OK")
    })
  )

  it.effect("waits at most ten minutes between attempts, and fails a delivery after a day", () =>
    Effect.gen(function* () {
      const deliveries = yield* DeliveryRows
      const gone = yield* hook("gone")
      const claim = deliveries.claim(LEASE, all)
      for (let index = 0; index < 40; index++) {
        yield* deliveries.add({ ...message, hookId: gone.id, guid: `gone ${index}` })
      }
      let attempts = 0
      for (let minutes = 0; minutes < 120; minutes += 10, yield* TestClock.adjust("10 minutes")) {
        const claimed = yield* claim
        if (claimed === undefined) continue
        attempts++
        yield* deliveries.settle(claimed, { ...unanswered, startedAt: yield* Clock.currentTimeMillis })
      }
      assert.strictEqual(attempts, 12)
      const count = Effect.map(
        deliveries.page({ hookId: gone.id, position: undefined, outcome: "failure", limit: 99 }),
        (rows) => rows.length
      )
      yield* deliveries.giveUp
      assert.strictEqual(yield* count, 12)
      yield* TestClock.adjust("1 day")
      yield* deliveries.giveUp
      assert.strictEqual(yield* count, 40)
      const [newest] = yield* deliveries.page({ hookId: gone.id, position: undefined, outcome: "failure", limit: 1 })
      assert.match(String(newest?.status), /^not sent: /)
      assert.deepStrictEqual(yield* claim, undefined)
      assert.isDefined(yield* deliveries.find(gone.id, newest?.id ?? 0))
    })
  )
})
