/** Type checks of single programs. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as InstalledSize from "../size/InstalledSize.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"

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

/** Creates a project with the program and the packages that `tests` depends on. Returns the path. */
export const project = (path: string, source: string, tests = BenchmarkEnvironment.testPackage) => {
  mkdirSync(path)
  symlinkSync(join(tests, "node_modules"), join(path, "node_modules"))
  writeFileSync(join(path, "package.json"), `{ "type": "module" }`)
  writeFileSync(join(path, "tsconfig.json"), JSON.stringify(options))
  writeFileSync(join(path, "program.ts"), source)
  return path
}

const figure = (diagnostics: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+([\\d.]+)`, "m").exec(diagnostics)?.[1] ?? Number.NaN)

/** Runs one type check. Returns seconds and megabytes. */
export const check = (path: string) =>
  Effect.map(
    BenchmarkEnvironment.runCommand(process.execPath, [compiler, "-p", path, "--extendedDiagnostics"]),
    (diagnostics) => ({
      seconds: figure(diagnostics, "Total time"),
      megabytes: figure(diagnostics, "Memory used") / 1000,
      types: figure(diagnostics, "Types"),
      instantiations: figure(diagnostics, "Instantiations")
    })
  )
