/**
 * Chooses the credential for a forge: from environment variables, else from the profile, else from a stored sign-in.
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Profile } from "../config/ConfigFile.ts"
import { badSettings } from "../base/ConnectionError.ts"
import { variable } from "../base/Environment.ts"
import { CredentialStore, hostOf } from "./CredentialStore.ts"
import { expandHome } from "../base/UserDirectories.ts"
import type { AppSettings } from "../config/AppSettings.ts"
import type { CredentialSource } from "./CredentialSource.ts"

/** The forge that needs a credential, and the profile in use. */
export interface CredentialQuery {
  readonly url: string
  readonly dialect: "service" | "github" | undefined
  readonly profile: Profile
  /** The profile's URL. The credential is sent only to this host, even if a flag or variable selects another forge. */
  readonly profileUrl: string | undefined
}

/**
 * Returns the source of the credential for a forge, if any. Fails with `BadSettings` if the environment variables or
 * the profile contain contradictory settings. For an unreadable stored token, only `toCredential` fails.
 */
export const resolve = Effect.fn("CredentialResolver.resolve")(function* ({
  dialect,
  profile,
  profileUrl,
  url
}: CredentialQuery) {
  return (
    (yield* fromEnvironment(dialect)) ??
    (profileUrl !== undefined && hostOf(profileUrl) === hostOf(url) ? yield* fromProfile(profile) : undefined) ??
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
    return yield* badSettings(
      "TONGS_APP_ID, TONGS_APP_INSTALLATION and TONGS_APP_KEY_FILE must be set together",
      "Set all three, the installation to a number, or none"
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
  return yield* badSettings("The profile sets more than one of `token`, `tokenCommand` and `app`", "Keep one of them")
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
    // `tongs auth login` must work even if the stored token cannot be read.
    Effect.catchIf(
      ({ reason }) => reason === "NotSignedIn",
      (error) => Effect.succeed<CredentialSource>({ _tag: "Unreadable", error })
    )
  )
})

const app = (app: AppSettings, from: string) =>
  Effect.map(expandHome(app.keyFile), (keyFile): CredentialSource => ({ _tag: "App", app: { ...app, keyFile }, from }))

const token = (token: Redacted.Redacted<string>, from: string): CredentialSource => ({ _tag: "Token", token, from })

const secret = (name: string) =>
  Config.map(variable(name), (value = "") => (value.trim() === "" ? undefined : Redacted.make(value.trim())))

const variables = Config.all({
  own: secret("TONGS_TOKEN"),
  gh: secret("GH_TOKEN"),
  github: secret("GITHUB_TOKEN"),
  app: Config.all({
    id: variable("TONGS_APP_ID"),
    installation: variable("TONGS_APP_INSTALLATION"),
    keyFile: variable("TONGS_APP_KEY_FILE")
  })
}).pipe(Effect.orDie) // optional strings cannot be invalid
