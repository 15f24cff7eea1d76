/** Step: credentials. A token is `Redacted` from the moment it is read, and becomes text only in the header that carries it. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { BadCredentials } from "../contract/Failure.ts"

export type Token = Redacted.Redacted<string>

/** Visible ASCII. Platforms refuse other headers with an error that quotes them, token and all. */
const sendable = /^[\x21-\x7e]+$/

export const make =
  (token: Token | undefined) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E | BadCredentials, R> =>
    HttpClient.mapRequestEffect(client, (request) => {
      if (token === undefined) return Effect.succeed(request)
      if (sendable.test(Redacted.value(token))) {
        return Effect.succeed(HttpClientRequest.bearerToken(request, Redacted.value(token)))
      }
      const detail = "The token is empty, or holds characters that no token has"
      return Effect.fail(new BadCredentials({ request: `${request.method} ${request.url}`, detail }))
    })

/**
 * A name for one credential on one host that gives nothing of the credential away: budgets, cached answers and shared
 * requests belong to it.
 */
export const scope = Effect.fnUntraced(function* (baseUrl: string, token: Token | undefined) {
  const host = new URL(baseUrl).host
  if (token === undefined) return `${host}#anonymous`
  const digest = yield* Effect.promise(() =>
    crypto.subtle.digest("SHA-256", new TextEncoder().encode(`tongs ${host} ${Redacted.value(token)}`))
  )
  const fingerprint = Array.from(new Uint8Array(digest).subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0"))
  return `${host}#${fingerprint.join("")}`
})
