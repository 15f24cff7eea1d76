/** Where a credential comes from: what the environment, the profile and the stored tokens say, before anything is asked. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Credential, Token } from "@tongs/core/client/Credentials"
import * as TokenRefresher from "@tongs/core/client/TokenRefresher"
import { BadCredentials } from "@tongs/core/contract/Failure"
import type { Dialect } from "@tongs/core/contract/Dialect"
import type { ConnectionError } from "../base/ConnectionError.ts"
import type { AppSettings } from "../config/AppSettings.ts"
import type { TokenSet } from "./TokenSet.ts"
import * as TokenCommand from "./TokenCommand.ts"

export type CredentialSource =
  /** `from` is where it was, for people: `TONGS_TOKEN`, `the config file`. */
  | { readonly _tag: "Token"; readonly token: Token; readonly from: string }
  /** What signing in has left in the keychain, or in a file. */
  | { readonly _tag: "Stored"; readonly tokens: TokenSet; readonly from: string }
  /** A program that prints a token. */
  | { readonly _tag: "Command"; readonly command: ReadonlyArray<string> }
  | { readonly _tag: "App"; readonly app: AppSettings; readonly from: string }
  /** There is one, which cannot be had. */
  | { readonly _tag: "Unreadable"; readonly error: ConnectionError }

/** Whether signing out ends it. */
export const isStored = (source: CredentialSource): boolean => source._tag === "Unreadable" || source._tag === "Stored"

/** For people, as in `the token is from …`. */
export const describe = (source: CredentialSource): string => {
  switch (source._tag) {
    case "Token":
    case "Stored":
      return source.from
    case "Command":
      return TokenCommand.describe(source.command)
    case "App":
      return `app ${source.app.id}, installation ${source.app.installation} (${source.from})`
    case "Unreadable":
      return "the keychain"
  }
}

/** What to do where the forge does not take it. */
export const remedy = (source: CredentialSource): string => {
  switch (source._tag) {
    case "Token":
      return `Correct the token in ${source.from}, or take it out`
    case "Stored":
    case "Unreadable":
      return "Sign in again with `tongs auth login`"
    case "Command":
      return "Run it yourself to see whether that is the token, or change `tokenCommand` in the config file"
    case "App":
      return "Check the app's id, its installation and its key"
  }
}

/** The credential for a forge. A program is run at once, and again when the forge refuses its token. */
export const toCredential = Effect.fn("CredentialSource.toCredential")(function* (
  source: CredentialSource | undefined,
  forge: { readonly baseUrl: string; readonly dialect: Dialect | undefined }
) {
  switch (source?._tag) {
    case undefined:
      return undefined
    case "Token":
      return source.token
    case "Stored": {
      const { tokens } = source
      if (tokens.refresh === undefined) return tokens.token
      const { make } = yield* Effect.promise(() => import("./SignInCredential.ts"))
      return yield* make(tokens, tokens.refresh, forge)
    }
    case "Unreadable":
      return yield* source.error
    case "App": {
      const { make } = yield* Effect.promise(() => import("./AppCredential.ts"))
      return yield* make(source.app, forge)
    }
    case "Command": {
      const token = yield* TokenCommand.run(source.command)
      return yield* TokenRefresher.make({
        identity: Redacted.value(token),
        initial: { token },
        issue: TokenCommand.run(source.command).pipe(
          Effect.map((token) => ({ token })),
          Effect.mapError(({ detail }) => new BadCredentials({ request: describe(source), detail }))
        )
      })
    }
  }
}) satisfies (...args: never) => Effect.Effect<Token | Credential | undefined, ConnectionError, unknown>
