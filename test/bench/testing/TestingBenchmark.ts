/** Measures the start, the reset and the snapshots of forges for tests. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Benchmark } from "../Benchmark.ts"
import * as Comparison from "../Comparison.ts"
import { atMost } from "../Report.ts"
import { median } from "../Statistics.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import { Measurement, REPOSITORIES } from "./Measurement.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Measurement))

/** Runs a worker without the import condition of this process, so that packages load built files. */
const measure = (script: string) =>
  Effect.flatMap(BenchmarkEnvironment.runCommand(process.execPath, [join(import.meta.dirname, script)]), (stdout) =>
    decode(stdout)
  )

const columns = {
  "import ms": "import",
  "first start ms": "firstStart",
  "next start ms": "nextStart",
  "close ms": "close",
  "reset ms": "reset",
  "reset of many ms": "resetMany",
  "snapshot ms": "snapshot",
  "restore ms": "restore",
  "memory MB": "memory"
} as const

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  if (!existsSync(join(BenchmarkEnvironment.root, "packages/testing/dist/index.js")))
    return yield* new BenchmarkEnvironment.BenchmarkError({ detail: "No build. Run pnpm build." })
  const rounds = quick ? 1 : 5
  const results = yield* Comparison.run(
    [
      { name: "tongs", measure: measure("TestForge.worker.ts") },
      { name: "emulate", measure: measure("Emulator.worker.ts") }
    ],
    rounds
  )
  const figure = (program: string, key: keyof typeof Measurement.Type) => {
    const figures = (results.get(program) ?? []).flatMap((one) => one[key] ?? [])
    return figures.length === 0 ? undefined : median(figures)
  }
  const goal = (title: string, key: keyof typeof Measurement.Type, wanted: number) => ({
    goal: `${title}: at most ${wanted} ms`,
    ...atMost(figure("tongs", key) ?? Number.NaN, wanted, " ms")
  })
  return {
    sections: [
      {
        title: `In the process of the test, ${rounds} rounds; many: ${REPOSITORIES} repositories, which snapshot and restore also have`,
        rows: [...results.keys()].map((program) => ({
          program,
          ...Object.fromEntries(Object.entries(columns).map(([header, key]) => [header, figure(program, key)]))
        }))
      }
    ],
    goals: [
      goal("first start", "firstStart", 150),
      goal("next start", "nextStart", 150),
      goal("reset", "reset", 2),
      goal(`reset that removes ${REPOSITORIES} repositories`, "resetMany", 5),
      goal(`snapshot of ${REPOSITORIES} repositories`, "snapshot", 20),
      goal(`restore of ${REPOSITORIES} repositories`, "restore", 20)
    ],
    notes: [
      `peer: emulate ${BenchmarkEnvironment.versionOf("emulate")}, which holds its data in memory, has no git repositories, and no snapshots of its GitHub service`,
      "each round is a new process; memory is its resident set after the first start",
      "repositories are created with POST /user/repos, each with a commit"
    ]
  }
})

export const testing: Benchmark = { name: "testing", summary: "a forge in a test: start, reset, snapshots", run }
