/**
 * Tokens that expire: whoever needs one gets the current, and another is made before it expires or when the forge refuses
 * it. However many ask, one is made at a time, and all of them get it.
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import type { Always } from "../contract/Failure.ts"
import type { Credential, Token } from "./Credentials.ts"

export interface IssuedToken {
  readonly token: Token
  /** Local epoch milliseconds; missing where nobody knows. */
  readonly expiresAt?: number | undefined
}

/** From this long before a token expires another is made, in milliseconds; the old one serves meanwhile. */
export const REFRESH_BEFORE_EXPIRY = 5 * 60_000

/** So long before its end a token is not sent any more, in milliseconds: it would expire on its way. */
const EXPIRY_MARGIN = 10_000

/** After a renewal that failed while the old token still serves, the next begins after this time, in milliseconds. */
const RETRY_DELAY = 10_000

export interface RefresherOptions {
  readonly identity: string
  /** What is there already. */
  readonly initial?: IssuedToken
  /** Makes a token. It should have a time limit of its own: whoever needs the token waits for it. */
  readonly issue: Effect.Effect<IssuedToken, Always>
}

/** A credential over tokens that are made on demand. What is under way ends with the scope. */
export const make = Effect.fnUntraced(function* ({ initial, identity, issue }: RefresherOptions) {
  const scope = yield* Effect.scope
  let issued = initial
  let notBefore = 0
  let flight: Deferred.Deferred<Token, Always> | undefined

  /** Not in the fiber of who asks first: that one may go, and the others still want the token. */
  const start = (landing: Deferred.Deferred<Token, Always>) =>
    Effect.onExit(
      issue,
      Effect.fnUntraced(function* (exit) {
        flight = undefined
        if (Exit.isSuccess(exit)) issued = exit.value
        else notBefore = (yield* Clock.currentTimeMillis) + RETRY_DELAY
        yield* Deferred.done(
          landing,
          Exit.map(exit, ({ token }) => token)
        )
      })
    )

  /** The renewal that is under way, or a new one. */
  const renew = Effect.suspend(() => {
    if (flight !== undefined) return Effect.succeed(flight)
    const landing = Deferred.makeUnsafe<Token, Always>()
    flight = landing
    return Effect.as(Effect.forkIn(start(landing), scope, { startImmediately: true }), landing)
  }).pipe(Effect.uninterruptible)

  const next = Effect.flatMap(renew, Deferred.await)

  const current = Effect.clockWith((clock) => {
    if (issued === undefined) return next
    const { expiresAt = Number.POSITIVE_INFINITY, token } = issued
    const now = clock.currentTimeMillisUnsafe()
    if (now >= expiresAt - EXPIRY_MARGIN) return next
    return now < expiresAt - REFRESH_BEFORE_EXPIRY || now < notBefore ? Effect.succeed(token) : Effect.as(renew, token)
  })

  return {
    identity: Redacted.make(identity),
    current,
    replace: (refused) =>
      Effect.suspend(() =>
        // Another caller may have had it replaced by now.
        issued === undefined || issued.token === refused ? next : Effect.succeed(issued.token)
      ).pipe(Effect.map((token) => (Redacted.value(token) === Redacted.value(refused) ? undefined : token)))
  } satisfies Credential
})
