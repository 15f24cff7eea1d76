/**
 * A thousand workers on a hundred machines, one credential, one Redis: what docs/scale.md tells. The Redis is a model
 * that answers after a round trip, does one thing at a time, and counts.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import { LimitStore } from "@tongs/core/limits/Store"
import type { Document, Documents } from "../../../packages/connection/src/limits/Documents.ts"
import * as SharedStore from "../../../packages/connection/src/limits/SharedStore.ts"
import * as Load from "./Load.test-support.ts"
import * as Strict from "./Strict.test-support.ts"

const WORKERS = Number(process.env["SCALE_WORKERS"] ?? 1000)
const SECONDS = Number(process.env["SCALE_SECONDS"] ?? 70)

/** Milliseconds to Redis and back. */
const ROUND_TRIP = 1

const model = () => {
  const documents = new Map<string, Document>()
  const state = { isOver: false }
  const way = (share: number) => Effect.suspend(() => (state.isOver ? Effect.void : Effect.sleep(ROUND_TRIP * share)))
  const count = { looks: 0, steps: 0, lost: 0, beats: 0, bytes: 0 }
  const exchange: Documents["exchange"] = (scope, known, next) =>
    Effect.gen(function* () {
      yield* way(1 / 2)
      const present = documents.get(scope)
      const isKnown = (present?.version ?? "") === known
      if (next === undefined) count.looks++
      else if (isKnown) {
        count.steps++
        count.bytes += next.body.length
        documents.set(scope, next)
      } else count.lost++
      yield* way(1 / 2)
      return isKnown ? undefined : present
    })
  const announce: Documents["announce"] = () =>
    Effect.andThen(
      Effect.sync(() => count.beats++),
      way(1)
    )
  const port: Documents = {
    place: "a model",
    ahead: () => 0,
    exchange,
    announce,
    announced: () => Effect.succeed([])
  }
  return { port, count, state }
}

it.effect(`${WORKERS} workers on one budget are never refused, use it, and do not wear out the store`, () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(1_800_000_000_000)
    const strict = yield* Strict.make({ work: Load.work(3) })
    const { count, port, state } = model()
    yield* Effect.forEach(Load.kinds(WORKERS), (kind, index) => {
      const holder = { id: `w${index}`, name: "worker", pid: index, host: `host${index % 100}` }
      const work = Effect.gen(function* () {
        const forge = yield* Forge
        return yield* Effect.forever(
          forge.request(Load.routes[kind], { owner: "octo", repo: `r${index}`, q: `word${index}` })
        )
      })
      return Effect.forkChild(
        Effect.provide(
          work,
          Forge.layer({ baseUrl: "https://forge.test" }).pipe(
            Layer.provide(Layer.succeed(HttpClient.HttpClient, strict.client)),
            Layer.provide(Layer.fresh(Scheduler.layer)),
            Layer.provide(Layer.succeed(LimitStore, SharedStore.make(port, holder)))
          )
        )
      )
    })
    for (let second = 0; second < SECONDS; second++) {
      yield* TestClock.adjust("1 second")
      if (second % 5 === 0) console.log(second, Load.used(strict), count)
    }
    state.isOver = true
    const used = Load.used(strict)
    const sent = strict.seen.length
    const operations = count.looks + count.steps + count.lost + count.beats
    console.log(used, count, {
      perRequest: operations / sent,
      perSecond: operations / SECONDS,
      stepsPerRequest: (count.steps + count.lost) / sent,
      body: count.bytes / count.steps
    })
    assert.deepStrictEqual(strict.refused(), [])
    assert.isAtLeast(used.reads, 0.95 * 900)
  })
)
