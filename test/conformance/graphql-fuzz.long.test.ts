import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ConformanceForge } from "./ConformanceForge.test-support.ts"
import * as QueryFuzzer from "./QueryFuzzer.test-support.ts"

/** A new seed for each run. The name of the test and all failures contain the seed. */
const seed = Number(process.env["TONGS_FUZZ_SEED"] ?? Date.now() % 2 ** 31)

layer(ConformanceForge.layer, { excludeTestServices: true, timeout: 60_000 })(
  "20,000 random GraphQL documents",
  (it) => {
    it.effect(
      `have answers in GitHub's form and keep the data consistent (seed ${seed})`,
      () =>
        Effect.gen(function* () {
          const outcomes = yield* QueryFuzzer.run(20_000, seed)
          yield* Effect.log(`outcomes: ${[...outcomes].map((outcome) => outcome.join(" ")).join(", ")}`)
          for (const outcome of ["data", "partial", "errors", "401"]) assert.isTrue(outcomes.has(outcome), outcome)
        }),
      3_600_000
    )
  }
)
