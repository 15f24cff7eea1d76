/** What signing in and renewing a sign-in share: a form to the forge's site, and the tokens that it answers with (RFC 6749 §5). */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { TokenSet } from "./TokenSet.ts"

/** Tokens, or why there are none. */
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
export type Answer = typeof TokenResponse.Type
export const decode = Schema.decodeUnknownOption(TokenResponse)

/** How long one question may take. */
const PATIENCE = "15 seconds"

/** One form, and the JSON of the answer whatever its status; nothing where that is no JSON. */
export const postForm = (
  url: string,
  form: Readonly<Record<string, string>>
): Effect.Effect<unknown, HttpClientError | { readonly _tag: "TimeoutError" }, HttpClient.HttpClient> =>
  HttpClientRequest.post(url).pipe(
    HttpClientRequest.setHeaders({ accept: "application/json", "user-agent": "tongs" }),
    HttpClientRequest.bodyUrlParams(form),
    HttpClient.execute,
    Effect.flatMap((response) => Effect.orElseSucceed(response.json, () => undefined)),
    Effect.timeout(PATIENCE),
    // The form holds a code or a token, and the answer tokens.
    Effect.withTracerEnabled(false)
  )

/** A forge's pages are at the host of its API, or at that without `api.`. */
export const siteUrl = (url: string) => {
  const { host, protocol } = new URL(url)
  return `${protocol}//${host.replace(/^api\./, "")}`
}

/** Where the tokens of a site come from. */
export const tokenUrl = (site: string) => `${site}/login/oauth/access_token`

/** What the tokens of an answer are good for, from `now` on; a forge that gives no new refresh token goes on taking the old. */
export const toTokenSet = (
  token: string,
  { expires_in, refresh_token, refresh_token_expires_in }: Answer,
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
