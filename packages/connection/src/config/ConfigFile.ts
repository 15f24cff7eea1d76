/** The config file: settings by profile. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { badSettings, type ConnectionError } from "../base/ConnectionError.ts"
import { AppSettings } from "./AppSettings.ts"
import { describePlatformError } from "../base/PlatformErrors.ts"
import { UserDirectories } from "../base/UserDirectories.ts"

/** The settings of a profile, which flags and environment variables override. */
export const Profile = Schema.Struct({
  /** The URL of a remote forge's API. Undefined for the embedded forge. */
  url: Schema.optionalKey(Schema.String),
  dialect: Schema.optionalKey(Schema.Literals(["service", "github"])),
  /** The data folder of the embedded forge. */
  data: Schema.optionalKey(Schema.String),
  /** The PostgreSQL database of the embedded forge, as a `postgres://` URL. */
  database: Schema.optionalKey(Schema.RedactedFromValue(Schema.String)),
  /** A file with the password of the database. Set at most one of this and `databasePasswordCommand`. */
  databasePasswordFile: Schema.optionalKey(Schema.String),
  /** A program, with arguments, that prints the password of the database. */
  databasePasswordCommand: Schema.optionalKey(Schema.NonEmptyArray(Schema.String)),
  /** The address of `tongs serve` in a cluster, as `HOST:PORT`, and the folder of this process alone. */
  cluster: Schema.optionalKey(Schema.String),
  localData: Schema.optionalKey(Schema.String),
  repos: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Patterns of branches to index besides the default branches, for example `release-*`. */
  indexBranches: Schema.optionalKey(Schema.Array(Schema.String)),
  limits: Schema.optionalKey(Schema.Literals(["off", "spec"])),
  /** The store of rate-limit budgets: `memory`, `sqlite` or a `redis://` URL. */
  limitsStore: Schema.optionalKey(Schema.String),
  /** The access token for the profile's forge. Set at most one of `token`, `tokenCommand` and `app`. */
  token: Schema.optionalKey(Schema.RedactedFromValue(Schema.String)),
  /** A program, with arguments, that prints the access token, for example `["gh", "auth", "token"]`. */
  tokenCommand: Schema.optionalKey(Schema.NonEmptyArray(Schema.String)),
  /** The app installation to authenticate as. */
  app: Schema.optionalKey(AppSettings),
  /** The client id of the OAuth app for `tongs auth login --web`. */
  clientId: Schema.optionalKey(Schema.String)
})
/** The settings of one profile. */
export type Profile = typeof Profile.Type

/** Settings of the terminal UI. */
export const Tui = Schema.Struct({
  /** Keys by command, for example `{ "refresh": ["f5"] }`. Replace the default keys of the command. */
  keys: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String))),
  /** False lets the terminal select text with the mouse, and disables clicks. */
  mouse: Schema.optionalKey(Schema.Boolean),
  /** `high` makes all text readable at a contrast of 7. */
  contrast: Schema.optionalKey(Schema.Literals(["normal", "high"])),
  /** False starts with the first screen instead of the last session. */
  restore: Schema.optionalKey(Schema.Boolean)
})

/** The content of `$XDG_CONFIG_HOME/tongs/config.json`. The profile `default` applies if no other is named. */
export const ConfigFile = Schema.Struct({
  profiles: Schema.optionalKey(Schema.Record(Schema.String, Profile)),
  tui: Schema.optionalKey(Tui)
})
/** A decoded config file. */
export type ConfigFile = typeof ConfigFile.Type

const decode = Schema.decodeUnknownEffect(ConfigFile)

/** The path of the config file, which need not exist. */
export const path: Effect.Effect<string, never, UserDirectories> = Effect.map(UserDirectories, ({ config }) =>
  Path.join(config, "config.json")
)

/**
 * Reads the config file; a missing file has no settings. Fails with `BadSettings` if any part is invalid, so that no
 * setting is silently ignored.
 */
export const read: Effect.Effect<ConfigFile, ConnectionError, FileSystem.FileSystem | UserDirectories> = Effect.gen(
  function* () {
    const fs = yield* FileSystem.FileSystem
    const file = yield* path
    const refuse = (detail: string, hint: string) => Effect.fail(badSettings(`${file}: ${detail}`, hint))
    const text = yield* fs.readFileString(file).pipe(
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed("{}")),
      Effect.catch((error) => refuse(describePlatformError(error), "Make the file readable, or remove it"))
    )
    const json = yield* Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: (error) => `invalid JSON${position(error)}`
    }).pipe(Effect.catch((detail) => refuse(detail, "Correct the file, or remove it")))
    return yield* decode(json, { errors: "all", onExcessProperty: "error" }).pipe(
      Effect.catch(({ message }) => refuse(message.replace(/\s*\n\s*/g, " "), "Correct the file, or remove it"))
    )
  }
)

/** Reads the profile `name`, or `default`. Fails with `BadSettings` if a profile other than `default` is missing. */
export const profile = Effect.fn("ConfigFile.profile")(function* (name: string | undefined) {
  const { profiles = {} } = yield* read
  const found = profiles[name ?? "default"]
  if (found !== undefined) return found
  if (name === undefined || name === "default") return {} satisfies Profile
  const names = Object.keys(profiles)
  return yield* badSettings(
    `No profile ${JSON.stringify(name)} in ${yield* path}`,
    names.length === 0 ? "Add it under `profiles`" : `Use one of: ${names.join(", ")}`
  )
})

/** Extracts the position of a JSON syntax error. The rest of the message can reveal an access token in the file. */
const position = (error: unknown) => {
  const found = error instanceof Error ? /line \d+ column \d+/.exec(error.message)?.[0] : undefined
  return found === undefined ? "" : ` (${found})`
}
