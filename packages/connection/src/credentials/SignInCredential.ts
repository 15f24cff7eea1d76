/**
 * A stored sign-in whose tokens expire: each is renewed before it does, and when the forge no longer takes it, with the
 * refresh token that came along (RFC 6749 §6). That one is good for once, so the next is stored before anything else.
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

/** The credential of a sign-in on a forge. */
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
    make: (stored, keep) =>
      // Who has signed in anew or signed out meanwhile is another, or nobody.
      stored?.refresh?.signIn === signIn
        ? whole(Effect.tap(renewed(stored.refresh, baseUrl), keep)).pipe(
            Effect.provideService(HttpClient.HttpClient, client)
          )
        : Effect.fail(over("the sign-in is no longer stored on this machine"))
  })
})

/** To its end, whoever no longer waits for it: between the forge's answer and its storing there is no token on this machine. */
const whole = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptible(Effect.flatMap(Effect.forkDetach(self), Fiber.join))

const renewed = Effect.fnUntraced(function* (refresh: Refresh, baseUrl: string) {
  const isOver = (refresh.expiresAt ?? Number.POSITIVE_INFINITY) <= (yield* Clock.currentTimeMillis)
  if (isOver) return yield* over("the sign-in has run out")
  const { clientId, token } = refresh
  const form = { client_id: clientId, grant_type: "refresh_token", refresh_token: Redacted.value(token) }
  const said = yield* OAuth.postForm(OAuth.tokenUrl(OAuth.siteUrl(baseUrl)), form).pipe(
    Effect.mapError(() => new Unreachable({ request, detail: "the forge does not answer" }))
  )
  const answer = OAuth.decode(said)
  const { access_token, error, error_description } = answer._tag === "Some" ? answer.value : {}
  if (access_token !== undefined && answer._tag === "Some")
    return OAuth.toTokenSet(access_token, answer.value, refresh, yield* Clock.currentTimeMillis, refresh)
  if (error === undefined) return yield* new Unreachable({ request, detail: "the forge's answer is no token" })
  return yield* over(`the forge does not renew the sign-in: ${error_description ?? error}`)
})

const over = (detail: string) => new BadCredentials({ request, detail })
