import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { UserRows } from "../accounts/UserRows.ts"
import { folder } from "../git/Fixture.test-support.ts"
import * as Storage from "../main/Storage.ts"
import { requireRow } from "../storage/RowDecoder.ts"
import * as TestDatabase from "../storage/TestDatabase.test-support.ts"
import * as CircuitBreaker from "./CircuitBreaker.ts"
import { DeliveryRows } from "./DeliveryRows.ts"
import * as DeliveryWorker from "./DeliveryWorker.ts"
import { HookRows } from "./HookRows.ts"
import { Outbox } from "./Outbox.ts"
import { SecretSealer } from "./SecretSealer.ts"

const HOUR = 3_600_000

/** The clock of a machine that is ahead of the others. */
const clockAhead = (millis: number): Clock.Clock => {
  const clock = Clock.Clock.defaultValue()
  const now = () => clock.currentTimeMillisUnsafe() + millis
  const nanos = () => clock.currentTimeNanosUnsafe() + BigInt(millis) * 1_000_000n
  return {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
}

/** Opens the store of a data folder as a process with a clock would. */
const open = (data: string, ahead: number) =>
  Effect.gen(function* () {
    const database = yield* TestDatabase.databaseOf(data)
    const clock = Layer.succeed(Clock.Clock, clockAhead(ahead))
    return Layer.fresh(Storage.layer(data, database)).pipe(Layer.provideMerge(clock))
  })

/** Starts a process that sends deliveries. */
const work = Effect.fnUntraced(function* (data: string, ahead: number, inOrder = false) {
  const worker = DeliveryWorker.layer({ dialect: "github", allowLocal: true, whenIdle: Effect.void, inOrder })
  const services = Layer.mergeAll(Outbox.layer, SecretSealer.layer(data))
  yield* Layer.build(worker.pipe(Layer.provide(services), Layer.provide(yield* open(data, ahead))))
})

/** A receiver that responds after a time in milliseconds. */
const receive = Effect.fnUntraced(function* (delay: () => number) {
  const received: Array<{ readonly guid: string; readonly at: number }> = []
  const running = { now: 0, most: 0 }
  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => {
        received.push({ guid: String(request.headers["x-github-delivery"]), at: performance.now() })
        request.resume()
        running.most = Math.max(running.most, ++running.now)
        const respond = () => {
          running.now -= 1
          response.end("ok")
        }
        request.on("end", () => setTimeout(respond, delay()))
      })
      await once(server.listen(0, "127.0.0.1"), "listening")
      return server
    }),
    (server) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
  )
  const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- the server listens on a port
  return { url: `http://127.0.0.1:${port}/`, received, running }
})

const setUp = Effect.fnUntraced(function* (delay = () => Math.random() * 20) {
  const data = yield* folder
  const { received, running, url } = yield* receive(delay)
  const context = yield* Layer.build(yield* open(data, 0))
  const [deliveries, hooks, users] = [
    Context.get(context, DeliveryRows),
    Context.get(context, HookRows),
    Context.get(context, UserRows)
  ]
  const owner = yield* users.ensure({ login: "acme", type: "Organization" })
  const hook = yield* hooks.add({
    owner: { kind: "organization", id: owner.id },
    creatorId: owner.id,
    byApp: false,
    active: 1,
    events: ["*"],
    url,
    content_type: "json",
    insecure_ssl: "0",
    sealed: null
  })
  /** The receiver has responded, so that a fast one gets several deliveries at a time. */
  const answered = (isSlow: boolean) => {
    const last = { last_code: 200, last_status: "active", last_message: "OK" }
    return hooks.answered(hook.id, { ...last, ...CircuitBreaker.closed, is_slow: isSlow ? 1 : 0 })
  }
  const add = (guid: string) =>
    deliveries.add({ hookId: hook.id, guid, event: "push", action: null, repositoryId: null, payload: "{}" })
  const log = Effect.map(
    deliveries.page({ hookId: hook.id, position: undefined, outcome: undefined, limit: 500 }),
    (rows) => rows.toReversed().map(({ guid, status }) => ({ guid, status }))
  )
  /** Waits until the log has a number of deliveries. */
  const logged = Effect.fnUntraced(function* (count: number) {
    for (let attempt = 0; attempt < 400; attempt++) {
      const rows = yield* log
      if (rows.length >= count) return rows
      yield* Effect.sleep(50)
    }
    return assert.fail(`the log never had ${count} deliveries`)
  })
  return { data, deliveries, add, answered, logged, received, running }
})

describe.skipIf(!TestDatabase.isPostgres)("an outbox of three processes whose clocks differ by hours", () => {
  it.live("sends each delivery once, a limited number at a time", () =>
    Effect.gen(function* () {
      const { add, answered, data, logged, received, running } = yield* setUp()
      yield* answered(false)
      const guids = Array.from({ length: 120 }, (_, index) => `delivery ${index}`)
      yield* Effect.all([0, -HOUR, HOUR].map((ahead) => work(data, ahead)))
      for (const guid of guids) yield* add(guid)
      const log = yield* logged(guids.length)
      assert.deepStrictEqual(
        log,
        guids.map((guid) => ({ guid, status: "OK" }))
      )
      assert.sameMembers(
        received.map(({ guid }) => guid),
        guids
      )
      assert.isAtMost(running.most, CircuitBreaker.MAX_FAST)
    })
  )

  it.live("sends in order for a cluster, also after the death of a process", () =>
    Effect.gen(function* () {
      const { add, answered, data, deliveries, logged, received, running } = yield* setUp()
      yield* answered(false)
      const guids = Array.from({ length: 60 }, (_, index) => `delivery ${index}`)
      for (const guid of guids) yield* add(guid)
      yield* requireRow(deliveries.claim(4000, { allowSlow: true, inOrder: true }))
      yield* Effect.all([0, -HOUR, HOUR].map((ahead) => work(data, ahead, true)))
      yield* logged(guids.length)
      assert.deepStrictEqual(
        received.map(({ guid }) => guid),
        guids
      )
      assert.strictEqual(running.most, 1)
    })
  )

  it.live("sends to a slow receiver one by one, in order", () =>
    Effect.gen(function* () {
      const { add, answered, data, logged, received, running } = yield* setUp(() => 2100)
      yield* answered(true)
      const guids = ["one", "two", "three", "four"]
      for (const guid of guids) yield* add(guid)
      yield* Effect.all([0, -HOUR, HOUR].map((ahead) => work(data, ahead)))
      yield* logged(guids.length)
      assert.deepStrictEqual(
        received.map(({ guid }) => guid),
        guids
      )
      assert.strictEqual(running.most, 1)
    })
  )

  it.live("sends a delivery again with the same id when the lease of a dead process ends", () =>
    Effect.gen(function* () {
      const { add, answered, data, deliveries, logged, received } = yield* setUp()
      yield* answered(false)
      yield* add("interrupted")
      const dead = yield* requireRow(deliveries.claim(8000, { allowSlow: true }))
      const leasedAt = performance.now()
      yield* Effect.all([0, -HOUR, HOUR].map((ahead) => work(data, ahead)))
      yield* add("another")
      const log = yield* logged(2)
      assert.deepStrictEqual(
        log.map(({ guid }) => guid),
        ["interrupted", "another"]
      )
      const [first, second, ...others] = received
      assert.deepStrictEqual([first?.guid, second?.guid, others], ["another", "interrupted", []])
      assert.isAtLeast((second?.at ?? 0) - leasedAt, 7900)
      // The process continues: it was only stopped.
      assert.isFalse(dead.isLeased())
      const late = { ...outcome, status: "late" }
      assert.isFalse(yield* deliveries.settle(dead, late))
      yield* deliveries.release(dead)
      assert.deepStrictEqual(yield* logged(2), log)
      yield* Effect.sleep(1500)
      assert.lengthOf(received, 2)
    })
  )
})

const outcome = {
  code: 200,
  isAnswered: true,
  status: "OK",
  last: { last_code: 200, last_status: "active", last_message: "OK" },
  startedAt: 0,
  duration: 0,
  url: "",
  requestHeaders: null,
  responseHeaders: null,
  responseBody: null
}
