import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as RequestFuzzer from "./RequestFuzzer.test-support.ts"
import { ConformanceForge } from "./ConformanceForge.test-support.ts"

const seed = Number(process.env["TONGS_FUZZ_SEED"] ?? 20_260_310)

layer(ConformanceForge.layer, { excludeTestServices: true, timeout: 60_000 })("2,000 random requests", (it) => {
  it.effect(
    `cause no server error and keep the data consistent (seed ${seed})`,
    () =>
      Effect.gen(function* () {
        const { seen } = yield* RequestFuzzer.run(2000, seed)
        // Enough requests pass validation to succeed and to be rejected.
        for (const status of [200, 201, 204, 400, 401, 403, 404, 422]) assert.isTrue(seen.has(status), String(status))
      }),
    120_000
  )
})
