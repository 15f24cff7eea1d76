/** CPU time, which no header reports: with a slow network, and with a slow forge. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as StrictForge from "./StrictForge.test-support.ts"

const MINUTES = 2

/** Latency per direction and CPU time (milliseconds), and the allowed reads per minute. */
const cases = [
  ["a slow link", { way: 250, work: 60, allowed: 900 }],
  ["a slow forge", { way: 50, work: 500, allowed: 180 }],
  ["a slow forge next door", { way: 1, work: 300, allowed: 300 }]
] as const // literals

describe("100 reading fibers, after the round trip is measured, use the budget and are never limited", () => {
  for (const [name, { allowed, way, work }] of cases) {
    it.effect(name, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(1_800_000_000_370)
        const strict = yield* StrictForge.make({
          latency: way,
          cpuMillis: (route) => (route.endsWith("/rate_limit") ? 5 : work)
        })
        const forge = yield* Forge.make({ baseUrl: "https://forge.test" }).pipe(
          Effect.provideService(HttpClient.HttpClient, strict.client)
        )
        const asked = yield* Effect.forkChild(forge.request("GET /rate_limit"))
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(asked)
        const read = (fiber: number) =>
          forge.request("GET /repos/{owner}/{repo}/commits", { owner: "octo", repo: `r${fiber}` })
        yield* Effect.forEach(Array.from({ length: 100 }), (_, fiber) => Effect.forkChild(Effect.forever(read(fiber))))
        yield* TestClock.adjust(`${MINUTES} minutes`)
        assert.deepStrictEqual(strict.refused(), [])
        const served = strict.served("GET /repos/:owner/:repo/commits").length
        assert.isAtLeast(served, 0.9 * MINUTES * allowed)
      }).pipe(Effect.provide(Scheduler.layerMemory))
    )
  }
})
