/** The settings of the embedded forge's PostgreSQL database. */
import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { DatabaseOptions } from "@tongs/service/main/Storage"
import { badSettings, type ConnectionError } from "./base/ConnectionError.ts"
import { expandHome, type UserDirectories } from "./base/UserDirectories.ts"
import type { Profile } from "./config/ConfigFile.ts"
import * as TokenCommand from "./credentials/TokenCommand.ts"

/** The settings of the database from flags and environment variables, which override the profile. */
export interface GivenDatabase {
  /** The value of `--database`, which other users of the machine can see. */
  readonly flag?: string | undefined
  readonly flagName?: string | undefined
  readonly variable?: string | undefined
  readonly passwordFile?: string | undefined
}

const EXAMPLE = "for example postgres://forge@db.example.org/forge"

/** Returns the database, or undefined for SQLite in the data folder. Fails with `BadSettings` for invalid settings. */
export const resolve = Effect.fnUntraced(function* (given: GivenDatabase, profile: Profile) {
  const { flag, flagName = "--database", passwordFile, variable } = given
  if (flag !== undefined) return yield* parse({ text: flag, source: flagName, isVisible: true, passwordFile }, profile)
  if (variable !== undefined) {
    return yield* parse({ text: variable, source: "TONGS_DATABASE", isVisible: false, passwordFile }, profile)
  }
  if (profile.database === undefined) return undefined
  const source = "database in the config file"
  return yield* parse({ text: Redacted.value(profile.database), source, isVisible: false, passwordFile }, profile)
})

/** A URL of a database and the place where it was given. */
interface GivenUrl {
  readonly text: string
  readonly source: string
  /** True if other users of the machine can see the URL. */
  readonly isVisible: boolean
  readonly passwordFile: string | undefined
}

/** Checks the URL of a database, and reads the password once. */
const parse = Effect.fnUntraced(function* (
  { isVisible, passwordFile, source, text }: GivenUrl,
  profile: Profile
): Effect.fn.Return<DatabaseOptions, ConnectionError, UserDirectories> {
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text)) {
    return yield* badSettings(`${source} is not a postgres:// URL`, `Give the URL of a PostgreSQL database, ${EXAMPLE}`)
  }
  const { password, pathname } = new URL(text)
  if (pathname.length < 2) {
    return yield* badSettings(`${source} names no database`, `Add the name to the URL, ${EXAMPLE}`)
  }
  if (isVisible && password !== "") {
    return yield* badSettings(
      `The password in ${source} is visible to all users of this machine`,
      source === "--database" ? "Use TONGS_DATABASE, or --database-password-file" : "Use --database-password-file"
    )
  }
  const secret = yield* passwordOf(passwordFile, profile)
  const url = Redacted.make(text)
  return secret === undefined ? { url } : { url, password: secret }
})

/** Returns the effect that gets the password for each connection, after it has succeeded once. */
const passwordOf = Effect.fnUntraced(function* (given: string | undefined, profile: Profile) {
  const { databasePasswordCommand: command, databasePasswordFile } = profile
  if (given === undefined && command !== undefined && databasePasswordFile !== undefined) {
    return yield* badSettings(
      "The profile has databasePasswordFile and databasePasswordCommand",
      "Remove one of the two from the config file"
    )
  }
  const named = given ?? databasePasswordFile
  if (named !== undefined) {
    const file = yield* expandHome(named)
    return yield* tried(read(file))
  }
  return command === undefined ? undefined : yield* tried(TokenCommand.run(command, passwordSetting))
})

const passwordSetting = { field: "databasePasswordCommand", secret: "the password of the database" }

const tried = (password: Effect.Effect<Redacted.Redacted, ConnectionError>) =>
  Effect.as(password, Effect.orDie(password))

const read = (file: string) =>
  Effect.tryPromise({
    try: async () => Redacted.make((await readFile(file, "utf8")).replace(/\r?\n$/, "")),
    catch: (error) =>
      badSettings(
        `Cannot read the password of the database: ${error instanceof Error ? error.message : String(error)}`,
        "Make the file readable, or name another one"
      )
  })
