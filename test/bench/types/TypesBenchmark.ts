/** Measures the type check of programs that use a client's published declarations. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Benchmark } from "../Benchmark.ts"
import * as Comparison from "../Comparison.ts"
import { atMost } from "../Report.ts"
import * as InstalledSize from "../size/InstalledSize.ts"
import { median } from "../Statistics.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as TypeCheckedPrograms from "./TypeCheckedPrograms.ts"

const compiler = join(BenchmarkEnvironment.root, "node_modules/typescript/bin/tsc")

const options = {
  compilerOptions: {
    target: "ES2023",
    lib: ["ES2023", "DOM"],
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    customConditions: InstalledSize.isBuilt ? [] : ["@tongs/source"]
  },
  files: ["program.ts"]
}

/** Creates a project with the program and the packages of the tests. Returns its path. */
const project = (folder: string, name: string, source: string) => {
  const path = join(folder, name)
  mkdirSync(path)
  symlinkSync(join(BenchmarkEnvironment.testPackage, "node_modules"), join(path, "node_modules"))
  writeFileSync(join(path, "package.json"), `{ "type": "module" }`)
  writeFileSync(join(path, "tsconfig.json"), JSON.stringify(options))
  writeFileSync(join(path, "program.ts"), source)
  return path
}

const figure = (diagnostics: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+([\\d.]+)`, "m").exec(diagnostics)?.[1] ?? Number.NaN)

/** Runs one type check. Returns seconds and megabytes. */
const check = (path: string) =>
  Effect.map(
    BenchmarkEnvironment.runCommand(process.execPath, [compiler, "-p", path, "--extendedDiagnostics"]),
    (diagnostics) => ({
      seconds: figure(diagnostics, "Total time"),
      megabytes: figure(diagnostics, "Memory used") / 1000,
      types: figure(diagnostics, "Types"),
      instantiations: figure(diagnostics, "Instantiations")
    })
  )

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
    { name: "octokit", title: "four calls", source: TypeCheckedPrograms.octokitProgram }
  ]
  const results = yield* Comparison.run(
    programs.map(({ name, source }) => ({ name, measure: check(project(folder, name, source)) })),
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
