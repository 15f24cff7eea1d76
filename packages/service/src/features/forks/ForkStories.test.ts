/** Compares random stories of forks with an independent model. `TONGS_FORK_SEEDS=7` or `=1-50` runs some. */
import { afterAll, beforeAll, it } from "vitest"
import { run, start } from "./ForkStories.test-support.ts"

const isLong = process.env["TONGS_LONG_TESTS"] !== undefined
const given = process.env["TONGS_FORK_SEEDS"]?.split("-").map(Number)
const [first = 1, last = first] = given ?? [1, isLong ? 200 : 2]
const stepCount = isLong || given !== undefined ? 30 : 10

let forge: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  forge = await start()
}, 60_000)
afterAll(() => forge.end())

for (let seed = first; seed <= last; seed++) {
  it(`forks are those of the model with seed ${seed}`, { timeout: 120_000 }, () => run(forge, seed, stepCount))
}
