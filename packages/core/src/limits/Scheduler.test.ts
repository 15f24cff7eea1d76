import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as TestClock from "effect/testing/TestClock"
import * as Limits from "./Limits.ts"
import type { ScheduledRequest } from "./ScheduledRequest.ts"
import { Scheduler } from "./Scheduler.ts"

let scopes = 0

/** A test with a separate scheduler and clock. */
const test = <E>(name: string, effect: () => Effect.Effect<void, E, Scheduler>) =>
  it.effect(name, () => Effect.provide(effect(), Scheduler.layerMemory))

/** A request with a separate scope. */
const fresh = (options?: Partial<ScheduledRequest>): ScheduledRequest => ({
  scope: `scope ${scopes++}`,
  resource: "core",
  endpoint: "GET /user",
  method: "GET",
  priority: "normal",
  ...options
})

const request = HttpClientRequest.get("https://forge.test/user")

const answer = (status: number, headers: Record<string, string> = {}, message = "") =>
  HttpClientResponse.fromWeb(request, new Response(JSON.stringify({ message }), { status, headers }))

const window = (limit: number, remaining: number, reset: number, resource = "core") => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(reset),
  "x-ratelimit-resource": resource
})

const run = (request: ScheduledRequest, response: HttpClientResponse.HttpClientResponse) =>
  Scheduler.use((scheduler) => scheduler.run(request, Effect.succeed(response)))

const fork = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.forkChild(effect, { startImmediately: true })

/** A forge that rejects requests beyond the window. The forge's clock is ahead of ours by `skew` milliseconds. */
const strict = (limit: number, length: number, skew = 0, resource = "core") => {
  let used = 0
  let reset = 0
  const log = { sent: [] as Array<number>, rejected: 0 } // typed here, since an empty literal has no element type
  const send = Effect.clockWith((clock) =>
    Effect.sync(() => {
      const now = clock.currentTimeMillisUnsafe() + skew
      log.sent.push(now - skew)
      if (now >= reset) {
        used = 0
        reset = (Math.floor(now / 1000) + length) * 1000
      }
      const date = { date: new Date(Math.floor(now / 1000) * 1000).toUTCString() }
      if (used >= limit) {
        log.rejected++
        return answer(403, { ...window(limit, 0, reset / 1000, resource), ...date }, "API rate limit exceeded")
      }
      used++
      return answer(200, { ...window(limit, limit - used, reset / 1000, resource), ...date })
    })
  )
  return { send, log }
}

const statusOf = (request: ScheduledRequest) =>
  Scheduler.use((scheduler) =>
    Effect.map(scheduler.status, (scopes) => scopes.find((scope) => scope.scope === request.scope))
  )

describe("Scheduler", () => {
  describe("primary windows", () => {
    for (const skew of [0, 60_000, -60_000]) {
      test(`sends ten windows' worth without one refusal, with a clock ${skew} ms off`, () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(1_800_000_000_000)
          const scheduler = yield* Scheduler
          const request = fresh()
          const forge = strict(60, 60, skew)
          const all = yield* fork(
            Effect.forEach(Array.from({ length: 600 }), () => scheduler.run(request, Effect.delay(forge.send, 50)), {
              concurrency: "unbounded"
            })
          )
          for (let step = 0; step < 7200 && all.pollUnsafe() === undefined; step++) yield* TestClock.adjust(100)
          yield* Fiber.join(all)
          assert.strictEqual(forge.log.rejected, 0)
          assert.lengthOf(forge.log.sent, 600)
          // Resumes within a second after each reset: nine waits of a minute.
          const last = forge.log.sent.at(-1) ?? 0
          assert.isAtMost(last - 1_800_000_000_000, 9 * 61_000)
        }))
    }

    test("waits until the reset, without delaying other resources and free requests", () =>
      Effect.gen(function* () {
        const request = fresh()
        yield* run(request, answer(200, window(10, 0, 60)))
        const waiting = yield* fork(run(request, answer(200, window(10, 9, 120))))
        yield* run({ ...request, resource: "code_search" }, answer(200))
        yield* run({ ...request, resource: Limits.UNMETERED }, answer(200))
        assert.deepStrictEqual((yield* statusOf(request))?.waiting, [
          { resource: "core", endpoint: "GET /user", priority: "normal", count: 1, reason: "primary", until: 60_000 }
        ])
        yield* TestClock.adjust("59 seconds")
        assert.isUndefined(waiting.pollUnsafe())
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* Fiber.join(waiting)).status, 200)
        assert.deepInclude(yield* statusOf(request), {
          waiting: [],
          inFlight: 0,
          windows: [{ resource: "core", limit: 10, used: 1, remaining: 9, reset: 120_000 }]
        })
      }))

    test("keeps the last tenth from background requests", () =>
      Effect.gen(function* () {
        const request = fresh()
        yield* run(request, answer(200, window(100, 11, 60)))
        yield* run({ ...request, priority: "background" }, answer(200, window(100, 10, 60)))
        const waiting = yield* fork(run({ ...request, priority: "background" }, answer(200)))
        yield* run(request, answer(200, window(100, 9, 60)))
        assert.strictEqual((yield* statusOf(request))?.waiting[0]?.reason, "reserve")
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(waiting)
      }))

    test("recognizes a forge without limits", () =>
      Effect.gen(function* () {
        const request = fresh()
        assert.isUndefined(yield* statusOf(request))
        const { statusOf: read } = yield* Scheduler
        assert.strictEqual((yield* read(request.scope)).limits, "unknown")
        yield* run(request, answer(502))
        assert.strictEqual((yield* statusOf(request))?.limits, "unknown")
        yield* run(request, answer(200))
        assert.strictEqual((yield* statusOf(request))?.limits, "silent")
        yield* run({ ...request, resource: Limits.UNMETERED, endpoint: "GET /rate_limit" }, answer(404))
        yield* run(request, answer(200))
        assert.strictEqual((yield* statusOf(request))?.limits, "none")
      }))
  })

  describe("rate-limit responses", () => {
    const refuseOnce = (refusal: HttpClientResponse.HttpClientResponse, sent: Array<number>) =>
      Effect.clockWith((clock) =>
        Effect.sync(() => (sent.push(clock.currentTimeMillisUnsafe()) === 1 ? refusal : answer(200)))
      )

    for (const [name, refusal, at] of [
      ["retry-after", () => answer(403, { "retry-after": "2" }, "secondary rate limit"), 2000],
      ["a reset", () => answer(429, window(10, 0, 30), "API rate limit exceeded"), 30_000],
      ["nothing", () => answer(403, window(10, 5, 30), "You have exceeded a secondary rate limit"), 60_000]
    ] as const) {
      test(`wait as long as ${name} says, and repeat the request`, () =>
        Effect.gen(function* () {
          const scheduler = yield* Scheduler
          const sent: Array<number> = []
          const fiber = yield* fork(scheduler.run(fresh({ method: "POST" }), refuseOnce(refusal(), sent)))
          yield* TestClock.adjust(at - 1)
          assert.deepStrictEqual(sent, [0])
          yield* TestClock.adjust(1)
          assert.strictEqual((yield* Fiber.join(fiber)).status, 200)
          assert.deepStrictEqual(sent, [0, at])
        }))
    }

    test("pause the whole scope, then send one probe, then the rest", () =>
      Effect.gen(function* () {
        const scheduler = yield* Scheduler
        const request = fresh()
        const probed: Array<number> = []
        const rejected = yield* fork(
          scheduler.run(request, refuseOnce(answer(403, { "retry-after": "2" }, "secondary rate limit"), []))
        )
        const slow = Effect.andThen(
          Effect.sync(() => probed.push(1)),
          Effect.delay(Effect.succeed(answer(200)), "1 second")
        )
        yield* TestClock.adjust(0) // lets the scheduler read the body
        const others = yield* Effect.forEach(Array.from({ length: 5 }), () =>
          fork(scheduler.run({ ...request, priority: "interactive", resource: "code_search" }, slow))
        )
        assert.lengthOf(probed, 0)
        assert.strictEqual((yield* statusOf(request))?.pausedUntil, 2000)
        yield* TestClock.adjust("2 seconds")
        assert.lengthOf(probed, 1)
        assert.strictEqual((yield* statusOf(request))?.waiting[0]?.reason, "probe")
        yield* TestClock.adjust("1 second")
        assert.lengthOf(probed, 5)
        yield* TestClock.adjust("1 second")
        yield* Fiber.joinAll([rejected, ...others])
        assert.deepInclude(yield* statusOf(request), { pausedUntil: undefined, inFlight: 0, waiting: [] })
      }))

    test("increase the waits if they persist, and end in RateLimited", () =>
      Effect.gen(function* () {
        const scheduler = yield* Scheduler
        const sent: Array<number> = []
        const send = Effect.clockWith((clock) =>
          Effect.sync(() => {
            sent.push(clock.currentTimeMillisUnsafe() / 60_000)
            return answer(429, {}, "slow down")
          })
        )
        const fiber = yield* fork(Effect.flip(scheduler.run(fresh(), send)))
        yield* TestClock.adjust("2 hours")
        const error = yield* Fiber.join(fiber)
        const waits = sent.slice(1).map((time, index) => time - (sent[index] ?? 0))
        assert.lengthOf(waits, Limits.MAX_ATTEMPTS - 1)
        for (const [index, wait] of waits.entries()) {
          const before = waits[index - 1]
          assert.isAtLeast(wait, before === undefined ? 1 : 2 * before)
          assert.isAtMost(wait, before === undefined ? 1 : 2.2 * before + 0.001)
        }
        assert.deepInclude(error, {
          _tag: "RateLimited",
          limit: "secondary",
          resource: "core",
          request: "GET /user",
          detail: "slow down"
        })
        assert.isAtLeast(error.until, 31 * 60_000)
      }))

    test("without a wait are not repeated immediately", () =>
      Effect.gen(function* () {
        const scheduler = yield* Scheduler
        const sent: Array<number> = []
        const send = Effect.clockWith((clock) =>
          Effect.sync(() => {
            sent.push(clock.currentTimeMillisUnsafe())
            return answer(429, { "retry-after": "0" })
          })
        )
        const fiber = yield* fork(Effect.flip(scheduler.run(fresh(), send)))
        yield* TestClock.adjust(999)
        assert.lengthOf(sent, 2)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* Fiber.join(fiber))._tag, "RateLimited")
        assert.lengthOf(sent, Limits.MAX_ATTEMPTS)
        assert.isAtLeast((sent.at(-1) ?? 0) - (sent[1] ?? 0), 1000 + 2000 + 4000)
      }))

    for (const [name, refusal] of [
      ["retry-after", () => answer(429, { "retry-after": "1000000000" }, "secondary rate limit")],
      ["a reset", () => answer(403, window(5000, 0, 9_999_999_999), "API rate limit exceeded")]
    ] as const) {
      test(`by ${name} beyond all documented limits fail at once, without blocking later requests`, () =>
        Effect.gen(function* () {
          const request = fresh()
          const error = yield* Effect.flip(run(request, refusal()))
          assert.strictEqual(error.until, Limits.DEFAULT_PAUSE)
          assert.match(error.message, /longer than one/)
          const next = yield* fork(run(request, answer(200)))
          yield* TestClock.adjust(Limits.DEFAULT_PAUSE)
          assert.strictEqual((yield* Fiber.join(next)).status, 200)
        }))
    }

    test("end when the scope is reset, and waiting requests continue", () =>
      Effect.gen(function* () {
        const scheduler = yield* Scheduler
        const request = fresh()
        const rejected = answer(403, window(10, 0, 1800), "API rate limit exceeded")
        yield* Effect.flip(scheduler.run({ ...request, deadline: 1 }, Effect.succeed(rejected)))
        const waiting = yield* fork(run(request, answer(200)))
        assert.strictEqual((yield* statusOf(request))?.pausedUntil, 1_800_000)
        yield* scheduler.reset(request.scope)
        assert.strictEqual((yield* Fiber.join(waiting)).status, 200)
        assert.deepInclude(yield* statusOf(request), { pausedUntil: undefined, windows: [], waiting: [] })
      }))

    test("of concurrent requests count as one", () =>
      Effect.gen(function* () {
        const scheduler = yield* Scheduler
        const request = fresh()
        const refusal = () =>
          Effect.delay(
            Effect.sync(() => answer(403, { "retry-after": "2" }, "secondary rate limit")),
            10
          )
        const fibers = yield* Effect.forEach(Array.from({ length: 10 }), () => fork(scheduler.run(request, refusal())))
        yield* TestClock.adjust(10)
        assert.strictEqual((yield* statusOf(request))?.pausedUntil, 2010)
        yield* Fiber.interruptAll(fibers)
        assert.deepInclude(yield* statusOf(request), { inFlight: 0, waiting: [] })
      }))

    test("about a permission are passed on with a readable body", () =>
      Effect.gen(function* () {
        const response = yield* run(fresh(), answer(403, window(10, 0, 30), "Must have admin rights"))
        assert.deepStrictEqual(yield* response.json, { message: "Must have admin rights" })
      }))

    test("of a probe without a response let the next request probe", () =>
      Effect.gen(function* () {
        const scheduler = yield* Scheduler
        const request = fresh()
        yield* Effect.flip(
          scheduler.run({ ...request, deadline: 1 }, Effect.succeed(answer(429, { "retry-after": "5" })))
        )
        const broken = yield* fork(Effect.flip(scheduler.run(request, Effect.fail("broken"))))
        const next = yield* fork(run(request, answer(200)))
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* Fiber.join(broken), "broken")
        assert.strictEqual((yield* Fiber.join(next)).status, 200)
      }))
  })

  describe("an estimate of CPU time", () => {
    /** Sends requests of a second each until the estimate for a minute is used up. */
    const exhaust = Effect.fnUntraced(function* (request: ScheduledRequest) {
      const scheduler = yield* Scheduler
      yield* run(request, answer(200, window(5000, 4999, 3600)))
      const slow = Effect.delay(Effect.succeed(answer(200, window(5000, 4900, 3600))), "1 second")
      const fibers = yield* Effect.forEach(Array.from({ length: 90 }), () => fork(scheduler.run(request, slow)))
      yield* TestClock.adjust("1 second")
      yield* Fiber.joinAll(fibers)
    })

    test("delays requests that have a deadline, and never fails them", () =>
      Effect.gen(function* () {
        const request = fresh()
        yield* exhaust(request)
        const deadline = (yield* Clock.currentTimeMillis) + 60_000
        const hurried = yield* fork(run({ ...request, deadline }, answer(200)))
        const patient = yield* fork(run({ ...request, priority: "background" }, answer(200)))
        yield* TestClock.adjust("9 seconds")
        assert.isUndefined(hurried.pollUnsafe())
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* Fiber.join(hurried)).status, 200)
        assert.isUndefined(patient.pollUnsafe())
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(patient)
      }))

    test("counts the time measured by the sender if it is shorter", () =>
      Effect.gen(function* () {
        const request = fresh({ latency: () => 10 })
        yield* exhaust(request)
        assert.strictEqual((yield* run(request, answer(200))).status, 200)
        const cpu = (yield* statusOf(request))?.meters.find(({ name }) => name === "cpu")
        assert.isAtMost(cpu?.used ?? 0, 1000)
      }))
  })

  describe("deadlines", () => {
    test("are not missed because requests in flight are counted twice", () =>
      Effect.gen(function* () {
        const limit = 30
        let used = 0
        // Counts a request on arrival, so that the first response counts requests in flight, too.
        const send = Effect.gen(function* () {
          used++
          yield* Effect.sleep(100 + used)
          return answer(200, window(limit, limit - used, 60, "code_search"))
        })
        const one = fresh({ deadline: (yield* Clock.currentTimeMillis) + 40_000, resource: "code_search" })
        const calls = yield* Effect.forEach(Array.from({ length: limit }), () =>
          fork(Scheduler.use((scheduler) => scheduler.run(one, send)))
        )
        yield* TestClock.adjust(10_000)
        for (const call of calls) assert.strictEqual((yield* Fiber.join(call)).status, 200)
      }))

    test("that cannot be met fail at once, with the earliest possible time", () =>
      Effect.gen(function* () {
        const request = fresh()
        yield* run(request, answer(200, window(10, 0, 60)))
        const patient = yield* fork(run(request, answer(200)))
        const error = yield* Effect.flip(run({ ...request, deadline: 59_999 }, answer(200)))
        assert.deepInclude(error, { limit: "primary", until: 60_000 })
        const inTime = yield* fork(run({ ...request, deadline: 60_000 }, answer(200)))
        yield* TestClock.adjust("1 minute")
        yield* Fiber.joinAll([patient, inTime])
      }))

    test("in the past send nothing", () =>
      Effect.gen(function* () {
        const request = fresh()
        yield* TestClock.adjust(1000)
        const now = yield* Clock.currentTimeMillis
        const left = Effect.die(new Error("it left"))
        const error = yield* Effect.flip((yield* Scheduler).run({ ...request, deadline: now - 1 }, left))
        assert.strictEqual(error._tag, "RateLimited")
        assert.strictEqual((yield* run({ ...request, deadline: now }, answer(200))).status, 200)
      }))

    test("end a wait of unknown length", () =>
      Effect.gen(function* () {
        const scheduler = yield* Scheduler
        const request = fresh()
        yield* run(request, answer(200))
        const busy = yield* Effect.forEach(Array.from({ length: Limits.CONCURRENCY }), () =>
          fork(scheduler.run(request, Effect.never))
        )
        const hurried = yield* fork(Effect.flip(run({ ...request, deadline: 5000 }, answer(200))))
        yield* TestClock.adjust(4999)
        assert.isUndefined(hurried.pollUnsafe())
        yield* TestClock.adjust(1)
        assert.strictEqual((yield* Fiber.join(hurried)).limit, "concurrency")
        yield* Fiber.interruptAll(busy)
        assert.strictEqual((yield* statusOf(request))?.inFlight, 0)
      }))
  })

  describe("order", () => {
    test("at most 100 in flight, a few reserved for interactive requests; then by priority and arrival", () =>
      Effect.gen(function* () {
        const scheduler = yield* Scheduler
        const request = fresh()
        yield* run(request, answer(200))
        let inFlight = 0
        let most = 0
        const busy = yield* Effect.forEach(Array.from({ length: Limits.CONCURRENCY }), (_, index) =>
          fork(
            scheduler.run(
              {
                ...request,
                priority: index < Limits.CONCURRENCY - Limits.INTERACTIVE_CONCURRENCY ? "normal" : "interactive"
              },
              Effect.suspend(() => {
                most = Math.max(most, ++inFlight)
                return Effect.delay(Effect.succeed(answer(200)), "1 second")
              })
            )
          )
        )
        const order: Array<string> = []
        const waiting = yield* Effect.forEach(
          [
            ["background", "core", "a"],
            ["normal", "core", "b"],
            ["interactive", "search", "c"],
            ["normal", "search", "d"],
            ["interactive", "core", "e"]
          ] as const,
          ([priority, resource, name]) =>
            fork(
              scheduler.run(
                { ...request, priority, resource },
                Effect.sync(() => {
                  order.push(name)
                  return answer(200)
                })
              )
            )
        )
        assert.deepStrictEqual([most, order], [Limits.CONCURRENCY, []])
        yield* TestClock.adjust("1 second")
        yield* Fiber.joinAll([...busy, ...waiting])
        assert.deepStrictEqual(order, ["c", "e", "b", "d", "a"])
      }))

    for (const counted of ["code_search", "search"]) {
      test(`no more than the smallest window in the first burst, if the forge counts by ${counted}`, () =>
        Effect.gen(function* () {
          const scheduler = yield* Scheduler
          const request = fresh({ resource: "code_search" })
          const forge = strict(10, 60, 0, counted)
          const all = yield* fork(
            Effect.forEach(Array.from({ length: 30 }), () => scheduler.run(request, Effect.delay(forge.send, 50)), {
              concurrency: "unbounded"
            })
          )
          for (let step = 0; step < 2000 && all.pollUnsafe() === undefined; step++) yield* TestClock.adjust(100)
          yield* Fiber.join(all)
          assert.strictEqual(forge.log.rejected, 0)
        }))
    }
  })

  describe("interruption", () => {
    test("releases a lease in flight, and leaves the queue", () =>
      Effect.gen(function* () {
        const scheduler = yield* Scheduler
        const request = fresh()
        const inFlight = yield* fork(scheduler.run(request, Effect.never))
        assert.strictEqual((yield* statusOf(request))?.inFlight, 1)
        yield* Fiber.interrupt(inFlight)
        assert.strictEqual((yield* statusOf(request))?.inFlight, 0)
        yield* run(request, answer(200, window(10, 0, 60)))
        const waiting = yield* fork(run(request, answer(200)))
        yield* Fiber.interrupt(waiting)
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(waiting)))
        assert.deepInclude(yield* statusOf(request), { inFlight: 0, waiting: [] })
      }))
  })

  it.live("clears the timer of an interrupted wait", () =>
    Effect.gen(function* () {
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
      const request = fresh()
      const before = timers()
      yield* run(request, answer(200, window(10, 0, Math.ceil(Date.now() / 1000) + 3600)))
      const waiting = yield* fork(run(request, answer(200)))
      assert.strictEqual(timers(), before + 1)
      yield* Fiber.interrupt(waiting)
      assert.strictEqual(timers(), before)
    }).pipe(Effect.provide(Scheduler.layerMemory))
  )

  test("publishes its changes", () =>
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const request = fresh()
      const seen = yield* fork(
        scheduler.changes.pipe(
          Stream.map((scopes) => scopes.find((scope) => scope.scope === request.scope)?.windows[0]?.remaining),
          Stream.filter((remaining) => remaining !== undefined),
          Stream.take(1),
          Stream.runCollect
        )
      )
      yield* Effect.yieldNow
      yield* run(request, answer(200, window(10, 7, 60)))
      assert.deepStrictEqual(yield* Fiber.join(seen), [7])
    }))
})
