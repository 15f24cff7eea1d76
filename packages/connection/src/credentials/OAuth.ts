/** OAuth requests to get and renew access tokens (RFC 6749 §5). */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { TokenSet } from "./TokenSet.ts"

const TokenResponse = Schema.Struct({
  access_token: Schema.optionalKey(Schema.String),
  /** Lifetime of the access token in seconds. */
  expires_in: Schema.optionalKey(Schema.Finite),
  refresh_token: Schema.optionalKey(Schema.String),
  refresh_token_expires_in: Schema.optionalKey(Schema.Finite),
  error: Schema.optionalKey(Schema.String),
  error_description: Schema.optionalKey(Schema.String),
  interval: Schema.optionalKey(Schema.Finite)
})
/** The response of a token endpoint: tokens, or an error. */
export type TokenResponse = typeof TokenResponse.Type

/** Decodes the JSON of a token endpoint's response. `None` if it is invalid. */
export const decode = Schema.decodeUnknownOption(TokenResponse)

/** Time limit of a request. */
const TIMEOUT = "15 seconds"

/** Posts a form and returns the response's JSON, for any status. Returns undefined if the response is not JSON. */
export const postForm = (
  url: string,
  form: Readonly<Record<string, string>>
): Effect.Effect<unknown, HttpClientError | { readonly _tag: "TimeoutError" }, HttpClient.HttpClient> =>
  HttpClientRequest.post(url).pipe(
    HttpClientRequest.setHeaders({ accept: "application/json", "user-agent": "tongs" }),
    HttpClientRequest.bodyUrlParams(form),
    HttpClient.execute,
    Effect.flatMap((response) => Effect.orElseSucceed(response.json, () => undefined)),
    Effect.timeout(TIMEOUT),
    // Form and response contain secrets, which traces must not record.
    Effect.withTracerEnabled(false)
  )

/** Returns the URL of the forge's web pages: the host of its API without a leading `api.`. */
export const siteUrl = (url: string) => {
  const { host, protocol } = new URL(url)
  return `${protocol}//${host.replace(/^api\./, "")}`
}

/** Returns the URL of the OAuth token endpoint for `siteUrl`. */
export const tokenUrl = (site: string) => `${site}/login/oauth/access_token`

/**
 * Converts a response that arrived at `now` (epoch milliseconds) to tokens. Keeps the `old` refresh token if the
 * response contains none, because the forge still accepts it.
 */
export const toTokenSet = (
  token: string,
  { expires_in, refresh_token, refresh_token_expires_in }: TokenResponse,
  app: { readonly clientId: string; readonly signIn: string },
  now: number,
  old?: TokenSet["refresh"]
): TokenSet => {
  const end = (seconds: number | undefined) => (seconds === undefined ? {} : { expiresAt: now + seconds * 1000 })
  const refresh =
    refresh_token === undefined
      ? old
      : { ...app, token: Redacted.make(refresh_token), ...end(refresh_token_expires_in) }
  return { token: Redacted.make(token), ...end(expires_in), ...(refresh === undefined ? {} : { refresh }) }
}
