/**
 * Signing in as the installation of an app: the app's key signs a short-lived JWT, and for that the forge gives tokens of the
 * installation, which are good for an hour (spec part 1 §5.3, part 3 §4.7).
 */
import { createPrivateKey, type KeyObject } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { BadCredentials, type Always, type Failure, Unreachable } from "@tongs/core/contract/Failure"
import type { Credential } from "@tongs/core/client/Credentials"
import { Forge } from "@tongs/core/client/Forge"
import type { Dialect } from "@tongs/core/contract/Dialect"
import { ConnectionError } from "../base/ConnectionError.ts"
import { CredentialStore } from "./CredentialStore.ts"
import { describePlatformError } from "../base/PlatformErrors.ts"
import type { AppSettings } from "../config/AppSettings.ts"
import * as StoredToken from "./StoredToken.ts"
import type { TokenSet } from "./TokenSet.ts"

/** The JWT holds from a minute ago, for clocks that differ, and for less than the ten minutes that are allowed (seconds). */
const BEFORE = 60
const AFTER = 9 * 60

/** How long the forge may take to make a token. */
const PATIENCE = "30 seconds"

const route = "POST /app/installations/{installation_id}/access_tokens"

const Answer = Schema.Struct({ token: Schema.String, expires_at: Schema.String })
const decode = Schema.decodeUnknownOption(Answer)

/**
 * The credential of an installation on a forge. Its tokens are renewed before they expire, while the scope lasts, and kept
 * from one run to the next: the forge makes 2,000 an hour at most (spec part 1 §8.3).
 */
export const make = Effect.fn("AppCredential.make")(function* (
  app: AppSettings,
  forge: { readonly baseUrl: string; readonly dialect: Dialect | undefined }
) {
  const key = yield* readKey(app.keyFile)
  const asApp = yield* Forge.make({ ...forge, token: signing(app, key), userAgent: "tongs" })
  const issue = asApp.request(route, { installation_id: app.installation }).pipe(
    Effect.flatMap(({ data, headers, status }) =>
      Effect.map(Clock.currentTimeMillis, (now) => ({ data, date: headers["date"], now, status }))
    ),
    Effect.timeoutOrElse({
      duration: PATIENCE,
      orElse: () => Effect.fail(new Unreachable({ request: route, detail: "the forge does not answer" }))
    }),
    Effect.mapError((failure) => explain(app, failure)),
    Effect.flatMap(({ data, date, now }) => {
      const answer = decode(data)
      if (answer._tag === "None") return Effect.fail(bad("the forge gave no token"))
      return Effect.succeed<TokenSet>({
        token: Redacted.make(answer.value.token),
        expiresAt: localTime(answer.value.expires_at, date, now)
      })
    })
  )
  const credentials = yield* CredentialStore
  return yield* StoredToken.make(credentials.installation(forge.baseUrl, app), {
    identity: `app ${app.id} installation ${app.installation}`,
    make: (_, keep) =>
      // One whose end nobody knows is not for the next run.
      Effect.tap(issue, (secret) => (secret.expiresAt === undefined ? Effect.void : keep(secret)))
  })
})

/** A time of the forge's clock, by ours: the difference between them is in its answer. */
const localTime = (time: string, date: string | undefined, now: number) => {
  const skew = now - Date.parse(date ?? "")
  const local = Date.parse(time) + (Number.isNaN(skew) ? 0 : skew)
  return Number.isNaN(local) ? undefined : local
}

const readKey = Effect.fnUntraced(function* (keyFile: string) {
  const fs = yield* FileSystem.FileSystem
  const refuse = (detail: string) =>
    new ConnectionError({
      reason: "BadSettings",
      detail: `${keyFile}: ${detail}`,
      hint: "Name the private key that the forge gave for the app, a PEM file, by its whole path"
    })
  const pem = yield* Effect.mapError(fs.readFileString(keyFile), (error) => refuse(describePlatformError(error)))
  const key = yield* Effect.try({ try: () => createPrivateKey(pem), catch: () => refuse("this is no private key") })
  return key.asymmetricKeyType === "rsa" ? key : yield* refuse("this is no RSA key")
})

/** The app itself: a new JWT for every request that it makes. */
const signing = (app: AppSettings, key: KeyObject): Credential => ({
  identity: Redacted.make(`app ${app.id}`),
  current: Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.promise(() => jwt(app, key, Math.floor(now / 1000)))
  ),
  replace: () => Effect.undefined
})

const jwt = async (app: AppSettings, key: KeyObject, now: number) => {
  const { SignJWT } = await import("jose")
  const token = new SignJWT()
    .setProtectedHeader({ alg: "RS256" })
    .setIssuer(String(app.id))
    .setIssuedAt(now - BEFORE)
    .setExpirationTime(now + AFTER)
  return Redacted.make(await token.sign(key))
}

const bad = (detail: string) => new BadCredentials({ request: route, detail })

/** Why there is no token for the installation; whatever the forge refuses is about the credential. */
const explain = ({ id, installation }: AppSettings, failure: Failure): Always => {
  switch (failure._tag) {
    case "RateLimited":
    case "ServiceFailed":
    case "Unreachable":
    case "UnexpectedResponse":
      return failure
    case "NotFound":
      return bad(`app ${id} has no installation ${installation} on this forge`)
    case "BadCredentials":
      return bad(`the forge does not take the key of app ${id}: ${failure.detail}`)
    case "Forbidden":
    case "Conflict":
    case "Gone":
    case "ValidationFailed":
    case "UntrustedLink":
      return bad(`the forge gives no token for installation ${installation} of app ${id}: ${failure.detail}`)
  }
}
