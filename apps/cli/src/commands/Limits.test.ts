import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type { BudgetStatus } from "@tongs/core/limits/BudgetStatus"
import { Output } from "../base/Output.ts"
import { run } from "../Program.ts"
import * as Progress from "../session/Progress.ts"
import * as Session from "../session/Session.ts"
import * as Stub from "../ForgeStub.test-support.ts"

const HOUR = 3_600_000

const waiting = (reason: "points" | "cpu", until: number | undefined) =>
  ({ resource: "core", endpoint: "GET /user", priority: "normal", count: 2, reason, until }) as const // a literal priority

/** The status of a scope that is shared with an agent on another machine. */
const shared: BudgetStatus = {
  scope: "forge.test#anonymous",
  limits: "stated",
  windows: [],
  meters: [{ name: "GET /user", limit: 900, used: 900, until: 30_000 }],
  inFlight: 3,
  waiting: [waiting("points", 30_000)],
  holders: [
    { name: "tongs limits", pid: 7, host: "here", isThis: true, inFlight: 1, waiting: [waiting("points", 30_000)] },
    {
      name: "tongs \u001b[31mmcp",
      pid: 8,
      host: "there",
      isThis: false,
      inFlight: 2,
      waiting: [waiting("cpu", undefined)]
    }
  ],
  pausedUntil: undefined
}

const window = { limit: 60, used: 60, remaining: 0, reset: Math.ceil((Date.now() + HOUR) / 1000) }

const budget: Stub.StubResponse = { body: { resources: { core: window } } }

/** The scopes that were reset. */
const reset: Array<string> = []

/** Starts the command, which may run forever, and returns the output. */
const start = Effect.fnUntraced(function* (
  view: ReadonlyArray<BudgetStatus>,
  args: ReadonlyArray<string>,
  answer: () => Stub.StubResponse
) {
  const written = { stdout: "", stderr: "" }
  const connect = () =>
    Layer.merge(
      Stub.layer(({ path }) => (path === "/rate_limit" ? answer() : undefined)),
      Layer.succeed(Scheduler, {
        run: (_, send) => send,
        status: Effect.succeed(view),
        statusOf: () => Effect.die("unexpected"),
        changes: Stream.empty,
        reset: (scope) => Effect.sync(() => void reset.push(scope))
      })
    )
  const running = run(args).pipe(
    Effect.provideService(Session.Connector, connect),
    Effect.provide(
      Layer.mergeAll(Output.layerMemory(written), Layer.provideMerge(Session.layerUser, NodeServices.layer))
    ),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: { HOME: "/nowhere" } }))
  )
  return { fiber: yield* Effect.forkChild(running), written }
})

const tongs = Effect.fnUntraced(function* (view: ReadonlyArray<BudgetStatus>, ...args: ReadonlyArray<string>) {
  const { fiber, written } = yield* start(view, args, () => budget)
  yield* Fiber.join(fiber)
  return written.stdout
})

describe("tongs limits", () => {
  it.effect("shows limits, processes, and the reason of each waiting request", () =>
    Effect.gen(function* () {
      const shown = yield* tongs([shared], "limits")
      assert.match(shown, /^core +0 +60 +60 +/m)
      assert.match(shown, /^GET \/user +0 +900 +900 +/m)
      assert.match(shown, /^tongs limits \(this one\) +7 +here +1 +2$/m)
      assert.match(shown, /^2 requests +this one +GET.* +points +normal +/m)
      assert.match(shown, /^2 requests +tongs .*mcp 8 +GET.* +CPU time +normal +an answer$/m)
      assert.notInclude(shown, "\u001b")
    })
  )

  it.effect("shows only the windows if no process is active", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* tongs([], "limits")).trim().split("\n").length, 2)
    })
  )

  it.effect("prints JSON", () =>
    Effect.gen(function* () {
      const told = JSON.parse(yield* tongs([shared], "limits", "--json"))
      assert.deepInclude(told.holders[1], { pid: 8, host: "there", inFlight: 2, isThis: false })
      assert.strictEqual(told.meters[0].used, 900)
    })
  )

  it.effect("clears the budgets of the credential without a request", () =>
    Effect.gen(function* () {
      const { fiber, written } = yield* start([shared], ["limits", "--reset"], () => {
        throw new Error("it asked")
      })
      yield* Fiber.join(fiber)
      assert.match(written.stdout, /^embedded forge: cleared the rate-limit budgets/)
      assert.deepStrictEqual(reset.splice(0), ["forge.test#anonymous"])
    })
  )

  it.effect("shows how long a command waits, and the reason", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const output = yield* Effect.provide(Output, Output.layerMemory({ stdout: "", stderr: "" }))
      const fiber = yield* Progress.showWaiting(Effect.never).pipe(
        Effect.provideService(Output, {
          ...output,
          showsProgress: true,
          progress: (line) => Effect.sync(() => void lines.push(line))
        }),
        Effect.provideService(Scheduler, {
          run: (_, send) => send,
          status: Effect.succeed([shared]),
          statusOf: () => Effect.die("unexpected"),
          changes: Stream.empty,
          reset: () => Effect.void
        }),
        Effect.provide(Stub.layer(() => undefined)),
        Effect.forkChild
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(lines, [
        "Waiting for embedded forge: rate limit (points) lifts in 29 seconds; Ctrl-C stops",
        ""
      ])
    })
  )

  it.effect("continues --watch while the forge is unreachable", () =>
    Effect.gen(function* () {
      let count = 0
      const answer = () => (++count > 1 && count < 8 ? { status: 503, body: { message: "Away" } } : budget)
      const { fiber, written } = yield* start([], ["limits", "--watch"], answer)
      const tables = () => written.stdout.split("RESOURCE").length - 1
      const isBack = () => count >= 8 && written.stderr !== "" && tables() >= 2
      // File reads complete in real time, not in test time.
      const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      while (!isBack()) yield* Effect.andThen(TestClock.adjust("1 second"), turn)
      yield* Fiber.interrupt(fiber)
      assert.match(written.stderr, /^tongs: GET \/rate_limit: .*Away/)
    })
  )
})
