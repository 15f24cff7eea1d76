/** Measures the type check of programs that use a client's published declarations. */
import * as Effect from "effect/Effect"
import type { Benchmark } from "../Benchmark.ts"
import * as Comparison from "../Comparison.ts"
import { atMost } from "../Report.ts"
import * as InstalledSize from "../size/InstalledSize.ts"
import { median } from "../Statistics.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as TypeCheck from "./TypeCheck.ts"
import * as TypeCheckedPrograms from "./TypeCheckedPrograms.ts"

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  const rounds = quick ? 1 : 5
  const folder = yield* BenchmarkEnvironment.temporaryFolder
  const { endpoints, groups } = TypeCheckedPrograms.count
  const programs = [
    {
      name: "tongs",
      title: `all ${endpoints} endpoints of ${groups} groups`,
      source: TypeCheckedPrograms.tongsProgram
    },
    { name: "octokit", title: "four calls", source: TypeCheckedPrograms.OCTOKIT_PROGRAM }
  ]
  const results = yield* Comparison.run(
    programs.map(({ name, source }) => ({
      name,
      measure: TypeCheck.check(TypeCheck.project(`${folder}/${name}`, source))
    })),
    rounds
  )
  const rows = programs.map(({ name, title }) => {
    const checks = results.get(name) ?? []
    return {
      client: name,
      program: title,
      seconds: median(checks.map(({ seconds }) => seconds)),
      "memory MB": median(checks.map(({ megabytes }) => megabytes)),
      types: median(checks.map(({ types }) => types)),
      instantiations: median(checks.map(({ instantiations }) => instantiations))
    }
  })
  const [tongs] = rows
  return {
    sections: [
      { title: `tsc ${BenchmarkEnvironment.versionOf("typescript")}, ${rounds} rounds, libraries unchecked`, rows }
    ],
    goals:
      tongs === undefined
        ? []
        : [
            { goal: "tongs: at most 3 s", ...atMost(tongs.seconds, 3, " s") },
            { goal: "tongs: at most 500 MB", ...atMost(tongs["memory MB"], 500, " MB") }
          ],
    notes: [
      `peers: @octokit/rest ${BenchmarkEnvironment.versionOf("@octokit/rest")}`,
      "each call of the tongs program handles one of its failures by name, so that its error type is computed",
      ...(InstalledSize.isBuilt
        ? []
        : ["tongs is checked from its sources, declarations are read faster: run pnpm build"])
    ]
  }
})

export const types: Benchmark = { name: "types", summary: "the type check of programs that use the client", run }
