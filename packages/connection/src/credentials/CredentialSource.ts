/**
 * The source of a credential: environment variables, the profile or the stored tokens. Resolving a source sends no
 * request.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Credential, Token } from "@tongs/core/client/Credential"
import * as TokenRefresher from "@tongs/core/client/TokenRefresher"
import { BadCredentials } from "@tongs/core/contract/Failure"
import type { Dialect } from "@tongs/core/contract/Dialect"
import type { ConnectionError } from "../base/ConnectionError.ts"
import type { AppSettings } from "../config/AppSettings.ts"
import type { TokenSet } from "./TokenSet.ts"
import * as TokenCommand from "./TokenCommand.ts"

/**
 * The source of a credential. `from` is the source's name in messages, for example `TONGS_TOKEN` or `the config file`.
 */
export type CredentialSource =
  | { readonly _tag: "Token"; readonly token: Token; readonly from: string }
  /** Tokens that `tongs auth login` stored. */
  | { readonly _tag: "Stored"; readonly tokens: TokenSet; readonly from: string }
  /** A program that prints a token. */
  | { readonly _tag: "Command"; readonly command: ReadonlyArray<string> }
  | { readonly _tag: "App"; readonly app: AppSettings; readonly from: string }
  /** A stored token that cannot be read. */
  | { readonly _tag: "Unreadable"; readonly error: ConnectionError }

/** Returns true if `tongs auth logout` removes the credential. */
export const isStored = (source: CredentialSource): boolean => source._tag === "Unreadable" || source._tag === "Stored"

/** Returns the name of the source for messages such as "The credential is from …". */
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

/** Returns the next step after the forge rejects the credential, as a sentence without a final period. */
export const remedy = (source: CredentialSource): string => {
  switch (source._tag) {
    case "Token":
      return `Correct or remove the token in ${source.from}`
    case "Stored":
    case "Unreadable":
      return "Sign in again with `tongs auth login`"
    case "Command":
      return "Run the program to check the token that it prints, or change `tokenCommand` in the config file"
    case "App":
      return "Check the app's id, its installation and its key"
  }
}

/**
 * Creates the credential for requests to a forge. Runs a token command immediately, and again after each rejected
 * token. Fails with `ConnectionError` if a stored token, key file or program cannot be used.
 */
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
