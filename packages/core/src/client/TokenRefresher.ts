/**
 * Refreshes expiring access tokens: returns the current token, and requests a new one shortly before the expiry or when
 * the forge rejects the token. Concurrent callers share one refresh.
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import type { Always } from "../contract/Failure.ts"
import type { Credential, Token } from "./Credential.ts"

/** An access token and the expiry. */
export interface IssuedToken {
  readonly token: Token
  /** Expiry in epoch milliseconds of the local clock; missing if unknown. */
  readonly expiresAt?: number | undefined
}

/** Time before expiry at which a background refresh starts, in milliseconds. Requests use the old token meanwhile. */
export const REFRESH_BEFORE_EXPIRY = 5 * 60_000

/**
 * Time before expiry from which a token is no longer sent, in milliseconds, because the token could expire in transit.
 */
const EXPIRY_MARGIN = 10_000

/** Delay after a failed background refresh, in milliseconds. */
const RETRY_DELAY = 10_000

/** Options of a token refresher. */
export interface RefresherOptions {
  /** Identifies the account or app, independent of the current token. May be a secret. */
  readonly identity: string
  /** The first token, if the caller already has one. */
  readonly initial?: IssuedToken
  /** Requests a new token. Needs a time limit, because callers without a valid token wait for the result. */
  readonly issue: Effect.Effect<IssuedToken, Always>
}

/**
 * Creates a credential that refreshes tokens on demand. Fails with the errors of `issue`. A running refresh ends with
 * the Effect `Scope`.
 */
export const make = Effect.fnUntraced(function* ({ initial, identity, issue }: RefresherOptions) {
  const scope = yield* Effect.scope
  let issued = initial
  let notBefore = 0
  let pending: Deferred.Deferred<Token, Always> | undefined

  const start = (result: Deferred.Deferred<Token, Always>) =>
    Effect.onExit(
      issue,
      Effect.fnUntraced(function* (exit) {
        pending = undefined
        if (Exit.isSuccess(exit)) issued = exit.value
        else notBefore = (yield* Clock.currentTimeMillis) + RETRY_DELAY
        yield* Deferred.done(
          result,
          Exit.map(exit, ({ token }) => token)
        )
      })
    )

  /**
   * Starts a refresh, or joins the running one. The refresh runs in the credential's `Scope`, so that an interrupted
   * caller does not end the refresh.
   */
  const refresh = Effect.suspend(() => {
    if (pending !== undefined) return Effect.succeed(pending)
    const result = Deferred.makeUnsafe<Token, Always>()
    pending = result
    return Effect.as(Effect.forkIn(start(result), scope, { startImmediately: true }), result)
  }).pipe(Effect.uninterruptible)

  const next = Effect.flatMap(refresh, Deferred.await)

  const current = Effect.clockWith((clock) => {
    if (issued === undefined) return next
    const { expiresAt = Number.POSITIVE_INFINITY, token } = issued
    const now = clock.currentTimeMillisUnsafe()
    if (now >= expiresAt - EXPIRY_MARGIN) return next
    return now < expiresAt - REFRESH_BEFORE_EXPIRY || now < notBefore
      ? Effect.succeed(token)
      : Effect.as(refresh, token)
  })

  return {
    identity: Redacted.make(identity),
    current,
    replace: (rejected) =>
      Effect.suspend(() =>
        // Another caller may have already replaced the rejected token.
        issued === undefined || issued.token === rejected ? next : Effect.succeed(issued.token)
      ).pipe(Effect.map((token) => (Redacted.value(token) === Redacted.value(rejected) ? undefined : token)))
  } satisfies Credential
})
