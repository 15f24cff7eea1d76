/** 500 waiting writes do not delay interactive reads. */
import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as StrictForge from "./StrictForge.test-support.ts"

/** The p99 duration of 600 reads, ten per second, with a number of queued writes. */
const p99 = (writes: number) =>
  Effect.gen(function* () {
    const random = StrictForge.seededRandom(7)
    const work = () => Math.round(30 + 50 * random())
    const strict = yield* StrictForge.make({ cpuMillis: work })
    const forge = yield* Forge.make({ baseUrl: "https://forge.test" }).pipe(
      Effect.provideService(HttpClient.HttpClient, strict.client)
    )
    yield* Effect.forkChild(forge.request("GET /rate_limit"))
    yield* TestClock.adjust("1 second")
    yield* Effect.forEach(Array.from({ length: writes }), (_, index) =>
      Effect.forkChild(
        forge.request("POST /repos/{owner}/{repo}/git/refs", {
          owner: "o",
          repo: "r",
          ref: `refs/heads/${index}`,
          sha: "a"
        })
      )
    )
    const times: Array<number> = []
    const read = Effect.fnUntraced(function* (page: number) {
      yield* Effect.sleep(page * 100)
      const begun = yield* Clock.currentTimeMillis
      yield* forge.request("GET /repos/{owner}/{repo}/commits", { owner: "o", repo: "r", page }, interactive)
      times.push((yield* Clock.currentTimeMillis) - begun)
    })
    yield* Effect.forEach(Array.from({ length: 600 }), (_, page) => Effect.forkChild(read(page)))
    yield* TestClock.adjust("2 minutes")
    assert.lengthOf(times, 600)
    assert.deepStrictEqual(strict.refused(), [])
    return times.sort((one, other) => one - other)[593] ?? Infinity
  }).pipe(Effect.provide(Scheduler.layerMemory))

const interactive = { priority: "interactive" } as const // a literal

it.effect("500 queued writes delay the p99 of interactive reads by less than a tenth", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(1_800_000_000_000)
    const alone = yield* p99(0)
    const behind = yield* p99(500)
    assert.isBelow(behind, 1.1 * alone)
  })
)
