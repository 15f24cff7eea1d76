/**
 * Pipeline step: authorization. Adds the access token to the request header, the only place with the token in plain
 * text. If the forge rejects the token and the credential has a replacement, sends the request once more with the
 * replacement.
 */
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Redacted from "effect/Redacted"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { type Always, BadCredentials } from "../../contract/Failure.ts"
import type { Credential, Token } from "../Credential.ts"

/** Visible ASCII. Platforms reject other header values with an error that quotes the value, including the token. */
const headerSafe = /^[\x21-\x7e]+$/

/** Receives each access token before the request, so that responses can be masked. */
type OnSecret = (secret: string) => void

const authorize = (
  request: HttpClientRequest.HttpClientRequest,
  token: Token,
  onSecret: OnSecret
): Effect.Effect<HttpClientRequest.HttpClientRequest, Always> => {
  const secret = Redacted.value(token)
  if (headerSafe.test(secret)) {
    onSecret(secret)
    return Effect.succeed(HttpClientRequest.bearerToken(request, secret))
  }
  return Effect.fail(
    new BadCredentials({
      request: `${request.method} ${request.url}`,
      detail: "The token is empty or contains characters that tokens cannot have"
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

/**
 * Sends the request with the current token and, after a 401, with the replacement. Safe for any method, because the
 * forge did not run the rejected request.
 */
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
  const replacement = yield* replace(token)
  if (replacement === undefined) return response
  return yield* send(replacement)
})
