/**
 * Authenticates as an app: the app's key signs a short-lived JWT, which the forge exchanges for the token of an
 * installation that is valid for an hour.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Always, BadCredentials, type Failure, Unreachable } from "../contract/Failure.ts"
import type { Credential } from "../client/Credential.ts"
import type { RawInput, RawResponse } from "../client/RawCall.ts"
import type * as TokenRefresher from "../client/TokenRefresher.ts"
import * as AppKey from "./AppKey.ts"

/** An app. */
export interface App {
  /** The id or the client id of the app. */
  readonly id: string | number
  /** Returns the key. Called once, and again after a failure. */
  readonly key: Effect.Effect<AppKey.AppKey, AppKey.InvalidAppKey>
}

/** An installation of an app, and optionally the limits of the tokens' access. */
export interface Installation {
  readonly id: string | number
  /** Names of the repositories that the tokens can access. Default: all of the installation. */
  readonly repositories?: ReadonlyArray<string> | undefined
  /** Permissions of the tokens, for example `{ contents: "read" }`. Default: all of the installation. */
  readonly permissions?: Readonly<Record<string, string>> | undefined
}

/** Sends a request with a credential, for example `Forge.request`. */
export type SendRequest = (
  route: string,
  input: RawInput
) => Effect.Effect<Pick<RawResponse, "data" | "headers">, Failure>

/** Time limit for getting an installation token. */
const TIMEOUT = "30 seconds"

const ROUTE = "POST /app/installations/{installation_id}/access_tokens"

/** Milliseconds for which a JWT is used. A JWT is valid for nine minutes. */
const JWT_USE = 5 * 60_000

/** Creates the credential of the app, for example to list the app's installations. */
export const ofApp = ({ id, key }: App): Credential => {
  let jwt: TokenRefresher.IssuedToken & { readonly until: number } = { token: Redacted.make(""), until: 0 }
  return {
    identity: Redacted.make(`app ${id}`),
    current: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (now < jwt.until) return jwt.token
      const signed = yield* Effect.mapError(key, ({ detail }) => bad(`the key of app ${id}: ${detail}`))
      jwt = { token: yield* AppKey.sign(signed, String(id), now), until: now + JWT_USE }
      return jwt.token
    }),
    replace: () => Effect.undefined
  }
}

/** Returns the identity of an installation's credential. Budgets and caches belong to this identity, for any token. */
export const identity = (app: Pick<App, "id">, { id, permissions, repositories }: Installation): string =>
  [
    `app ${app.id} installation ${id}`,
    ...(repositories === undefined ? [] : [JSON.stringify(repositories)]),
    ...(permissions === undefined ? [] : [JSON.stringify(permissions)])
  ].join(" ")

/** Returns a new token of an installation. `request` sends as the app (`ofApp`). */
export const issue = (
  app: Pick<App, "id">,
  { id, permissions, repositories }: Installation,
  request: SendRequest
): Effect.Effect<TokenRefresher.IssuedToken, Always> => {
  const input = {
    installation_id: String(id),
    ...(repositories === undefined ? {} : { repositories }),
    ...(permissions === undefined ? {} : { permissions })
  }
  return request(ROUTE, input).pipe(
    Effect.timeoutOrElse({
      duration: TIMEOUT,
      orElse: () => Effect.fail(new Unreachable({ request: ROUTE, detail: `no response within ${TIMEOUT}` }))
    }),
    Effect.mapError((failure) => explain(app.id, id, failure)),
    Effect.flatMap(({ data, headers }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const { expires_at, token }: { readonly expires_at?: unknown; readonly token?: unknown } =
          typeof data === "object" && data !== null ? data : {}
        if (typeof token !== "string") return Effect.fail(bad("the response contains no token"))
        const expiresAt = localTime(String(expires_at), headers["date"], now)
        return Effect.succeed<TokenRefresher.IssuedToken>({ token: Redacted.make(token), expiresAt })
      })
    )
  )
}

/** Converts a time from the forge's clock to the local clock, by the `Date` header of the response. */
const localTime = (time: string, date: string | undefined, now: number) => {
  const skew = now - Date.parse(date ?? "")
  const local = Date.parse(time) + (Number.isNaN(skew) ? 0 : skew)
  return Number.isNaN(local) ? undefined : local
}

const bad = (detail: string) => new BadCredentials({ request: ROUTE, detail })

/** Converts a failure to get a token to an error about the credential, unless the forge is unavailable. */
const explain = (id: string | number, installation: string | number, failure: Failure): Always => {
  switch (failure._tag) {
    case "RateLimited":
    case "ServiceFailed":
    case "Unreachable":
    case "UnexpectedResponse":
      return failure
    case "NotFound":
      return bad(`app ${id} has no installation ${installation} on this forge`)
    case "BadCredentials":
      // Without a response, the key is the problem.
      return failure.status === undefined ? failure : bad(`the forge rejected the key of app ${id}: ${failure.detail}`)
    case "Forbidden":
    case "Conflict":
    case "Gone":
    case "Unsupported":
    case "ValidationFailed":
    case "UntrustedLink":
      return bad(`the forge refused a token for installation ${installation} of app ${id}: ${failure.detail}`)
  }
}
