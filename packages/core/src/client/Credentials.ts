/**
 * Step: credentials. A token is `Redacted` from the moment it is read, and becomes text only in the header that carries it.
 * One that the forge no longer takes is replaced once, where its credential can make another (`TokenRefresher`).
 */
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Redacted from "effect/Redacted"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { type Always, BadCredentials } from "../contract/Failure.ts"

export type Token = Redacted.Redacted<string>

/** Whoever asks, over all the tokens that they go through. */
export interface Credential {
  /** What tells it from others, and stays the same when the token changes. It may be a secret. */
  readonly identity: Redacted.Redacted<string>
  /** The token to send now. */
  readonly current: Effect.Effect<Token, Always>
  /** The token to send instead of one that was refused (401); nothing where there is no other. */
  readonly replace: (refused: Token) => Effect.Effect<Token | undefined, Always>
}

/** Visible ASCII. Platforms refuse other headers with an error that quotes them, token and all. */
const HEADER_SAFE = /^[\x21-\x7e]+$/

/** Hears of each token before it is sent, so that it can be masked in what the server says. */
type OnSecret = (secret: string) => void

const authorize = (
  request: HttpClientRequest.HttpClientRequest,
  token: Token,
  onSecret: OnSecret
): Effect.Effect<HttpClientRequest.HttpClientRequest, Always> => {
  const secret = Redacted.value(token)
  if (HEADER_SAFE.test(secret)) {
    onSecret(secret)
    return Effect.succeed(HttpClientRequest.bearerToken(request, secret))
  }
  return Effect.fail(
    new BadCredentials({
      request: `${request.method} ${request.url}`,
      detail: "The token is empty, or holds characters that no token has"
    })
  )
}

export const make =
  (credential: Token | Credential | undefined, onSecret: OnSecret = constVoid) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E | Always, R> =>
    credential === undefined || Redacted.isRedacted(credential)
      ? HttpClient.mapRequestEffect(client, (request) =>
          credential === undefined ? Effect.succeed(request) : authorize(request, credential, onSecret)
        )
      : HttpClient.makeWith(
          (incoming: Effect.Effect<HttpClientRequest.HttpClientRequest, E | Always, R>) =>
            Effect.flatMap(incoming, (request) => sendAs(credential, client, request, onSecret)),
          client.preprocess
        )

/** A refused request did not run, so whatever its method, it is sent again with the token that replaces the refused one. */
const sendAs = Effect.fnUntraced(function* <E, R>(
  { current, replace }: Credential,
  client: HttpClient.HttpClient.With<E, R>,
  request: HttpClientRequest.HttpClientRequest,
  onSecret: OnSecret
) {
  const send = (token: Token) =>
    Effect.flatMap(authorize(request, token, onSecret), (authorized) => client.postprocess(Effect.succeed(authorized)))
  const token = yield* current
  const response = yield* send(token)
  if (response.status !== 401) return response
  const other = yield* replace(token)
  if (other === undefined) return response
  return yield* send(other)
})

/**
 * A name for one credential on one host that gives nothing of the credential away: budgets, cached answers and shared
 * requests belong to it.
 */
export const scopeOf = Effect.fnUntraced(function* (baseUrl: string, credential: Token | Credential | undefined) {
  const host = new URL(baseUrl).host
  if (credential === undefined) return `${host}#anonymous`
  const identity = Redacted.value(Redacted.isRedacted(credential) ? credential : credential.identity)
  const bytes = yield* fingerprint(`tongs ${host} ${identity}`)
  return `${host}#${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`
})

/** Eight bytes that stand for a text. A browser makes none for a page without HTTPS: there each client has its own. */
const fingerprint = (text: string) => {
  const { subtle }: Partial<typeof crypto> = crypto
  if (subtle === undefined) return Effect.sync(() => crypto.getRandomValues(new Uint8Array(8)))
  const digest = Effect.promise(() => subtle.digest("SHA-256", new TextEncoder().encode(text)))
  return Effect.map(digest, (whole) => new Uint8Array(whole).subarray(0, 8))
}
