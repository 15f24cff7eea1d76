/** What is kept of a credential: a token, and what it takes to renew it. */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as TokenRefresher from "@tongs/core/client/TokenRefresher"

const Token = Schema.RedactedFromValue(Schema.String)

export const TokenSet = Schema.Struct({
  token: Token,
  /** Local epoch milliseconds; missing where the token does not expire. */
  expiresAt: Schema.optional(Schema.Finite),
  /** Where the forge gives a new token for this one (RFC 6749 §6). */
  refresh: Schema.optional(
    Schema.Struct({
      token: Token,
      expiresAt: Schema.optional(Schema.Finite),
      /** The app in whose name the person has signed in. */
      clientId: Schema.String,
      /** Names the sign-in, whichever token it has: budgets and kept answers belong to it. */
      signIn: Schema.String
    })
  )
})
export type TokenSet = typeof TokenSet.Type

/** Whether it may be used for a while yet. */
export const isFresh = ({ expiresAt = Number.POSITIVE_INFINITY }: TokenSet, now: number): boolean =>
  now < expiresAt - TokenRefresher.REFRESH_BEFORE_EXPIRY

const SecretText = Schema.fromJsonString(TokenSet)
const encode = Schema.encodeSync(SecretText)
const decode = Schema.decodeUnknownResult(SecretText)

/** As one text, for a keychain: the token itself, where there is nothing else to it. */
export const toText = (secret: TokenSet): Redacted.Redacted<string> =>
  secret.expiresAt === undefined && secret.refresh === undefined ? secret.token : Redacted.make(encode(secret))

export const fromText = (text: Redacted.Redacted<string>): TokenSet =>
  Result.getOrElse(decode(Redacted.value(text)), () => ({ token: text }))
