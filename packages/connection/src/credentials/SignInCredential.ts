/**
 * The credential of a sign-in with access tokens that expire. Renews them before they expire or when the forge rejects
 * them, with the refresh token (RFC 6749 §6). A refresh token works once, so the new one is stored before any other
 * step.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as HttpClient from "effect/http/HttpClient"
import { BadCredentials, Unreachable } from "@tongs/core/contract/Failure"
import { CredentialStore } from "./CredentialStore.ts"
import * as StoredToken from "./StoredToken.ts"
import * as OAuth from "./OAuth.ts"
import type { TokenSet } from "./TokenSet.ts"

type Refresh = NonNullable<TokenSet["refresh"]>

const request = "POST /login/oauth/access_token"

/** Creates the credential of a sign-in. Renewing fails with `BadCredentials` once the sign-in has ended. */
export const make = Effect.fn("SignInCredential.make")(function* (
  first: TokenSet,
  { signIn }: Refresh,
  { baseUrl }: { readonly baseUrl: string }
) {
  const credentials = yield* CredentialStore
  const client = yield* HttpClient.HttpClient
  return yield* StoredToken.make(credentials.user(baseUrl), {
    identity: `sign-in ${signIn}`,
    first,
    make: (stored, store) =>
      // The user may have signed out meanwhile, or signed in again with another account.
      stored?.refresh?.signIn === signIn
        ? uninterrupted(Effect.tap(renew(stored.refresh, baseUrl), store)).pipe(
            Effect.provideService(HttpClient.HttpClient, client)
          )
        : Effect.fail(ended("the sign-in is no longer stored on this machine"))
  })
})

/** Protects a renewal from interruption: until the new refresh token is stored, it exists only in memory. */
const uninterrupted = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptible(Effect.flatMap(Effect.forkDetach(self), Fiber.join))

const renew = Effect.fnUntraced(function* (refresh: Refresh, baseUrl: string) {
  const isExpired = (refresh.expiresAt ?? Number.POSITIVE_INFINITY) <= (yield* Clock.currentTimeMillis)
  if (isExpired) return yield* ended("the sign-in has expired")
  const { clientId, token } = refresh
  const form = { client_id: clientId, grant_type: "refresh_token", refresh_token: Redacted.value(token) }
  const response = yield* OAuth.postForm(OAuth.tokenUrl(OAuth.siteUrl(baseUrl)), form).pipe(
    Effect.mapError(() => new Unreachable({ request, detail: "no response" }))
  )
  const decoded = OAuth.decode(response)
  const { access_token, error, error_description } = decoded._tag === "Some" ? decoded.value : {}
  if (access_token !== undefined && decoded._tag === "Some")
    return OAuth.toTokenSet(access_token, decoded.value, refresh, yield* Clock.currentTimeMillis, refresh)
  if (error === undefined) return yield* new Unreachable({ request, detail: "the response contains no token" })
  return yield* ended(`the forge refused to renew the sign-in: ${error_description ?? error}`)
})

const ended = (detail: string) => new BadCredentials({ request, detail })
