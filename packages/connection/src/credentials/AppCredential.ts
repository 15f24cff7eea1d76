/**
 * Authenticates as an app installation: the app's key signs a short-lived JWT, which the forge exchanges for an
 * installation token that is valid for an hour (spec part 1 §5.3, part 3 §4.7).
 */
import { createPrivateKey, type KeyObject } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { BadCredentials, type Always, type Failure, Unreachable } from "@tongs/core/contract/Failure"
import type { Credential } from "@tongs/core/client/Credential"
import { Forge } from "@tongs/core/client/Forge"
import type { Dialect } from "@tongs/core/contract/Dialect"
import { badSettings } from "../base/ConnectionError.ts"
import { CredentialStore } from "./CredentialStore.ts"
import { describePlatformError } from "../base/PlatformErrors.ts"
import type { AppSettings } from "../config/AppSettings.ts"
import * as StoredToken from "./StoredToken.ts"
import type { TokenSet } from "./TokenSet.ts"

/** Seconds by which the JWT is backdated, in case the local clock is fast. */
const BACKDATE = 60

/** Seconds for which the JWT is valid. The forge allows ten minutes. */
const LIFETIME = 9 * 60

/** Time limit for getting an installation token. */
const TIMEOUT = "30 seconds"

const route = "POST /app/installations/{installation_id}/access_tokens"

const Answer = Schema.Struct({ token: Schema.String, expires_at: Schema.String })
const decode = Schema.decodeUnknownOption(Answer)

/**
 * Creates the credential of an installation. Renews its tokens before they expire, and stores them for later processes:
 * the forge issues at most 2,000 per hour (spec part 1 §8.3). Fails with `BadSettings` if the key file cannot be used.
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
      duration: TIMEOUT,
      orElse: () => Effect.fail(new Unreachable({ request: route, detail: `no response within ${TIMEOUT}` }))
    }),
    Effect.mapError((failure) => explain(app, failure)),
    Effect.flatMap(({ data, date, now }) => {
      const answer = decode(data)
      if (answer._tag === "None") return Effect.fail(bad("the response contains no token"))
      return Effect.succeed<TokenSet>({
        token: Redacted.make(answer.value.token),
        expiresAt: localTime(answer.value.expires_at, date, now)
      })
    })
  )
  const credentials = yield* CredentialStore
  return yield* StoredToken.make(credentials.installation(forge.baseUrl, app), {
    identity: `app ${app.id} installation ${app.installation}`,
    make: (_, store) =>
      // Later processes would use a stored token without a known expiry time after it has expired.
      Effect.tap(issue, (tokens) => (tokens.expiresAt === undefined ? Effect.void : store(tokens)))
  })
})

/** Converts a time from the forge's clock to the local clock, by the `Date` header of the response. */
const localTime = (time: string, date: string | undefined, now: number) => {
  const skew = now - Date.parse(date ?? "")
  const local = Date.parse(time) + (Number.isNaN(skew) ? 0 : skew)
  return Number.isNaN(local) ? undefined : local
}

const readKey = Effect.fnUntraced(function* (keyFile: string) {
  const fs = yield* FileSystem.FileSystem
  const refuse = (detail: string) =>
    badSettings(
      `${keyFile}: ${detail}`,
      "Pass the absolute path of the app's private RSA key, a PEM file from the forge"
    )
  const pem = yield* Effect.mapError(fs.readFileString(keyFile), (error) => refuse(describePlatformError(error)))
  const key = yield* Effect.try({ try: () => createPrivateKey(pem), catch: () => refuse("not a private key") })
  return key.asymmetricKeyType === "rsa" ? key : yield* refuse("not an RSA key")
})

/** Creates the credential of the app itself, which signs a new JWT for each request. */
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
    .setIssuedAt(now - BACKDATE)
    .setExpirationTime(now + LIFETIME)
  return Redacted.make(await token.sign(key))
}

const bad = (detail: string) => new BadCredentials({ request: route, detail })

/** Converts a failure to get a token to an error about the credential, unless the forge itself is unavailable. */
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
      return bad(`the forge rejected the key of app ${id}: ${failure.detail}`)
    case "Forbidden":
    case "Conflict":
    case "Gone":
    case "Unsupported":
    case "ValidationFailed":
    case "UntrustedLink":
      return bad(`the forge refused a token for installation ${installation} of app ${id}: ${failure.detail}`)
  }
}
