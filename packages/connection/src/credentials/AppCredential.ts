/** The credential of an app installation, with the key in a file. Processes share the tokens. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as AppKey from "@tongs/core/auth/AppKey"
import * as CoreCredential from "@tongs/core/auth/AppCredential"
import { Forge } from "@tongs/core/client/Forge"
import type { Dialect } from "@tongs/core/contract/Dialect"
import { badSettings } from "../base/ConnectionError.ts"
import { CredentialStore } from "./CredentialStore.ts"
import { describePlatformError } from "../base/PlatformErrors.ts"
import type { AppSettings } from "../config/AppSettings.ts"
import * as StoredToken from "./StoredToken.ts"

/**
 * Creates the credential of an installation. Renews tokens before they expire, and stores them for later processes: the
 * forge issues at most 2,000 per hour. Fails with `BadSettings` if the key file cannot be used.
 */
export const make = Effect.fn("AppCredential.make")(function* (
  { id, installation, keyFile }: AppSettings,
  forge: { readonly baseUrl: string; readonly dialect: Dialect | undefined }
) {
  const app = { id, key: Effect.succeed(yield* readKey(keyFile)) }
  const { request } = yield* Forge.make({ ...forge, token: CoreCredential.ofApp(app), userAgent: "tongs" })
  const issue = CoreCredential.issue(app, { id: installation }, request)
  const credentials = yield* CredentialStore
  return yield* StoredToken.make(credentials.installation(forge.baseUrl, { id, installation }), {
    identity: CoreCredential.identity(app, { id: installation }),
    make: (_, store) =>
      // Do not store a token without a known expiry time: later processes would use the expired token.
      Effect.tap(issue, (tokens) => (tokens.expiresAt === undefined ? Effect.void : store(tokens)))
  })
})

const readKey = Effect.fnUntraced(function* (keyFile: string) {
  const fs = yield* FileSystem.FileSystem
  const refuse = (detail: string) =>
    badSettings(
      `${keyFile}: ${detail}`,
      "Pass the absolute path of the app's private RSA key, a PEM file from the forge"
    )
  const pem = yield* Effect.mapError(fs.readFileString(keyFile), (error) => refuse(describePlatformError(error)))
  return yield* Effect.mapError(AppKey.parse(pem), ({ detail }) => refuse(detail))
})
