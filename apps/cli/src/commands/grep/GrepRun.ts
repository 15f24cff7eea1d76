/** Runs `tongs grep`: from arguments to results. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import * as SettingsResolver from "@tongs/connection/SettingsResolver"
import { locateEnclosing } from "@tongs/service/git/values/RepositoryLocation"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../../base/Output.ts"
import { UsageError } from "../../base/UsageError.ts"
import { Connector } from "../../session/Connector.ts"
import * as FileSelection from "./FileSelection.ts"
import * as FileTypes from "./FileTypes.ts"
import * as GrepArguments from "./GrepArguments.ts"
import type { GrepOptions } from "./GrepOptions.ts"
import * as GrepQuery from "./GrepQuery.ts"
import * as GrepSearch from "./GrepSearch.ts"
import * as SearchScope from "./SearchScope.ts"

/** Runs the arguments after `grep`, and returns the exit code. */
export const run = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const output = yield* Output
  const parsed = yield* Effect.fromResult(GrepArguments.parse(args))
  if (parsed._tag === "TypeList") {
    yield* output.print(FileTypes.list())
    return GrepSearch.codes.found
  }
  const { options } = parsed
  const admits = yield* Effect.fromResult(FileSelection.make(options))
  const patterns = yield* readPatterns(options)
  // Reject an invalid pattern before the forge starts.
  yield* Effect.fromResult(GrepQuery.make(patterns, options, []))
  if (patterns.length === 0) return GrepSearch.codes.notFound
  const start = yield* locate(options)
  const connect = yield* Connector
  const code = yield* Effect.provide(
    search(options, patterns, admits, start),
    connect({ ...start.settings, repos: start.repos, searchesWorkTrees: true })
  )
  return start.isFailed ? GrepSearch.codes.failed : code
})

/** The paths of a command line, and the settings of the forge that serves the paths. */
interface Start {
  readonly cwd: string
  readonly roots: ReadonlyArray<SearchScope.Root>
  readonly settings: Effect.Success<ReturnType<typeof SettingsResolver.resolve>>
  readonly repos: ReadonlyArray<string> | undefined
  /** True if a path does not exist. */
  readonly isFailed: boolean
}

const locate = Effect.fnUntraced(function* (options: GrepOptions) {
  const { note } = yield* Output
  const cwd = yield* Effect.try({
    try: () => Fs.realpathSync(process.cwd()),
    catch: () =>
      new UsageError({ detail: "The working directory no longer exists.", hint: "Change to another directory." })
  })
  const { indexBranches, repos, values } = options.forge
  const { demo, dialect, limits } = values
  if (demo !== undefined) {
    return yield* new UsageError({
      detail: "tongs grep searches no demonstration.",
      hint: "Use `tongs --demo search`."
    })
  }
  const settings = yield* SettingsResolver.resolve({
    cwd,
    profile: values.profile,
    url: values.url,
    dialect: dialect === "github" || dialect === "service" ? dialect : undefined,
    data: values.data,
    repos,
    indexBranches,
    limits: limits === "off" || limits === "spec" ? limits : undefined
  })
  if (settings.url !== undefined) {
    return yield* new UsageError({
      detail: "tongs grep searches the code index of the embedded forge. A remote forge has none.",
      hint: "Use `tongs search` there, or pass --repos FOLDER for repositories on this machine."
    })
  }
  const isConfigured = (settings.repos ?? []).length > 0
  const roots: Array<SearchScope.Root> = []
  for (const written of options.paths) {
    const path = realpath(Path.resolve(cwd, written))
    if (path === undefined) yield* note(`tongs: ${Terminal.escape(written)}: No such file or directory`)
    else roots.push({ written, path, isFile: Fs.statSync(path).isFile() })
  }
  const isFailed = roots.length < options.paths.length
  if (isFailed && roots.length === 0) {
    return yield* new UsageError({ detail: "No PATH exists.", hint: "Pass files or folders of a repository." })
  }
  // Without --repos, the forge serves the repositories of the paths.
  const folders = roots.length === 0 ? [cwd] : roots.map(({ isFile, path }) => (isFile ? Path.dirname(path) : path))
  const served = [...new Set(folders.map((folder) => locateEnclosing(folder)?.path ?? folder))]
  return { cwd, roots, settings, isFailed, repos: isConfigured ? settings.repos : served } satisfies Start
})

const search = Effect.fnUntraced(function* (
  options: GrepOptions,
  patterns: ReadonlyArray<string>,
  admits: (place: FileSelection.Place) => boolean,
  start: Start
) {
  const { hasColor, note } = yield* Output
  const { workTrees = new Map<string, string>() } = yield* Connection
  const { cwd } = start
  const isNamed = (start.settings.repos ?? []).length > 0 || options.repositories.length > 0
  const isInside = [...workTrees.values()].some((tree) => `${cwd}${Path.sep}`.startsWith(`${tree}${Path.sep}`))
  const isHere = !isNamed || (workTrees.size === 1 && isInside && options.repositories.length === 0)
  const scope = SearchScope.make({
    cwd,
    roots:
      start.roots.length > 0
        ? start.roots
        : isHere && workTrees.size > 0
          ? [{ written: "", path: cwd, isFile: false }]
          : [],
    workTrees,
    repositories: options.repositories,
    isHistory: options.revisions.length > 0
  })
  for (const { written } of scope.missing) {
    yield* note(`tongs: ${Terminal.escape(written)}: not in a served repository`)
  }
  const query = yield* Effect.fromResult(
    GrepQuery.make(patterns, options, [...scope.filters, ...FileSelection.filters(options)])
  )
  const [only] = start.roots
  const code = yield* GrepSearch.run({
    options,
    query,
    scope,
    admits,
    isOneFile: start.roots.length === 1 && only?.isFile === true && !start.isFailed,
    hasColor: options.color === "always" || (options.color === "auto" && hasColor)
  })
  return scope.missing.length > 0 ? GrepSearch.codes.failed : code
})

const realpath = (path: string): string | undefined => {
  try {
    return Fs.realpathSync(path)
  } catch {
    return undefined
  }
}

const readPatterns = Effect.fnUntraced(function* ({ patternFiles, patterns }: GrepOptions) {
  const all = [...patterns]
  for (const file of patternFiles) {
    const text = yield* Effect.try({
      try: () => Fs.readFileSync(file === "-" ? 0 : file, "utf8"),
      catch: (error) =>
        new UsageError({
          detail: `Cannot read the patterns in ${file}: ${error instanceof Error ? error.message : String(error)}.`,
          hint: "Name a text file with one pattern per line."
        })
    })
    all.push(...text.replace(/\r?\n$/, "").split(/\r?\n/))
  }
  return all
})
