/** The flags that every command understands, before or after its name. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Option from "effect/Option"
import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { Output } from "../base/Output.ts"
import { UsageError } from "../base/UsageError.ts"

export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription("Print JSON"))
})

export const Profile = GlobalFlag.Setting("profile")({
  flag: Flag.String("profile").pipe(
    Flag.optional,
    Flag.withMetavar("NAME"),
    Flag.withDescription("Profile of the config file")
  )
})

export const Url = GlobalFlag.Setting("url")({
  flag: Flag.String("url").pipe(
    Flag.optional,
    Flag.withMetavar("URL"),
    Flag.withDescription("A remote forge, instead of the embedded one")
  )
})

export const Dialect = GlobalFlag.Setting("dialect")({
  flag: Flag.Literals("dialect", ["service", "github"]).pipe(
    Flag.optional,
    Flag.withMetavar("NAME"),
    Flag.withDescription("The forge's vocabulary: the documents' own, or GitHub's")
  )
})

export const Data = GlobalFlag.Setting("data")({
  flag: Flag.String("data").pipe(
    Flag.optional,
    Flag.withMetavar("DIR"),
    Flag.withDescription("Where the embedded forge keeps its data")
  )
})

export const Repos = GlobalFlag.Setting("repos")({
  flag: Flag.String("repos").pipe(
    Flag.atLeast(0),
    Flag.withMetavar("DIR"),
    Flag.withDescription("A repository for the embedded forge, or a folder that holds some; may be repeated")
  )
})

export const Limits = GlobalFlag.Setting("limits")({
  flag: Flag.Literals("limits", ["off", "spec"]).pipe(
    Flag.optional,
    Flag.withMetavar("NAME"),
    Flag.withDescription("Whether the embedded forge limits its callers")
  )
})

export const Demo = GlobalFlag.Setting("demo")({
  flag: Flag.Boolean("demo").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("A demonstration: the embedded forge, with something on every screen")
  )
})

export const Color = GlobalFlag.Setting("color")({
  flag: Flag.Boolean("color").pipe(
    Flag.optional,
    Flag.withDescription("Colours, or with --no-color none; by default where the terminal has them")
  )
})

export const Otlp = GlobalFlag.Setting("otlp")({
  flag: Flag.String("otlp").pipe(
    Flag.optional,
    Flag.withMetavar("URL"),
    Flag.withDescription("Send traces and metrics to an OpenTelemetry collector, as http://127.0.0.1:4318")
  )
})

export const ApiVersion = GlobalFlag.Setting("api-version")({
  flag: Flag.String("api-version").pipe(
    Flag.filter(
      (version) => /^\d{4}-\d{2}-\d{2}$/.test(version),
      () => "a version of the API, as 2022-11-28"
    ),
    Flag.optional,
    Flag.withMetavar("DATE"),
    Flag.withDescription("Version of the API to ask for, as 2022-11-28")
  )
})

export const all = [Json, Profile, Url, Dialect, ApiVersion, Data, Repos, Limits, Demo, Color, Otlp] as const // a tuple, for the types

/** A port to listen on. */
export const port = (name: string) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (port) => port >= 0 && port <= 65_535,
      () => "a port, from 0 to 65535"
    )
  )

/** Names that the flags of no command may have. */
export const reserved: ReadonlySet<string> = new Set([
  ...all.map(({ id }) => id),
  // Those of `effect/cli`.
  "help",
  "version",
  "wizard",
  "completions",
  "log-level"
])

/** The fixture file of `--demo`: next to the bundle, or in `apps/cli` when the sources run. */
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

/** What the flags say of the connection. */
export const settings = Effect.gen(function* () {
  return {
    cwd: yield* workingDirectory,
    profile: Option.getOrUndefined(yield* Profile),
    url: Option.getOrUndefined(yield* Url),
    dialect: Option.getOrUndefined(yield* Dialect),
    apiVersion: Option.getOrUndefined(yield* ApiVersion),
    data: Option.getOrUndefined(yield* Data),
    repos: yield* Repos,
    limits: Option.getOrUndefined(yield* Limits),
    demo: (yield* Demo) ? demoFile() : undefined
  }
})

/** Marks text for emphasis where colours are wanted and understood, and leaves it alone elsewhere. */
export const paint = Effect.gen(function* () {
  const { hasColor } = yield* Output
  const wanted = Option.getOrElse(yield* Color, () => hasColor)
  const style = (open: number, close: number) => (text: string) =>
    wanted && text !== "" ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return { bold: style(1, 22), dim: style(2, 22), match: style(33, 39), good: style(32, 39), bad: style(31, 39) }
})
export type Paint = Effect.Success<typeof paint>
