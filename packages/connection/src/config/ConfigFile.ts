/** The config file: what a person sets once, by profile. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { ConnectionError } from "../base/ConnectionError.ts"
import { AppSettings } from "./AppSettings.ts"
import { describePlatformError } from "../base/PlatformErrors.ts"
import { UserDirectories } from "../base/UserDirectories.ts"

/** What a profile may say; flags and the environment win over it. */
export const Profile = Schema.Struct({
  /** A remote forge. */
  url: Schema.optionalKey(Schema.String),
  dialect: Schema.optionalKey(Schema.Literals(["service", "github"])),
  /** Folder of the embedded forge. */
  data: Schema.optionalKey(Schema.String),
  repos: Schema.optionalKey(Schema.Array(Schema.String)),
  limits: Schema.optionalKey(Schema.Literals(["off", "spec"])),
  /** Where budgets are kept: `memory`, `sqlite` or a `redis://` URL. */
  limitsStore: Schema.optionalKey(Schema.String),
  /** A credential for the forge of this profile, in one of three ways: as it is, */
  token: Schema.optionalKey(Schema.RedactedFromValue(Schema.String)),
  /** from a program that prints it, as `["gh", "auth", "token"]`, */
  tokenCommand: Schema.optionalKey(Schema.NonEmptyArray(Schema.String)),
  /** or as an installation of an app. */
  app: Schema.optionalKey(AppSettings),
  /** Of the OAuth app that `tongs auth login --web` signs in with. */
  clientId: Schema.optionalKey(Schema.String)
})
export type Profile = typeof Profile.Type

/** `$XDG_CONFIG_HOME/tongs/config.json`. The profile `default` holds where none is asked for. */
export const ConfigFile = Schema.Struct({
  profiles: Schema.optionalKey(Schema.Record(Schema.String, Profile))
})
export type ConfigFile = typeof ConfigFile.Type

const decode = Schema.decodeUnknownEffect(ConfigFile)

/** Where the file is, whether it exists or not. */
export const path: Effect.Effect<string, never, UserDirectories> = Effect.map(UserDirectories, ({ config }) =>
  Path.join(config, "config.json")
)

/** The file; an empty one where there is none. A wrong file is refused whole, so that no setting is lost in silence. */
export const read: Effect.Effect<ConfigFile, ConnectionError, FileSystem.FileSystem | UserDirectories> = Effect.gen(
  function* () {
    const fs = yield* FileSystem.FileSystem
    const file = yield* path
    const refuse = (detail: string, hint: string) =>
      Effect.fail(new ConnectionError({ reason: "BadSettings", detail: `${file}: ${detail}`, hint }))
    const text = yield* fs.readFileString(file).pipe(
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed("{}")),
      Effect.catch((error) => refuse(describePlatformError(error), "Make the file readable, or remove it"))
    )
    const json = yield* Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: (error) => `it is not JSON${place(error)}`
    }).pipe(Effect.catch((detail) => refuse(detail, "Correct the file, or remove it")))
    return yield* decode(json, { errors: "all", onExcessProperty: "error" }).pipe(
      Effect.catch(({ message }) => refuse(message.replace(/\s*\n\s*/g, " "), "Correct the file, or remove it"))
    )
  }
)

/** The profile of a name; `default` may be missing, others may not. */
export const profile = Effect.fn("ConfigFile.profile")(function* (name: string | undefined) {
  const { profiles = {} } = yield* read
  const found = profiles[name ?? "default"]
  if (found !== undefined) return found
  if (name === undefined || name === "default") return {} satisfies Profile
  const names = Object.keys(profiles)
  return yield* new ConnectionError({
    reason: "BadSettings",
    detail: `There is no profile ${JSON.stringify(name)} in ${yield* path}`,
    hint: names.length === 0 ? "The file has none: add it under `profiles`" : `It has ${names.join(", ")}`
  })
})

/** Where the parser stopped. What it says beside that quotes the file, and with it a token. */
const place = (error: unknown) => {
  const found = error instanceof Error ? /line \d+ column \d+/.exec(error.message)?.[0] : undefined
  return found === undefined ? "" : ` (${found})`
}
