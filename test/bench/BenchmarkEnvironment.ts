/** Paths, temporary folders and the environment of measured programs. */
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const root = join(import.meta.dirname, "../..")

/** The package that depends on the compared programs. */
export const testPackage = join(root, "test")

/** The built `tongs`. */
export const tongsPath = join(root, "apps/cli/dist/tongs.js")

/** The command of `emulate`. */
export const emulatePath = fileURLToPath(import.meta.resolve("emulate/cli"))

/** A requirement of a benchmark is missing, or a measured program failed. */
export class BenchmarkError extends Schema.TaggedError<BenchmarkError>()("BenchmarkError", { detail: Schema.String }) {
  override get message() {
    return this.detail
  }
}

/** Creates a temporary folder, which is removed with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "tongs-bench-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
)

/** An environment without settings that would affect the measurement. */
export const cleanEnvironment = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: home,
  XDG_CACHE_HOME: join(home, "cache"),
  XDG_CONFIG_HOME: join(home, "config"),
  XDG_DATA_HOME: join(home, "data"),
  LANG: "C.UTF-8"
})

/** The path of a program on the PATH. */
export const findProgram = (name: string): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

const Manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))
const decodeManifest = Schema.decodeUnknownSync(Manifest)

/** The installed version of a package that the tests depend on. */
export const versionOf = (name: string): string => {
  const manifest = findPackageJSON(name, import.meta.url)
  return manifest === undefined ? "missing" : decodeManifest(readFileSync(manifest, "utf8")).version
}

/** Runs a promise; a rejection becomes a `BenchmarkError`. */
export const tryPromise = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (cause) => new BenchmarkError({ detail: String(cause) }) })

const run = promisify(execFile)

/** Runs a program. Returns stdout. */
export const runCommand = (command: string, args: ReadonlyArray<string>, cwd?: string) =>
  Effect.tryPromise({
    try: () => run(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 }),
    catch: (cause) => new BenchmarkError({ detail: `${command} ${args[0] ?? ""}: ${String(cause)}` })
  }).pipe(Effect.map(({ stdout }) => stdout))
