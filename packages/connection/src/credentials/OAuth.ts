/** OAuth requests that signing in and renewing share (RFC 6749 §5). */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { TokenSet } from "./TokenSet.ts"

const TokenResponse = Schema.Struct({
  access_token: Schema.optionalKey(Schema.String),
  /** Seconds. */
  expires_in: Schema.optionalKey(Schema.Finite),
  refresh_token: Schema.optionalKey(Schema.String),
  refresh_token_expires_in: Schema.optionalKey(Schema.Finite),
  error: Schema.optionalKey(Schema.String),
  error_description: Schema.optionalKey(Schema.String),
  interval: Schema.optionalKey(Schema.Finite)
})
/** The response of a token endpoint: tokens, or an error. */
export type TokenResponse = typeof TokenResponse.Type

/** Decodes the JSON of a token endpoint, if it has the expected form. */
export const decode = Schema.decodeUnknownOption(TokenResponse)

/** Time limit of a request. */
const TIMEOUT = "15 seconds"

/** Posts a form and gives the JSON of the response, whatever its status; undefined if it is not JSON. */
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
    // Form and response contain secrets.
    Effect.withTracerEnabled(false)
  )

/** The URL of the forge's web pages: the host of its API, without a leading `api.`. */
export const siteUrl = (url: string) => {
  const { host, protocol } = new URL(url)
  return `${protocol}//${host.replace(/^api\./, "")}`
}

/** The token endpoint of a site. */
export const tokenUrl = (site: string) => `${site}/login/oauth/access_token`

/**
 * The tokens of a response that arrived at `now` (epoch milliseconds). Keeps the `old` refresh token if the response has
 * none: the forge still accepts it.
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
