import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import * as Budget from "@tongs/core/limits/Budget"
import type { RequestClass } from "@tongs/core/limits/RequestClass"
import * as Limits from "@tongs/core/limits/Limits"
import * as BudgetSnapshot from "@tongs/core/limits/BudgetSnapshot"
import type { HolderRecord, BudgetRecord, BudgetBackend } from "./BudgetBackend.ts"
import { BudgetBackendFailed } from "./BudgetBackend.ts"
import * as SharedBudgetStore from "./SharedBudgetStore.ts"

const request: RequestClass = { resource: "core", endpoint: "GET /a", method: "GET", priority: "normal" }

/** A backend in memory that can fail, and whose operations take time. */
const model = () => {
  const documents = new Map<string, BudgetRecord>()
  const announcements = new Map<string, HolderRecord>()
  const state = { isBroken: false, operations: 0 }
  const operation = <A>(f: () => A) =>
    Effect.suspend(() => {
      state.operations++
      return state.isBroken
        ? Effect.fail(new BudgetBackendFailed({ detail: "out of order" }))
        : Effect.andThen(Effect.yieldNow, Effect.sync(f))
    })
  const port: BudgetBackend = {
    description: "a model",
    clockOffset: () => 0,
    compareAndSet: (scope, known, next) =>
      operation(() => {
        const present = documents.get(scope)
        if ((present?.version ?? "") !== known) return present ?? { version: "", body: "" }
        if (next !== undefined) documents.set(scope, next)
        return undefined
      }),
    putHolder: (_scope, announcement) => operation(() => void announcements.set(announcement.holder, announcement)),
    holders: () => operation(() => [...announcements.values()])
  }
  const open = (id: string) => SharedBudgetStore.make(port, { id, name: `tongs ${id}`, pid: 1, host: "here" })
  return { documents, open, state }
}

const take = (store: ReturnType<typeof SharedBudgetStore.make>, now = 0) =>
  store.modify("s", (budget) => Budget.admit(budget, request, now, store.holder))

/** The log messages of an effect. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => void lines.push(String(message)))
  return Effect.as(Effect.provide(effect, Logger.layer([logger])), lines)
}

describe("the command of a process", () => {
  it("is not the value of a flag", () => {
    for (const line of ["mcp", "--url http://127.0.0.1:1 mcp", "--profile work mcp --http 1", "--demo mcp"])
      assert.strictEqual(SharedBudgetStore.commandOf(line.split(" ")), "mcp", line)
    assert.isUndefined(SharedBudgetStore.commandOf(["--demo"]))
  })
})

describe("SharedBudgetStore", () => {
  it.effect("loses no update of concurrent processes", () =>
    Effect.gen(function* () {
      const { open } = model()
      const stores = [open("a"), open("b"), open("c")]
      const fiber = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 30 }),
          (_, index) => Effect.flatMap(Effect.succeed(stores[index % 3] ?? open("d")), (store) => take(store)),
          { concurrency: "unbounded" }
        )
      )
      for (let step = 0; step < 30; step++) yield* TestClock.adjust(50)
      const decisions = yield* Fiber.join(fiber)
      assert.isTrue(decisions.every(({ _tag }) => _tag === "Admitted"))
      const count = yield* open("e").modify("s", (budget) => [Budget.inFlight(budget), budget])
      assert.strictEqual(count, 30)
    })
  )

  it.effect("needs one backend operation per uncontended update, and batches concurrent ones", () =>
    Effect.gen(function* () {
      const { open, state } = model()
      const store = open("a")
      yield* take(store)
      yield* take(store)
      assert.strictEqual(state.operations, 2)
      yield* Effect.forEach(Array.from({ length: 20 }), () => take(store), { concurrency: "unbounded" })
      assert.isAtMost(state.operations, 4)
    })
  )

  it.effect("reclaims the leases of a process without heartbeats only", () =>
    Effect.gen(function* () {
      const { open } = model()
      const [dead, alive] = [open("dead"), open("alive")]
      yield* take(dead)
      yield* take(alive)
      for (let beats = 0; beats < 5; beats++) {
        yield* TestClock.adjust(Limits.HEARTBEAT_INTERVAL)
        yield* alive.heartbeat("s", [])
      }
      const holders = yield* open("other").modify("s", (budget) => [[...budget.holders.keys()], budget])
      assert.deepStrictEqual(holders, ["alive"])
    })
  )

  it.effect("lists the processes of a scope and their waiting requests", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { open } = model()
      const [one, other] = [open("one"), open("other")]
      yield* take(one, 1_000_000)
      const waiting = [
        {
          resource: "core",
          endpoint: "GET /a",
          priority: "normal",
          count: 3,
          reason: "points",
          until: 1_060_000
        } as const // literal types
      ]
      yield* one.heartbeat("s", waiting)
      yield* other.modify("s", (budget) => [undefined, budget])
      const [[, budget] = ["", Budget.empty]] = yield* other.all
      assert.deepStrictEqual(yield* other.holders("s", budget), [
        { name: "tongs one", pid: 1, host: "here", isThis: false, inFlight: 1, waiting }
      ])
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* other.holders("s", budget), [])
    })
  )

  it.effect("continues with cached budgets while the backend fails, and warns once", () =>
    Effect.gen(function* () {
      const { open, state } = model()
      const store = open("a")
      yield* take(store)
      state.isBroken = true
      const lines = yield* logged(Effect.andThen(take(store), take(store)))
      assert.lengthOf(lines, 1)
      assert.include(lines[0], "out of order")
      state.isBroken = false
      yield* take(store)
      assert.strictEqual(yield* open("b").modify("s", (budget) => [Budget.inFlight(budget), budget]), 4)
    })
  )

  it.effect("limits times that another program wrote", () =>
    Effect.gen(function* () {
      const { documents, open } = model()
      const pause = { until: 9_999_999_999_000, limit: "primary", length: 1e12, probing: undefined } as const // a literal limit
      documents.set("s", { version: "x", body: BudgetSnapshot.encode({ ...Budget.empty, pause }, 0) })
      const decision = yield* take(open("a"))
      assert.strictEqual(decision._tag, "Admitted")
      assert.notInclude(documents.get("s")?.body, "9999999999")
    })
  )

  it.effect("restores a deleted or corrupt budget from its cache", () =>
    Effect.gen(function* () {
      const { documents, open } = model()
      const store = open("a")
      yield* take(store)
      documents.clear()
      yield* take(store)
      documents.set("s", { version: "x", body: "{" })
      const lines = yield* logged(take(store))
      assert.include(lines[0], "Cannot read a rate-limit budget")
      assert.strictEqual(yield* open("b").modify("s", (budget) => [Budget.inFlight(budget), budget]), 3)
    })
  )
})
