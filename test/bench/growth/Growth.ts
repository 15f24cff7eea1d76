/** Measures the figures that grow with the contract: today, and with 800 operations. */
import { join } from "node:path"
import { mkdirSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as Comparison from "../Comparison.ts"
import { atMost, type Goal, type Row, type Section } from "../Report.ts"
import * as StartupFixture from "../startup/StartupFixture.ts"
import { median } from "../Statistics.ts"
import * as GrowthFigures from "./GrowthFigures.ts"
import * as LargeContract from "./LargeContract.ts"

/** The size to which the contract is going to grow. */
const OPERATIONS = 800

const build = (folder: string, args: ReadonlyArray<string> = ["--run", "build"]) =>
  BenchmarkEnvironment.runCommand(process.execPath, args, folder)

/** Builds the measured parts of a workspace, without the client's declarations. */
const buildAll = Effect.fnUntraced(function* (workspace: string) {
  yield* build(join(workspace, "packages/core"))
  const rolldown = join(BenchmarkEnvironment.root, "node_modules/rolldown/bin/cli.mjs")
  yield* build(join(workspace, "packages/client"), [rolldown, "--config", "rolldown.config.ts"])
  yield* build(join(workspace, "apps/cli"))
})

const places = Effect.gen(function* () {
  const folder = yield* BenchmarkEnvironment.temporaryFolder
  const repos = yield* StartupFixture.repository(folder)
  const place = (name: string, workspace: string): GrowthFigures.Place => {
    mkdirSync(join(folder, name))
    return { workspace, folder: join(folder, name), repos }
  }
  const workspace = join(folder, "workspace")
  LargeContract.write(BenchmarkEnvironment.root, workspace, OPERATIONS)
  yield* buildAll(workspace)
  return [place("today", BenchmarkEnvironment.root), place("large", workspace)] as const // a pair
})

/** Maximum sizes and times with 800 operations. The times of a start are compared with today's. */
const limits: Readonly<Record<string, number>> = {
  "promise client, kB gzip": 61.5,
  "its first call, kB gzip": 15,
  "completion script, kB": 10,
  "import of @tongs/core, ms": 150,
  "type check of all operations, ms": 3000
}

/** The table and the goals. */
export const run = Effect.fnUntraced(function* (rounds: number) {
  const both = yield* places
  const [today, large] = both
  const counts = yield* Effect.forEach(both, GrowthFigures.operations)
  const sizes = yield* Effect.forEach(both, GrowthFigures.sizes)
  const measured = Object.entries(GrowthFigures.times)
  const times = yield* Comparison.run(
    measured.flatMap(([name, time]) => [
      { name: `${name} today`, measure: time(today) },
      { name: `${name} large`, measure: time(large) }
    ]),
    rounds
  )
  const figures: ReadonlyArray<readonly [name: string, ...values: ReadonlyArray<number>]> = [
    ["promise client, kB gzip", ...sizes.map(({ initial }) => initial / 1000)],
    ["its first call, kB gzip", ...sizes.map(({ firstCall }) => firstCall / 1000)],
    ["list of agent tools, kB", ...sizes.map(({ tools }) => tools / 1000)],
    ["completion script, kB", ...sizes.map(({ scripts }) => scripts / 1000)],
    ...measured.map(
      ([name]) => [name, ...["today", "large"].map((size) => median(times.get(`${name} ${size}`) ?? []))] as const // a row
    )
  ]
  const [few, many] = counts
  const section: Section = {
    title: `With copies of the contract's groups, ${rounds} rounds`,
    rows: figures.map(([figure, now, later]): Row => ({
      figure,
      [`${few} operations`]: now,
      [`${many} operations`]: later,
      "at most": limits[figure]
    }))
  }
  const goals = figures.flatMap(([figure, , later = Number.NaN]): ReadonlyArray<Goal> => {
    const limit = limits[figure]
    return limit === undefined
      ? []
      : [{ goal: `${figure}, ${many} operations: at most ${limit}`, ...atMost(later, limit, "") }]
  })
  return { section, goals }
})
