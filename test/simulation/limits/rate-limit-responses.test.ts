/** Rate-limit responses regardless of the scheduler's count: the expected error or wait, and no requests until then. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as TestClock from "effect/testing/TestClock"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"

const BEGIN = 1_800_000_000_000

interface Refusal {
  readonly status: number
  readonly message: string
  readonly headers: Record<string, string>
}

const window = (remaining: number, resetIn: number) => ({
  "x-ratelimit-limit": "5000",
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(BEGIN / 1000 + resetIn),
  "x-ratelimit-resource": "core"
})

const SECONDARY = "You have exceeded a secondary rate limit"

/** The pause after a rate-limit response, as a duration or a time (milliseconds). */
type Wait = { readonly after: number } | { readonly at: number }

/** Responses and the expected pause; undefined for other errors. */
const cases: ReadonlyArray<readonly [name: string, refusal: Refusal, wait: Wait | undefined]> = [
  [
    "secondary, with retry-after",
    { status: 403, message: SECONDARY, headers: { "retry-after": "2" } },
    { after: 2_000 }
  ],
  [
    "secondary, with retry-after, and with remaining 0",
    { status: 429, message: SECONDARY, headers: { "retry-after": "2", ...window(0, 1800) } },
    { after: 2_000 }
  ],
  ["secondary, with remaining 0", { status: 403, message: SECONDARY, headers: window(0, 30) }, { at: 30_000 }],
  ["secondary, with nothing", { status: 403, message: SECONDARY, headers: window(4000, 1800) }, { after: 60_000 }],
  ["429 and no word", { status: 429, message: "", headers: {} }, { after: 60_000 }],
  ["primary", { status: 403, message: "API rate limit exceeded for user 1", headers: window(0, 45) }, { at: 45_000 }],
  [
    "a missing permission, on the last request of a window",
    { status: 403, message: "Must have admin rights to Repository.", headers: window(0, 45) },
    undefined
  ],
  [
    "a permission",
    { status: 403, message: "Resource not accessible by integration", headers: window(4000, 45) },
    undefined
  ]
]

/** Limits the tenth request and all requests before the pause ends. Each response takes a tenth of a second. */
const forge = (refusal: Refusal, wait: Wait) => {
  const log: Array<{ readonly at: number }> = []
  let refusedAt: number | undefined
  const client = HttpClient.make((request) =>
    Effect.gen(function* () {
      const at = yield* Effect.clockWith((clock) => Effect.succeed(clock.currentTimeMillisUnsafe() - BEGIN))
      log.push({ at })
      const isRefused = log.length === 10
      yield* Effect.sleep(100)
      if (isRefused) refusedAt = at + 100
      const { headers, message, status } = isRefused
        ? refusal
        : { headers: window(4000, 1800), message: "", status: 200 }
      return HttpClientResponse.fromWeb(request, new Response(JSON.stringify({ message }), { status, headers }))
    })
  )
  const until = () => ("at" in wait ? wait.at : (refusedAt ?? Infinity) + wait.after)
  /** Requests sent during the pause. */
  const tooEarly = () => log.filter(({ at }) => refusedAt !== undefined && at > refusedAt && at < until())
  /** The delay of the first request after the pause. */
  const late = () => Math.min(...log.flatMap(({ at }) => (at >= until() ? [at - until()] : [])))
  return { client, log, tooEarly, late }
}

describe("a rate-limit response", () => {
  for (const [name, refusal, wait] of cases) {
    it.effect(`by ${name} ${wait === undefined ? "fails at once" : "delays the requests"}`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(BEGIN)
        const { client, late, log, tooEarly } = forge(refusal, wait ?? { after: 0 })
        const { request } = yield* Forge.make({ baseUrl: "https://forge.test" }).pipe(
          Effect.provideService(HttpClient.HttpClient, client)
        )
        yield* request("GET /first").pipe(Effect.forkChild)
        yield* TestClock.adjust(150)
        // Some requests are in flight at that time, and more arrive during the pause.
        const fibers = yield* Effect.forEach(Array.from({ length: 200 }), (_, index) =>
          Effect.forkChild(
            Effect.exit(Effect.delay(request(index % 5 === 0 ? "POST /write" : "GET /read", { index }), index * 10))
          )
        )
        yield* TestClock.adjust("2 minutes")
        const exits = yield* Effect.forEach(fibers, Fiber.join)
        const failures = exits.flatMap((exit) => (exit._tag === "Failure" ? exit.cause.reasons : []))
        assert.deepStrictEqual(tooEarly(), [])
        if (wait === undefined) {
          assert.lengthOf(failures, 1)
          assert.lengthOf(log, 201)
          assert.strictEqual(failures[0]?._tag === "Fail" && failures[0].error._tag, "Forbidden")
        } else {
          // All calls succeed: the limited request was sent again.
          assert.lengthOf(failures, 0)
          assert.lengthOf(log, 202)
          assert.isAtMost(late(), 1000)
        }
      }).pipe(Effect.provide(Scheduler.layerMemory))
    )
  }

  it.effect("beyond the deadline fails with RateLimited and the time", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(BEGIN)
      const { client } = forge({ status: 429, message: SECONDARY, headers: { "retry-after": "20" } }, { after: 20_000 })
      const { request } = yield* Forge.make({ baseUrl: "https://forge.test" }).pipe(
        Effect.provideService(HttpClient.HttpClient, client)
      )
      yield* Effect.forkChild(Effect.forEach(Array.from({ length: 10 }), (_, page) => request("GET /read", { page })))
      yield* TestClock.adjust(1100)
      const failing = yield* Effect.forkChild(
        Effect.flip(request("GET /read", {}, { deadline: BEGIN + 10_000, priority: "interactive" }))
      )
      yield* TestClock.adjust(1)
      const failure = yield* Fiber.join(failing)
      assert.deepInclude(failure, { _tag: "RateLimited", limit: "secondary", until: BEGIN + 1000 + 20_000 })
    }).pipe(Effect.provide(Scheduler.layerMemory))
  )
})
