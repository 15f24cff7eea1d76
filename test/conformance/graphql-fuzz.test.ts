import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ConformanceForge } from "./ConformanceForge.test-support.ts"
import * as QueryFuzzer from "./QueryFuzzer.test-support.ts"

const seed = Number(process.env["TONGS_FUZZ_SEED"] ?? 20_260_310)

layer(ConformanceForge.layer, { excludeTestServices: true, timeout: 60_000 })("300 random GraphQL documents", (it) => {
  it.effect(
    `have answers in GitHub's form and keep the data consistent (seed ${seed})`,
    () =>
      Effect.gen(function* () {
        const outcomes = yield* QueryFuzzer.run(300, seed)
        for (const outcome of ["data", "partial", "errors", "401"]) assert.isTrue(outcomes.has(outcome), outcome)
      }),
    120_000
  )
})
