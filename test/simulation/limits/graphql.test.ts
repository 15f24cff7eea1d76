/** GraphQL queries and searches, which separate limits count. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"
import { specNumbers } from "@tongs/service/access/RateLimitPolicy"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as StrictForge from "./StrictForge.test-support.ts"

const MINUTES = 2

const start = Effect.fnUntraced(function* (options: StrictForge.Options) {
  yield* TestClock.setTime(1_800_000_000_370)
  const strict = yield* StrictForge.make(options)
  const forge = yield* Forge.make({ baseUrl: "https://forge.test" }).pipe(
    Effect.provideService(HttpClient.HttpClient, strict.client)
  )
  // The response to a request without cost measures the round trip.
  const asked = yield* Effect.forkChild(forge.request("GET /rate_limit"))
  yield* TestClock.adjust("1 second")
  yield* Fiber.join(asked)
  const query = forge.request("POST /graphql", { query: "{ viewer { login } }" })
  const read = forge.request("GET /user")
  const repeat = (request: Effect.Effect<unknown, unknown>, fibers: number) =>
    Effect.forEach(Array.from({ length: fibers }), () => Effect.forkChild(Effect.forever(request)))
  return { forge, query, read, repeat, strict }
})

/** CPU time of the forge for a query (milliseconds), and the allowed queries per minute. */
for (const [name, work, allowed] of [
  ["2,000 points a minute", 20, 2000],
  ["60 seconds of CPU time a minute", 500, 120]
] as const) {
  it.effect(`queries of 100 fibers use the ${name}, and are never limited`, () =>
    Effect.gen(function* () {
      const cpuMillis = (route: string) => (route.endsWith("/rate_limit") ? 5 : work)
      const { query, repeat, strict } = yield* start({ latency: 20, cpuMillis })
      yield* repeat(query, 100)
      yield* TestClock.adjust(`${MINUTES} minutes`)
      assert.deepStrictEqual(strict.refused(), [])
      assert.isAtLeast(strict.served("POST /graphql").length, 0.9 * MINUTES * allowed)
    }).pipe(Effect.provide(Scheduler.layerMemory))
  )
}

it.effect("a used up limit of GraphQL or of searches delays no other request", () =>
  Effect.gen(function* () {
    const numbers = { ...specNumbers, graphqlEnterprise: 40 }
    const { forge, query, read, repeat, strict } = yield* start({ numbers, cpuMillis: () => 20 })
    yield* repeat(query, 10)
    let nth = 0
    // Different searches, because requests for the same one would share a response.
    yield* repeat(
      Effect.suspend(() => forge.request("GET /search/issues", { q: `x${nth++}` })),
      10
    )
    yield* TestClock.adjust("10 seconds")
    const [queries, searches] = ["POST /graphql", "GET /search/issues"].map((route) => strict.served(route).length)
    assert.deepStrictEqual([queries, searches], [40, 30])
    const others = yield* Effect.forkChild(Effect.all([read, forge.request("GET /search/code", { q: "x" })]))
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(others)
    assert.deepStrictEqual(strict.refused(), [])
  }).pipe(Effect.provide(Scheduler.layerMemory))
)
