/** Ten primary windows on a strict forge with different clocks. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"
import { specNumbers } from "@tongs/service/access/RateLimitPolicy"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as StrictForge from "./StrictForge.test-support.ts"

const WINDOW = 60
const numbers = { ...specNumbers, window: 60_000, enterprise: WINDOW }

describe("the requests of ten windows", () => {
  for (const ahead of [0, 60_000, -60_000]) {
    for (const fraction of [0, 370, 990]) {
      it.effect(
        `are never limited, and continue within a second of each reset: clock skew ${ahead} ms, ${fraction} ms past`,
        () =>
          Effect.gen(function* () {
            yield* TestClock.setTime(1_800_000_000_000 + fraction)
            const strict = yield* StrictForge.make({ numbers, clockSkew: ahead, latency: 15, cpuMillis: () => 20 })
            const forge = yield* Forge.make({ baseUrl: "https://forge.test" }).pipe(
              Effect.provideService(HttpClient.HttpClient, strict.client)
            )
            const all = yield* Effect.forkChild(
              Effect.forEach(Array.from({ length: 10 * WINDOW }), (_, page) => forge.request("GET /user", { page }), {
                concurrency: "unbounded"
              })
            )
            yield* TestClock.adjust("11 minutes")
            yield* Fiber.join(all)
            assert.deepStrictEqual(strict.refused(), [])
            assert.lengthOf(strict.seen, 10 * WINDOW)
            for (let nth = 1; nth < 10; nth++) {
              const before = strict.seen[(nth - 1) * WINDOW]?.at ?? 0
              const first = strict.seen[nth * WINDOW]?.at ?? Infinity
              // The forge rounds the reset up to whole seconds.
              const reset = Math.ceil((before + 60_000) / 1000) * 1000
              assert.isAtLeast(first, reset)
              assert.isAtMost(first - reset, 1000)
            }
          }).pipe(Effect.provide(Scheduler.layerMemory))
      )
    }
  }
})
