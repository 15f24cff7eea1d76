/**
 * Merges flags, environment variables and the config file, highest precedence first, to the settings of a connection.
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import { ofBaseUrl } from "@tongs/core/contract/Dialect"
import { versions } from "@tongs/core/contract/Versions"
import * as ClusterSettings from "./ClusterSettings.ts"
import * as ConfigFile from "./config/ConfigFile.ts"
import { badSettings } from "./base/ConnectionError.ts"
import { variable } from "./base/Environment.ts"
import * as DatabaseSettings from "./DatabaseSettings.ts"
import * as ForgeUrl from "./base/ForgeUrl.ts"
import * as CredentialResolver from "./credentials/CredentialResolver.ts"
import type { ConnectionSettings } from "./ConnectionSettings.ts"
import { expandHome } from "./base/UserDirectories.ts"

/** Settings from command-line flags; undefined if the flag is absent. */
export type FlagSettings = Pick<
  ConnectionSettings,
  | "cwd"
  | "profile"
  | "url"
  | "dialect"
  | "apiVersion"
  | "data"
  | "repos"
  | "indexBranches"
  | "limits"
  | "fixtures"
  | "demo"
> & {
  /** True for a command that uses the embedded forge even if the settings select a remote one. */
  readonly isEmbedded?: boolean | undefined
  readonly database?: string | undefined
  /** Name of the flag with the database, by default `--database`. */
  readonly databaseFlag?: string | undefined
  readonly databasePasswordFile?: string | undefined
  /** For a command that can be a process of a cluster: its address as `HOST:PORT`, and the folder of this process alone. */
  readonly cluster?: { readonly address: string | undefined; readonly localData: string | undefined } | undefined
}

/** The base URL that the `GITHUB` dialect implies. */
const GITHUB = "https://api.github.com"

/**
 * Returns the settings of a connection, with the credential. Reads environment variables, the profile and the stored
 * access tokens. Fails with `BadSettings` if settings are invalid or contradict each other.
 */
export const resolve = Effect.fn("SettingsResolver.resolve")(function* (flags: FlagSettings) {
  const environment = yield* variables
  const profileName = flags.profile ?? environment.profile
  const profile = yield* ConfigFile.profile(profileName)

  const own = flags.data !== undefined || (flags.repos ?? []).length > 0
  if (flags.demo !== undefined && (own || flags.url !== undefined)) {
    return yield* badSettings("--demo cannot be combined with --url, --data or --repos", "Omit these flags, or --demo")
  }
  const embedded = own || flags.demo !== undefined
  if (embedded && flags.url !== undefined) {
    return yield* badSettings(
      "--url selects a remote forge, but --data and --repos configure the embedded one",
      "Use either --url, or --data and --repos"
    )
  }
  const stated = flags.dialect ?? profile.dialect
  const profileUrl = profile.url ?? (stated === "github" ? GITHUB : undefined)
  const url = embedded ? undefined : (flags.url ?? environment.url ?? profileUrl)
  if (url !== undefined) yield* ForgeUrl.validate(url)
  const dialect = stated ?? (url === undefined ? undefined : ofBaseUrl(url))
  const { apiVersion } = flags
  if (url === undefined && apiVersion !== undefined && !versions.some((known) => known === apiVersion)) {
    return yield* badSettings(
      `The embedded forge does not support API version ${apiVersion}`,
      `Use ${versions.join(" or ")}`
    )
  }
  const data = flags.data ?? environment.data ?? profile.data
  const isNamed = flags.repos !== undefined && flags.repos.length > 0
  // The access tokens of a fixture file must not give access to the profile's repositories.
  const repos = isNamed || flags.fixtures !== undefined ? flags.repos : profile.repos
  if (data === "" || repos?.includes("") === true) {
    return yield* badSettings("Empty value for --data or --repos", "Name a folder, or omit the flag")
  }
  // The demonstration has a database of its own.
  const isOwn = flags.demo === undefined && (url === undefined || flags.isEmbedded === true)
  const given = {
    flag: flags.database,
    flagName: flags.databaseFlag,
    variable: environment.database,
    passwordFile: flags.databasePasswordFile ?? environment.databasePasswordFile
  }
  const embeddedDatabase = isOwn ? yield* DatabaseSettings.resolve(given, profile) : undefined
  const folder = data === undefined ? undefined : yield* expandHome(data)
  const cluster =
    flags.cluster === undefined
      ? undefined
      : yield* ClusterSettings.resolve({
          address: flags.cluster.address ?? environment.cluster ?? profile.cluster,
          localData: flags.cluster.localData ?? environment.localData ?? profile.localData,
          cwd: flags.cwd,
          data: folder,
          database: embeddedDatabase
        })
  const isGiven = flags.indexBranches !== undefined && flags.indexBranches.length > 0
  const indexBranches = isGiven ? flags.indexBranches : (listOf(environment.indexBranches) ?? profile.indexBranches)
  const credential =
    url === undefined ? undefined : yield* CredentialResolver.resolve({ url, dialect, profile, profileUrl })

  return {
    cwd: flags.cwd,
    profile: profileName,
    url,
    credential,
    clientId: environment.clientId ?? profile.clientId,
    dialect,
    apiVersion,
    data: folder,
    repos: repos === undefined ? undefined : yield* Effect.forEach(repos, expandHome),
    database: embeddedDatabase,
    cluster,
    indexBranches,
    limits: flags.limits ?? profile.limits,
    fixtures: flags.fixtures,
    demo: flags.demo,
    limitsStore: environment.limitsStore ?? profile.limitsStore
  } satisfies ConnectionSettings & { readonly clientId?: string | undefined }
})

/** Returns the words of a list in an environment variable. */
const listOf = (text: string | undefined): ReadonlyArray<string> | undefined =>
  text?.split(/\s+/).filter((word) => word !== "")

/** Environment variables that contain settings. `CredentialResolver` reads the variables that contain credentials. */
const variables = Config.all({
  url: variable("TONGS_URL"),
  profile: variable("TONGS_PROFILE"),
  data: variable("TONGS_DATA"),
  database: variable("TONGS_DATABASE"),
  databasePasswordFile: variable("TONGS_DATABASE_PASSWORD_FILE"),
  cluster: variable("TONGS_CLUSTER"),
  localData: variable("TONGS_LOCAL_DATA"),
  indexBranches: variable("TONGS_INDEX_BRANCHES"),
  limitsStore: variable("TONGS_LIMITS_STORE"),
  clientId: variable("TONGS_CLIENT_ID")
}).pipe(Effect.orDie) // optional strings cannot be invalid
