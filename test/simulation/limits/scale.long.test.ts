/**
 * A thousand workers on a hundred machines with one credential and one Redis (docs/rate-limits.md). The Redis is a model with
 * a round trip and counted, sequential operations.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import { BudgetStore } from "@tongs/core/limits/BudgetStore"
import type { BudgetRecord, BudgetBackend } from "../../../packages/connection/src/limits/BudgetBackend.ts"
import * as SharedBudgetStore from "../../../packages/connection/src/limits/SharedBudgetStore.ts"
import * as MixedLoad from "./MixedLoad.test-support.ts"
import * as StrictForge from "./StrictForge.test-support.ts"

const WORKERS = 1000
const HOSTS = 100

/** Round trip to Redis, and duration of an operation (milliseconds): 10,000 per second. */
const ROUND_TRIP = 1
const OPERATION = 0.1

const model = () => {
  const documents = new Map<string, BudgetRecord>()
  const count = { looks: 0, steps: 0, lost: 0, announcements: 0, bytes: 0 }
  const state = { isOver: false, free: 0 }
  /** Runs an operation after the earlier ones, between two network delays. */
  const operation = <A>(f: () => A) =>
    Effect.clockWith((clock) => {
      if (state.isOver) return Effect.sync(f)
      const arrives = clock.currentTimeMillisUnsafe() + ROUND_TRIP / 2
      state.free = Math.max(state.free, arrives) + OPERATION
      const done = Effect.sleep(state.free - clock.currentTimeMillisUnsafe())
      return Effect.andThen(done, Effect.tap(Effect.sync(f), Effect.sleep(ROUND_TRIP / 2)))
    })
  const port: BudgetBackend = {
    description: "a model",
    clockOffset: () => 0,
    compareAndSet: (scope, known, next) =>
      operation(() => {
        const present = documents.get(scope)
        const isKnown = (present?.version ?? "") === known
        if (next === undefined) count.looks++
        else if (isKnown) {
          count.steps++
          count.bytes += next.body.length
          documents.set(scope, next)
        } else count.lost++
        return isKnown ? undefined : present
      }),
    putHolder: () => Effect.asVoid(operation(() => count.announcements++)),
    holders: () => Effect.succeed([])
  }
  return { port, count, state }
}

it.effect(`${WORKERS} workers use one budget, are never limited, and do not overload the store`, () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(1_800_000_000_000)
    const strict = yield* StrictForge.make({ cpuMillis: MixedLoad.cpuMillis(3) })
    const { count, port, state } = model()
    yield* Effect.forEach(MixedLoad.kindsOfFibers(WORKERS), (kind, index) => {
      const holder = { id: `w${index}`, name: "worker", pid: index, host: `host${index % HOSTS}` }
      const work = Effect.gen(function* () {
        const forge = yield* Forge
        return yield* Effect.forever(
          forge.request(MixedLoad.routes[kind], { owner: "octo", repo: `r${index}`, q: `word${index}` })
        )
      })
      return Effect.forkChild(
        Effect.provide(
          work,
          Forge.layer({ baseUrl: "https://forge.test" }).pipe(
            Layer.provide(Layer.succeed(HttpClient.HttpClient, strict.client)),
            Layer.provide(Layer.fresh(Scheduler.layer)),
            Layer.provide(Layer.succeed(BudgetStore, SharedBudgetStore.make(port, holder)))
          )
        )
      )
    })
    yield* TestClock.adjust("1 second")
    const first = { ...count }
    yield* TestClock.adjust("59 seconds")
    state.isOver = true
    const used = MixedLoad.servedByKind(strict)
    const total = count.looks + count.steps + count.lost
    console.log(JSON.stringify({ used, first, count, perRequest: total / strict.seen.length }))
    assert.deepStrictEqual(strict.refused(), [])
    assert.isAtLeast(used.reads, 0.95 * 900)
    assert.strictEqual(used.writes, 80)
    assert.isAtLeast(used.searches, 0.9 * 30)
    assert.isBelow(total / strict.seen.length, 60)
  })
)
