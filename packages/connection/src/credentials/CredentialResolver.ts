/** Which credential holds for a forge: the environment's, else the profile's, else the one that was stored by signing in. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Profile } from "../config/ConfigFile.ts"
import { ConnectionError } from "../base/ConnectionError.ts"
import { CredentialStore, hostOf } from "./CredentialStore.ts"
import { expandHome } from "../base/UserDirectories.ts"
import type { AppSettings } from "../config/AppSettings.ts"
import type { CredentialSource } from "./CredentialSource.ts"

export interface CredentialQuery {
  readonly url: string
  readonly dialect: "service" | "github" | undefined
  readonly profile: Profile
  /** Where the profile leads. Its credential goes to that host alone, whatever a flag or a variable names. */
  readonly profileUrl: string | undefined
}

export const resolve = Effect.fn("CredentialResolver.resolve")(function* ({
  dialect,
  profileUrl: home,
  profile,
  url
}: CredentialQuery) {
  return (
    (yield* fromEnvironment(dialect)) ??
    (home !== undefined && hostOf(home) === hostOf(url) ? yield* fromProfile(profile) : undefined) ??
    (yield* fromStore(url))
  )
})

const fromEnvironment = Effect.fnUntraced(function* (dialect: CredentialQuery["dialect"]) {
  const { gh, github, own, ...named } = yield* variables
  if (own !== undefined) return token(own, "TONGS_TOKEN")
  if (dialect === "github" && gh !== undefined) return token(gh, "GH_TOKEN")
  if (dialect === "github" && github !== undefined) return token(github, "GITHUB_TOKEN")
  const { id, installation, keyFile } = named.app
  if (id === undefined && installation === undefined && keyFile === undefined) return undefined
  if (id === undefined || keyFile === undefined || installation === undefined || !/^\d+$/.test(installation)) {
    return yield* bad(
      "TONGS_APP_ID, TONGS_APP_INSTALLATION (a number) and TONGS_APP_KEY_FILE go together",
      "Set all three, or none"
    )
  }
  return yield* app({ id, installation: Number(installation), keyFile }, "TONGS_APP_ID")
})

const fromProfile = Effect.fnUntraced(function* (profile: Profile) {
  const found: ReadonlyArray<CredentialSource> = [
    ...(profile.token === undefined ? [] : [token(profile.token, "the config file")]),
    ...(profile.tokenCommand === undefined ? [] : [{ _tag: "Command", command: profile.tokenCommand } as const]), // a variant of Source
    ...(profile.app === undefined ? [] : [yield* app(profile.app, "the config file")])
  ]
  if (found.length < 2) return found[0]
  return yield* bad("A profile has one of `token`, `tokenCommand` and `app`, and this one has more", "Leave one")
})

const fromStore = Effect.fnUntraced(function* (url: string) {
  const credentials = yield* CredentialStore
  return yield* credentials.user(url).get.pipe(
    Effect.map((stored): CredentialSource | undefined =>
      stored === undefined
        ? undefined
        : {
            _tag: "Stored",
            tokens: stored,
            from: stored.location === "keychain" ? "the keychain" : credentials.path
          }
    ),
    // Whoever signs in anew does not need the one that cannot be had.
    Effect.catchIf(
      ({ reason }) => reason === "NotSignedIn",
      (error) => Effect.succeed<CredentialSource>({ _tag: "Unreadable", error })
    )
  )
})

const app = (app: AppSettings, from: string) =>
  Effect.map(expandHome(app.keyFile), (keyFile): CredentialSource => ({ _tag: "App", app: { ...app, keyFile }, from }))

const token = (token: Redacted.Redacted<string>, from: string): CredentialSource => ({ _tag: "Token", token, from })

const bad = (detail: string, hint: string) => Effect.fail(new ConnectionError({ reason: "BadSettings", detail, hint }))

const text = (name: string) => Config.NonEmptyString(name).pipe(Config.option, Config.map(Option.getOrUndefined))
const secret = (name: string) =>
  Config.map(text(name), (value = "") => (value.trim() === "" ? undefined : Redacted.make(value.trim())))

const variables = Config.all({
  own: secret("TONGS_TOKEN"),
  gh: secret("GH_TOKEN"),
  github: secret("GITHUB_TOKEN"),
  app: Config.all({
    id: text("TONGS_APP_ID"),
    installation: text("TONGS_APP_INSTALLATION"),
    keyFile: text("TONGS_APP_KEY_FILE")
  })
}).pipe(Effect.orDie) // optional strings: there is nothing in them that could be wrong
