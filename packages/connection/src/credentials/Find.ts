/** Which credential holds for a forge: the environment's, else the profile's, else the one that was stored by signing in. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Profile } from "../ConfigFile.ts"
import { ConnectionError } from "../ConnectionError.ts"
import { Credentials, host } from "../Credentials.ts"
import { expand } from "../UserDirectories.ts"
import type { App } from "./AppSettings.ts"
import type { Source } from "./Source.ts"

export interface Asked {
  readonly url: string
  readonly dialect: "service" | "github" | undefined
  readonly profile: Profile
  /** Where the profile leads. Its credential goes to that host alone, whatever a flag or a variable names. */
  readonly home: string | undefined
}

export const find = Effect.fn("Credentials.find")(function* ({ dialect, home, profile, url }: Asked) {
  return (
    (yield* fromEnvironment(dialect)) ??
    (home !== undefined && host(home) === host(url) ? yield* fromProfile(profile) : undefined) ??
    (yield* fromStore(url))
  )
})

const fromEnvironment = Effect.fnUntraced(function* (dialect: Asked["dialect"]) {
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
  const found: ReadonlyArray<Source> = [
    ...(profile.token === undefined ? [] : [token(profile.token, "the config file")]),
    ...(profile.tokenCommand === undefined ? [] : [{ _tag: "Command", command: profile.tokenCommand } as const]), // a variant of Source
    ...(profile.app === undefined ? [] : [yield* app(profile.app, "the config file")])
  ]
  if (found.length < 2) return found[0]
  return yield* bad("A profile has one of `token`, `tokenCommand` and `app`, and this one has more", "Leave one")
})

const fromStore = Effect.fnUntraced(function* (url: string) {
  const credentials = yield* Credentials
  return yield* credentials.person(url).get.pipe(
    Effect.map((stored): Source | undefined =>
      stored === undefined
        ? undefined
        : {
            _tag: "Stored",
            secret: stored,
            from: stored.place === "keychain" ? "the keychain" : credentials.path
          }
    ),
    // Whoever signs in anew does not need the one that cannot be had.
    Effect.catchIf(
      ({ reason }) => reason === "NotSignedIn",
      (error) => Effect.succeed<Source>({ _tag: "Unreadable", error })
    )
  )
})

const app = (app: App, from: string) =>
  Effect.map(expand(app.keyFile), (keyFile): Source => ({ _tag: "App", app: { ...app, keyFile }, from }))

const token = (token: Redacted.Redacted<string>, from: string): Source => ({ _tag: "Token", token, from })

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
