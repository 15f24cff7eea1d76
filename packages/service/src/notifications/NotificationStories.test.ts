/** Compares random stories with an independent model. `TONGS_NOTIFICATION_SEEDS=7` or `=1-50` runs some. */
import { mkdirSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../main/Forge.test-support.ts"
import { run } from "./NotificationStories.test-support.ts"

const isLong = process.env["TONGS_LONG_TESTS"] !== undefined
const given = process.env["TONGS_NOTIFICATION_SEEDS"]?.split("-").map(Number)
const [first = 1, last = first] = given ?? [1, isLong ? 500 : 2]

/** Stories in one forge. */
const BATCH = 25

for (let start = first; start <= last; start += BATCH) {
  layer(
    Support.layer((repos) => mkdirSync(repos)),
    { timeout: 60_000 }
  )(`notifications, from seed ${start}`, (it) => {
    for (let seed = start; seed < start + BATCH && seed <= last; seed++) {
      it.effect(`are those of the model with seed ${seed}`, () =>
        Effect.gen(function* () {
          const difference = yield* run(seed)
          if (difference !== undefined) assert.fail(difference)
        })
      )
    }
  })
}
