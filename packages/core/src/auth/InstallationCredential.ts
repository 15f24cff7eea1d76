/** The credential of an app installation, for programs with Effect. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { ClientOptions } from "../client/ClientOptions.ts"
import { Forge } from "../client/Forge.ts"
import * as TokenRefresher from "../client/TokenRefresher.ts"
import * as AppCredential from "./AppCredential.ts"
import * as AppKey from "./AppKey.ts"

/** An app installation, and the forge that issues the tokens. */
export interface Options extends Pick<ClientOptions, "baseUrl" | "dialect" | "userAgent"> {
  /** The id or the client id of the app. */
  readonly appId: string | number
  /** The text of the app's private RSA key in PEM format. */
  readonly privateKey: Redacted.Redacted<string>
  readonly installation: AppCredential.Installation
}

/**
 * Creates the credential of an installation for `ClientOptions.token`. The first request gets the first token. Each
 * later token is renewed before expiry, until the Effect scope closes. Fails with `InvalidAppKey`.
 */
export const make = Effect.fn("InstallationCredential.make")(function* ({
  appId,
  installation,
  privateKey,
  ...forge
}: Options) {
  const app = { id: appId, key: Effect.succeed(yield* AppKey.parse(Redacted.value(privateKey))) }
  const { request } = yield* Forge.make({ ...forge, token: AppCredential.ofApp(app) })
  return yield* TokenRefresher.make({
    identity: AppCredential.identity(app, installation),
    issue: AppCredential.issue(app, installation, request)
  })
})
