/** Credentials: a fixed access token, or a source of tokens that expire. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Always } from "../contract/Failure.ts"

/** An access token. Redacted, so that no log or failure shows the token. */
export type Token = Redacted.Redacted<string>

/** A source of access tokens, for example an app whose tokens expire (`TokenRefresher`). */
export interface Credential {
  /** Identifies the account or app, independent of the current token. May be a secret. */
  readonly identity: Redacted.Redacted<string>
  /** Returns the token to send now. */
  readonly current: Effect.Effect<Token, Always>
  /** Returns a replacement for a token that the forge rejected (401), or undefined without a replacement. */
  readonly replace: (rejected: Token) => Effect.Effect<Token | undefined, Always>
}

/**
 * Returns the rate-limit scope of a credential: an identifier of the credential on one host, part of the keys of
 * budgets, cached responses and shared requests. Contains a digest of the credential, never the credential.
 */
export const scopeOf = Effect.fnUntraced(function* (baseUrl: string, credential: Token | Credential | undefined) {
  const host = new URL(baseUrl).host
  if (credential === undefined) return `${host}#anonymous`
  const identity = Redacted.value(Redacted.isRedacted(credential) ? credential : credential.identity)
  const bytes = yield* fingerprint(`tongs ${host} ${identity}`)
  return `${host}#${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`
})

/**
 * Returns eight bytes of a SHA-256 digest, or random bytes on a page without HTTPS, which has no `crypto.subtle`: on
 * such a page every client has a separate rate-limit scope.
 */
const fingerprint = (text: string) => {
  const { subtle }: Partial<typeof crypto> = crypto
  if (subtle === undefined) return Effect.sync(() => crypto.getRandomValues(new Uint8Array(8)))
  const digest = Effect.promise(() => subtle.digest("SHA-256", new TextEncoder().encode(text)))
  return Effect.map(digest, (whole) => new Uint8Array(whole).subarray(0, 8))
}
