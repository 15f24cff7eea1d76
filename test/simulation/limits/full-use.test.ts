/** Ten minutes of a mixed load on a strict forge use the budget without a rate-limit response. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as MixedLoad from "./MixedLoad.test-support.ts"
import * as StrictForge from "./StrictForge.test-support.ts"

it.effect("500 fibers that read, write and search for ten minutes use the budget and are never limited", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(1_800_000_000_370)
    const strict = yield* StrictForge.make({ cpuMillis: MixedLoad.cpuMillis(1) })
    const forge = yield* Forge.make({ baseUrl: "https://forge.test" }).pipe(
      Effect.provideService(HttpClient.HttpClient, strict.client)
    )
    const fibers = yield* Effect.forEach(MixedLoad.kindsOfFibers(500), (kind, index) =>
      Effect.forkChild(
        Effect.forever(forge.request(MixedLoad.routes[kind], { owner: "octo", repo: `r${index}`, q: `word${index}` }))
      )
    )
    yield* TestClock.adjust("10 minutes")
    yield* Fiber.interruptAll(fibers)
    const used = MixedLoad.servedByKind(strict)
    console.log(MixedLoad.table({ tongs: { used, refused: strict.refused().length } }))
    assert.deepStrictEqual(strict.refused(), [])
    for (const kind of MixedLoad.kinds) {
      assert.isAtLeast(used[kind], 0.95 * MixedLoad.allowed[kind], kind)
      assert.isAtMost(used[kind], MixedLoad.allowed[kind], kind)
    }
  }).pipe(Effect.provide(Scheduler.layerMemory))
)
