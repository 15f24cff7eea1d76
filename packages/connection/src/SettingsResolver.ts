/** From flags, environment and config file to settings: whoever speaks first wins, in that order. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as BaseUrl from "@tongs/core/client/BaseUrl"
import { ofBaseUrl } from "@tongs/core/contract/Dialect"
import { versions } from "@tongs/core/contract/Versions"
import * as LinkHeader from "@tongs/core/paging/LinkHeader"
import * as ConfigFile from "./config/ConfigFile.ts"
import { ConnectionError } from "./base/ConnectionError.ts"
import * as CredentialResolver from "./credentials/CredentialResolver.ts"
import type { ConnectionSettings } from "./ConnectionSettings.ts"
import { expandHome } from "./base/UserDirectories.ts"

/** What was said on the command line; what was not is undefined. */
export type FlagSettings = Pick<
  ConnectionSettings,
  "cwd" | "profile" | "url" | "dialect" | "apiVersion" | "data" | "repos" | "limits" | "fixtures" | "demo"
>

/** The base URL that the `github` dialect implies (spec part 4, "Dialects"). */
const github = "https://api.github.com"

/** What the flags leave open, from the environment, then the profile, then the stored credentials. */
export const resolve = Effect.fn("SettingsResolver.resolve")(function* (flags: FlagSettings) {
  const environment = yield* variables
  const profileName = flags.profile ?? environment.profile
  const profile = yield* ConfigFile.profile(profileName)

  const own = flags.data !== undefined || (flags.repos ?? []).length > 0
  if (flags.demo !== undefined && (own || flags.url !== undefined)) {
    return yield* bad("--demo is a forge of its own", "Leave out --url, --data and --repos")
  }
  const embedded = own || flags.demo !== undefined
  if (embedded && flags.url !== undefined) {
    return yield* bad("--url names a remote forge, --data and --repos the embedded one", "Give one or the other")
  }
  const stated = flags.dialect ?? profile.dialect
  const home = profile.url ?? (stated === "github" ? github : undefined)
  const url = embedded ? undefined : (flags.url ?? environment.url ?? home)
  const wrong = url === undefined ? undefined : BaseUrl.invalidReason(url)
  if (url !== undefined && wrong !== undefined) {
    return yield* bad(
      `${JSON.stringify(LinkHeader.withoutQuery(url))} ${wrong}`,
      "Give one as https://forge.example.com/api/v3"
    )
  }
  const dialect = stated ?? (url === undefined ? undefined : ofBaseUrl(url))
  const { apiVersion } = flags
  if (url === undefined && apiVersion !== undefined && !versions.some((known) => known === apiVersion)) {
    return yield* bad(`The embedded forge has no version ${apiVersion} of the API`, `Ask for ${versions.join(" or ")}`)
  }
  const data = flags.data ?? environment.data ?? profile.data
  const isNamed = flags.repos !== undefined && flags.repos.length > 0
  // With a fixture file only the flag adopts: its tokens must not reach what the profile serves otherwise.
  const repos = isNamed || flags.fixtures !== undefined ? flags.repos : profile.repos
  if (data === "" || repos?.includes("") === true) {
    return yield* bad("--data and --repos name folders, and an empty text names none", "Name one, or leave it out")
  }
  const credential =
    url === undefined ? undefined : yield* CredentialResolver.resolve({ url, dialect, profile, profileUrl: home })

  return {
    cwd: flags.cwd,
    profile: profileName,
    url,
    credential,
    clientId: environment.clientId ?? profile.clientId,
    dialect,
    apiVersion,
    data: data === undefined ? undefined : yield* expandHome(data),
    repos: repos === undefined ? undefined : yield* Effect.forEach(repos, expandHome),
    limits: flags.limits ?? profile.limits,
    fixtures: flags.fixtures,
    demo: flags.demo,
    limitsStore: environment.limitsStore ?? profile.limitsStore
  } satisfies ConnectionSettings & { readonly clientId?: string | undefined }
})

const bad = (detail: string, hint: string) => Effect.fail(new ConnectionError({ reason: "BadSettings", detail, hint }))

const text = (name: string) => Config.NonEmptyString(name).pipe(Config.option, Config.map(Option.getOrUndefined))

/** Every variable of the environment that is a setting, but the credential (`Find`). An empty one counts as unset. */
const variables = Config.all({
  url: text("TONGS_URL"),
  profile: text("TONGS_PROFILE"),
  data: text("TONGS_DATA"),
  limitsStore: text("TONGS_LIMITS_STORE"),
  clientId: text("TONGS_CLIENT_ID")
}).pipe(Effect.orDie) // optional strings: there is nothing in them that could be wrong
