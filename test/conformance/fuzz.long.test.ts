import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as RequestFuzzer from "./RequestFuzzer.test-support.ts"
import { ConformanceForge } from "./ConformanceForge.test-support.ts"

/** A new seed for each run. The name of the test and all failures contain the seed. */
const seed = Number(process.env["TONGS_FUZZ_SEED"] ?? Date.now() % 2 ** 31)

layer(ConformanceForge.layer, { excludeTestServices: true, timeout: 60_000 })("20,000 random requests", (it) => {
  it.effect(
    `cause no server error and keep the data consistent (seed ${seed})`,
    () =>
      Effect.gen(function* () {
        const { seen } = yield* RequestFuzzer.run(20_000, seed)
        for (const status of [200, 201, 204, 400, 401, 403, 404, 422]) assert.isTrue(seen.has(status), String(status))
      }),
    3_600_000
  )
})

/** Minimum number of requests of each operation that succeed. */
const SUCCESSES = 5

layer(ConformanceForge.layer, { excludeTestServices: true, timeout: 60_000 })(
  "20,000 random requests of issues",
  (it) => {
    it.effect(
      `cause no server error and reach existing rows (seed ${seed})`,
      () =>
        Effect.gen(function* () {
          const { successes } = yield* RequestFuzzer.run(20_000, seed, RequestFuzzer.ofIssues)
          const counts = [...successes].toSorted(([, one], [, other]) => one - other)
          yield* Effect.log(`successes of each operation:\n${counts.map((count) => count.join(": ")).join("\n")}`)
          const rare = Object.fromEntries(counts.filter(([, count]) => count < SUCCESSES))
          assert.deepStrictEqual(rare, {})
        }),
      3_600_000
    )
  }
)

for (const [name, paths] of [
  ["pull requests and checks", RequestFuzzer.ofPulls],
  ["reviews and rules", RequestFuzzer.ofReviews],
  ["releases, runs, secrets and deployments", RequestFuzzer.ofReleases]
] as const)
  layer(ConformanceForge.layer, { excludeTestServices: true, timeout: 60_000 })(
    `20,000 random requests of ${name}`,
    (it) => {
      it.effect(
        `cause no server error (seed ${seed})`,
        () =>
          Effect.gen(function* () {
            const { seen } = yield* RequestFuzzer.run(20_000, seed, paths)
            for (const status of [200, 201, 404, 422]) assert.isTrue(seen.has(status), String(status))
          }),
        3_600_000
      )
    }
  )
