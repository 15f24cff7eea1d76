/** The costs of a built workspace for users: the sizes and times that depend on the number of operations. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as ProcessLauncher from "../ProcessLauncher.ts"
import * as BundleSize from "../size/BundleSize.ts"
import * as ReadyChecks from "../startup/ReadyChecks.ts"
import * as TypeCheck from "../types/TypeCheck.ts"

/** A built workspace, and folders for the files that the programs write. */
export interface Place {
  readonly workspace: string
  readonly folder: string
  /** A folder of repositories. */
  readonly repos: string
}

const shells = ["bash", "zsh", "fish"]

const fromSource = ({ workspace }: Place, script: string) =>
  BenchmarkEnvironment.runCommand(
    process.execPath,
    ["--conditions=@tongs/source", "--input-type=module", "--eval", script],
    join(workspace, "test")
  )

const tongs = ({ workspace }: Place) => join(workspace, "apps/cli/dist/tongs.js")

/** The number of operations of the contract. */
export const operations = (place: Place) =>
  Effect.map(fromSource(place, `console.log((await import("@tongs/core/contract/Catalog")).entries.length)`), Number)

/** Sizes in bytes. */
export const sizes = Effect.fnUntraced(function* (place: Place) {
  const bundle = yield* BundleSize.make(`export { createForge } from "@tongs/client"`, join(place.workspace, "test"))
  // A first call loads the table of the groups, and the largest part: a group or the routes.
  const [table = 0] = [...bundle.parts].flatMap(([name, size]) => (name.startsWith("GroupTable") ? [size] : []))
  const scripts = yield* Effect.forEach(shells, (shell) =>
    BenchmarkEnvironment.runCommand(process.execPath, [tongs(place), "--completions", shell], place.folder)
  )
  return {
    initial: bundle.gzipped,
    firstCall: table + Math.max(...bundle.parts.values()),
    tools: yield* toolList(place),
    scripts: Math.max(...scripts.map((script) => Buffer.byteLength(script)))
  }
})

/** Bytes of the list of tools that an agent reads. */
const toolList = (place: Place) => {
  let size = 0
  const read: typeof ReadyChecks.tongsMcp = (child, onOutput) =>
    ReadyChecks.tongsMcp(child, (listener) =>
      onOutput((stdout) => {
        size = Buffer.byteLength(stdout.split("\n").find((line) => /"id":2\b/.test(line)) ?? "")
        listener(stdout)
      })
    )
  return Effect.map(ProcessLauncher.timeUntil(mcp(place), read), () => size)
}

const mcp = (place: Place) => ({
  command: process.execPath,
  args: [tongs(place), "mcp", ...data(place)],
  home: place.folder
})

const data = ({ folder, repos }: Place) => ["--data", `${folder}/data`, "--repos", repos]

/** The import of the client with Effect, in a new process. */
const importTime = ({ workspace }: Place) => {
  const script = `const started = performance.now(); await import("@tongs/core"); console.log(performance.now() - started)`
  return Effect.map(
    BenchmarkEnvironment.runCommand(
      process.execPath,
      ["--input-type=module", "--eval", script],
      join(workspace, "test")
    ),
    Number
  )
}

/** The type check of a program that calls every operation. */
const typeCheck = Effect.fnUntraced(function* (place: Place) {
  const path = join(place.folder, "program")
  if (!existsSync(path)) {
    const source = yield* fromSource(
      place,
      `process.stdout.write((await import("./bench/types/TypeCheckedPrograms.ts")).tongsProgram)`
    )
    TypeCheck.project(path, source, join(place.workspace, "test"))
  }
  const { seconds } = yield* TypeCheck.check(path)
  return seconds * 1000
})

const start =
  (args: (place: Place) => ReadonlyArray<string>, until: ProcessLauncher.ReadyCheck = "exit") =>
  (place: Place) =>
    ProcessLauncher.timeUntil(
      { command: process.execPath, args: [tongs(place), ...args(place)], home: place.folder },
      until
    )

/** Measurements in milliseconds, by name. */
export const times: Readonly<Record<string, (place: Place) => Effect.Effect<number, Error>>> = {
  "import of @tongs/core, ms": importTime,
  "type check of all operations, ms": typeCheck,
  "tongs --help, ms": start(() => ["--help"]),
  "tongs api --help, ms": start(() => ["api", "--help"]),
  "tongs api /user, ms": start((place) => ["api", "/user", ...data(place)]),
  "tongs tags list --help, ms": start(() => ["tags", "list", "--help"]),
  "tongs serve, first answer, ms": start(
    (place) => ["serve", "--json", "--port", "0", ...data(place)],
    ReadyChecks.tongsServe
  ),
  "tongs mcp, first answer, ms": start((place) => ["mcp", ...data(place)], ReadyChecks.initialize),
  "tongs mcp, list of tools, ms": start((place) => ["mcp", ...data(place)], ReadyChecks.tongsMcp)
}
