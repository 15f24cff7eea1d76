/** The global flags, and helpers for the flags of several commands. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Option from "effect/Option"
import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { Output } from "../base/Output.ts"
import { UsageError } from "../base/UsageError.ts"

/** Creates a Boolean flag with the default false. */
export const toggle = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

/** The flag `--json`. */
export const Json = GlobalFlag.Setting("json")({ flag: toggle("json", "Print JSON") })

/** The flag `--fields NAMES`. */
export const Fields = GlobalFlag.Setting("fields")({
  flag: Flag.String("fields").pipe(
    Flag.optional,
    Flag.withMetavar("NAMES"),
    Flag.withDescription("Print JSON with only these fields, separated by commas, for example sha,commit.author.name")
  )
})

/** The flag `--jq EXPRESSION`. */
export const Jq = GlobalFlag.Setting("jq")({
  flag: Flag.String("jq").pipe(
    Flag.optional,
    Flag.withMetavar("EXPRESSION"),
    Flag.withDescription("Print the results of a jq expression for the JSON, texts without quotes")
  )
})

/** The flag `--profile NAME`. */
export const Profile = GlobalFlag.Setting("profile")({
  flag: Flag.String("profile").pipe(
    Flag.optional,
    Flag.withMetavar("NAME"),
    Flag.withDescription("Profile of the config file to use")
  )
})

/** The flag `--url URL`. */
export const Url = GlobalFlag.Setting("url")({
  flag: Flag.String("url").pipe(
    Flag.optional,
    Flag.withMetavar("URL"),
    Flag.withDescription("API of a remote forge, instead of the embedded forge")
  )
})

/** The flag `--dialect NAME`. */
export const Dialect = GlobalFlag.Setting("dialect")({
  flag: Flag.Literals("dialect", ["service", "github"]).pipe(
    Flag.optional,
    Flag.withMetavar("NAME"),
    Flag.withDescription("Header and media type names: this API's own, or GitHub's")
  )
})

/** The flag `--data DIR`. */
export const Data = GlobalFlag.Setting("data")({
  flag: Flag.String("data").pipe(
    Flag.optional,
    Flag.withMetavar("DIR"),
    Flag.withDescription("Data folder of the embedded forge")
  )
})

/** The flag `--database-password-file FILE` of commands with a database. */
export const databasePasswordFile = Flag.String("database-password-file").pipe(
  Flag.optional,
  Flag.withMetavar("FILE"),
  Flag.withDescription("File with the password of the database")
)

/** The repeatable flag `--repos DIR`. */
export const Repos = GlobalFlag.Setting("repos")({
  flag: Flag.String("repos").pipe(
    Flag.atLeast(0),
    Flag.withMetavar("DIR"),
    Flag.withDescription("A git repository for the embedded forge, or a folder that contains some; may be repeated")
  )
})

/** The repeatable flag `--index-branch PATTERN`. */
export const IndexBranch = GlobalFlag.Setting("index-branch")({
  flag: Flag.String("index-branch").pipe(
    Flag.atLeast(0),
    Flag.withMetavar("PATTERN"),
    Flag.withDescription(
      "Branches that the embedded forge indexes besides the default one, for example 'release-*'; may be repeated"
    )
  )
})

/** The flag `--limits NAME`. */
export const Limits = GlobalFlag.Setting("limits")({
  flag: Flag.Literals("limits", ["off", "spec"]).pipe(
    Flag.optional,
    Flag.withMetavar("NAME"),
    Flag.withDescription("Rate limits of the embedded forge: none, or the documented limits")
  )
})

/** The flag `--demo`. */
export const Demo = GlobalFlag.Setting("demo")({ flag: toggle("demo", "Use a demonstration forge with sample data") })

/** The flags `--color` and `--no-color`. */
export const Color = GlobalFlag.Setting("color")({
  flag: Flag.Boolean("color").pipe(
    Flag.optional,
    Flag.withDescription("Use colors, or none with --no-color; by default if stdout is a terminal")
  )
})

/** The flag `--otlp URL`. */
export const Otlp = GlobalFlag.Setting("otlp")({
  flag: Flag.String("otlp").pipe(
    Flag.optional,
    Flag.withMetavar("URL"),
    Flag.withDescription("Send traces and metrics to an OpenTelemetry collector, for example http://127.0.0.1:4318")
  )
})

/** The flag `--api-version DATE`. */
export const ApiVersion = GlobalFlag.Setting("api-version")({
  flag: Flag.String("api-version").pipe(
    Flag.filter(
      (version) => /^\d{4}-\d{2}-\d{2}$/.test(version),
      () => "an API version, for example 2022-11-28"
    ),
    Flag.optional,
    Flag.withMetavar("DATE"),
    Flag.withDescription("API version to request, for example 2022-11-28")
  )
})

/** All global flags, in the order of `--help`. */
export const all = [
  Json,
  Fields,
  Jq,
  Profile,
  Url,
  Dialect,
  ApiVersion,
  Data,
  Repos,
  IndexBranch,
  Limits,
  Demo,
  Color,
  Otlp
] as const // a tuple type

/** Creates a flag for a TCP port. */
export const port = (name: string) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (port) => port >= 0 && port <= 65_535,
      () => "a port from 0 to 65535"
    )
  )

/** Creates the flags `--port` and `--host` of a server. */
export const address = (defaultPort: number) => ({
  port: port("port").pipe(
    Flag.withDefault(defaultPort),
    Flag.withDescription(`Port to listen on, ${defaultPort} by default; 0 for any free port`)
  ),
  host: Flag.String("host").pipe(
    Flag.withDefault("127.0.0.1"),
    Flag.withDescription("Address to listen on, 127.0.0.1 by default")
  )
})

/** Names of global flags, which other flags of commands cannot use. */
export const reserved: ReadonlySet<string> = new Set([
  ...all.map(({ id }) => id),
  // Flags that `effect/cli` defines.
  "help",
  "version",
  "wizard",
  "completions",
  "log-level"
])

/** Returns the fixture file of `--demo`: next to the bundle, or in `apps/cli` if run from source. */
const demoFile = (): string => {
  const candidates = ["../fixtures", "fixtures", "../../fixtures"].map((folder) =>
    Path.join(import.meta.dirname, folder, "demo.json")
  )
  return candidates.find((file) => Fs.existsSync(file)) ?? Path.join(import.meta.dirname, "../fixtures/demo.json")
}

const workingDirectory = Effect.try({
  try: () => process.cwd(),
  catch: () =>
    new UsageError({ detail: "The working directory no longer exists.", hint: "Change to another directory." })
})

/** Reads the connection settings from the global flags. */
export const settings = Effect.gen(function* () {
  return {
    cwd: yield* workingDirectory,
    profile: Option.getOrUndefined(yield* Profile),
    url: Option.getOrUndefined(yield* Url),
    dialect: Option.getOrUndefined(yield* Dialect),
    apiVersion: Option.getOrUndefined(yield* ApiVersion),
    data: Option.getOrUndefined(yield* Data),
    repos: yield* Repos,
    indexBranches: yield* IndexBranch,
    limits: Option.getOrUndefined(yield* Limits),
    demo: (yield* Demo) ? demoFile() : undefined
  }
})

/** Creates functions that style text with ANSI codes, or return it unchanged if colors are off. */
export const paint = Effect.gen(function* () {
  const { hasColor } = yield* Output
  const wanted = Option.getOrElse(yield* Color, () => hasColor)
  const style = (open: number, close: number) => (text: string) =>
    wanted && text !== "" ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return { bold: style(1, 22), dim: style(2, 22), match: style(33, 39), good: style(32, 39), bad: style(31, 39) }
})
/** Functions that style text, from `paint`. */
export type Paint = Effect.Success<typeof paint>
