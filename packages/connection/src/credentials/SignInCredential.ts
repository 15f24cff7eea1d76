/**
 * The credential of a sign-in with access tokens that expire. Renews a token before expiry or after a rejection by the
 * forge, with the refresh token (RFC 6749 §6). A refresh token works once, so the new one is stored before any other
 * step.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as OAuth from "@tongs/core/auth/OAuth"
import * as PostForm from "@tongs/core/auth/PostForm"
import { CredentialStore } from "./CredentialStore.ts"
import * as StoredToken from "./StoredToken.ts"

/** Creates the credential of a sign-in. Renewing fails with `BadCredentials` once the sign-in has ended. */
export const make = Effect.fn("SignInCredential.make")(function* (
  first: OAuth.TokenSet,
  { signIn }: OAuth.RefreshToken,
  { baseUrl }: { readonly baseUrl: string }
) {
  const credentials = yield* CredentialStore
  const postForm = yield* PostForm.make
  return yield* StoredToken.make(credentials.user(baseUrl), {
    identity: `sign-in ${signIn}`,
    first,
    make: (stored, store) =>
      // The user may have signed out meanwhile, or signed in again with another account.
      stored?.refresh?.signIn === signIn
        ? uninterrupted(Effect.tap(OAuth.renew(stored.refresh, baseUrl, postForm), store))
        : Effect.fail(OAuth.ended("the sign-in is no longer stored on this machine"))
  })
})

/** Protects a renewal from interruption: before the new refresh token is stored, the only copy is in memory. */
const uninterrupted = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptible(Effect.flatMap(Effect.forkDetach(self), Fiber.join))
