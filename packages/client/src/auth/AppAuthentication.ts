/** Authenticates as an app or as an installation of the app. */
import * as Effect from "effect/Effect"
import * as AppCredential from "@tongs/core/auth/AppCredential"
import * as AppKey from "@tongs/core/auth/AppKey"
import * as TokenRefresher from "@tongs/core/client/TokenRefresher"
import * as OptionNames from "../OptionNames.ts"
import * as Authentication from "./Authentication.ts"

/** An app, and the installation to act as. */
export interface AppOptions {
  /** The id or the client id of the app. */
  readonly appId: string | number
  /**
   * The text of the app's private RSA key in PEM format, as issued by the forge: PKCS#1 (`BEGIN RSA PRIVATE KEY`) or
   * PKCS#8. Line breaks may be written as `\n`.
   */
  readonly privateKey: string
  /**
   * Id of the installation, whose tokens are valid for an hour and renewed in time. Without an installation, requests
   * are sent as the app, which can only read and change the app's settings and installations.
   */
  readonly installation?: string | number | undefined
  /** Names of the repositories to which the token is limited. Default: all of the installation. */
  readonly repositories?: ReadonlyArray<string> | undefined
  /**
   * Permissions to which the token is limited, for example `{ contents: "read" }`. Default: all of the installation.
   */
  readonly permissions?: Readonly<Record<string, string>> | undefined
}

/**
 * Authenticates as an installation of an app, or as the app.
 *
 * ```ts
 * const forge = createForge({ baseUrl, auth: app({ appId: 12, privateKey, installation: 345 }) })
 * ```
 */
export const app = (options: AppOptions): Authentication.Authentication => {
  OptionNames.check("app", options, names)
  const { appId, installation, permissions, privateKey, repositories } = options
  return Authentication.define(
    "app",
    Effect.fnUntraced(function* ({ requestAs }) {
      const one = { id: appId, key: yield* Effect.cached(AppKey.parse(privateKey)) }
      const asApp = AppCredential.ofApp(one)
      if (installation === undefined) return asApp
      const target = { id: installation, repositories, permissions }
      return yield* TokenRefresher.make({
        identity: AppCredential.identity(one, target),
        issue: AppCredential.issue(one, target, yield* requestAs(asApp))
      })
    })
  )
}

const names: OptionNames.OptionNames<AppOptions> = {
  appId: 1,
  privateKey: 1,
  installation: 1,
  repositories: 1,
  permissions: 1
}
