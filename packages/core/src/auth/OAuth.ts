/** OAuth requests to get and renew access tokens (RFC 6749 §5). */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { BadCredentials, Unreachable } from "../contract/Failure.ts"
import type { Token } from "../client/Credential.ts"
import type { IssuedToken } from "../client/TokenRefresher.ts"

/** A refresh token, and the id of the sign-in. */
export interface RefreshToken {
  readonly token: Token
  /** Expiry time in epoch milliseconds of the local clock. */
  readonly expiresAt?: number | undefined
  /** The client id of the OAuth app that the user signed in with. */
  readonly clientId: string
  /**
   * Random id of the sign-in, which all its tokens share. Rate-limit budgets and cached responses belong to this id.
   */
  readonly signIn: string
}

/** An access token and, if the access token can be renewed (RFC 6749 §6), a refresh token. */
export interface TokenSet extends IssuedToken {
  readonly refresh?: RefreshToken | undefined
}

/** The response of a token endpoint: tokens, or an error. Durations are in seconds. */
export interface TokenResponse {
  readonly access_token: string | undefined
  readonly expires_in: number | undefined
  readonly refresh_token: string | undefined
  readonly refresh_token_expires_in: number | undefined
  readonly error: string | undefined
  readonly error_description: string | undefined
  readonly interval: number | undefined
}

/** Returns the members of a JSON object; no members for any other value. */
export const members = (json: unknown): Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null ? { ...json } : {}

const text = (value: unknown) => (typeof value === "string" ? value : undefined)
/** Returns a finite number, or undefined. */
export const number = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined

/** Decodes the JSON of a token endpoint's response. Members of another type are undefined. */
export const decode = (json: unknown): TokenResponse => {
  const all = members(json)
  return {
    access_token: text(all["access_token"]),
    expires_in: number(all["expires_in"]),
    refresh_token: text(all["refresh_token"]),
    refresh_token_expires_in: number(all["refresh_token_expires_in"]),
    error: text(all["error"]),
    error_description: text(all["error_description"]),
    interval: number(all["interval"])
  }
}

/**
 * Posts a form and returns the response's JSON, for any status; undefined if the response is not JSON. Form and response
 * contain secrets, which traces must not record.
 */
export type PostForm = (url: string, form: Readonly<Record<string, string>>) => Effect.Effect<unknown, unknown>

/** Time limit of a request. */
export const TIMEOUT = "15 seconds"

/** Returns the URL of the forge's web pages: the host of the API without a leading `api.`. */
export const siteUrl = (url: string): string => {
  const { host, protocol } = new URL(url)
  return `${protocol}//${host.replace(/^api\./, "")}`
}

/** Returns the URL of the OAuth token endpoint for `siteUrl`. */
export const tokenUrl = (site: string): string => `${site}/login/oauth/access_token`

/**
 * Converts a response that arrived at `now` (epoch milliseconds) to tokens. Keeps the `old` refresh token if the
 * response contains none, because the forge still accepts the old token.
 */
export const toTokenSet = (
  token: string,
  { expires_in, refresh_token, refresh_token_expires_in }: TokenResponse,
  { clientId, signIn }: Pick<RefreshToken, "clientId" | "signIn">,
  now: number,
  old?: RefreshToken
): TokenSet => {
  const end = (seconds: number | undefined) => (seconds === undefined ? {} : { expiresAt: now + seconds * 1000 })
  const refresh =
    refresh_token === undefined
      ? old
      : { clientId, signIn, token: Redacted.make(refresh_token), ...end(refresh_token_expires_in) }
  return { token: Redacted.make(token), ...end(expires_in), ...(refresh === undefined ? {} : { refresh }) }
}

const REQUEST = "POST /login/oauth/access_token"

/** Creates the failure of a sign-in that cannot be renewed. */
export const ended = (detail: string): BadCredentials => new BadCredentials({ request: REQUEST, detail })

/**
 * Gets new tokens for a refresh token, which works once: the caller must store the new one before any other step. Fails
 * with `BadCredentials` once the sign-in has ended.
 */
export const renew = Effect.fn("OAuth.renew")(function* (refresh: RefreshToken, baseUrl: string, postForm: PostForm) {
  const isExpired = (refresh.expiresAt ?? Number.POSITIVE_INFINITY) <= (yield* Clock.currentTimeMillis)
  if (isExpired) return yield* ended("the sign-in has expired")
  const { clientId, token } = refresh
  const form = { client_id: clientId, grant_type: "refresh_token", refresh_token: Redacted.value(token) }
  const json = yield* postForm(tokenUrl(siteUrl(baseUrl)), form).pipe(
    Effect.mapError(() => new Unreachable({ request: REQUEST, detail: "no response" }))
  )
  const response = decode(json)
  const { access_token, error, error_description } = response
  if (access_token !== undefined)
    return toTokenSet(access_token, response, refresh, yield* Clock.currentTimeMillis, refresh)
  if (error === undefined) return yield* new Unreachable({ request: REQUEST, detail: "the response contains no token" })
  return yield* ended(`the forge refused to renew the sign-in: ${error_description ?? error}`)
})
