/** An access token with its refresh token, and their text form in a keychain. */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as TokenRefresher from "@tongs/core/client/TokenRefresher"

const Token = Schema.RedactedFromValue(Schema.String)

/** An access token and, if it expires, its refresh token. */
export const TokenSet = Schema.Struct({
  token: Token,
  /** Expiry time in epoch milliseconds by the local clock. Missing if the access token does not expire. */
  expiresAt: Schema.optional(Schema.Finite),
  /** The refresh token, if the access token can be renewed (RFC 6749 §6). */
  refresh: Schema.optional(
    Schema.Struct({
      token: Token,
      expiresAt: Schema.optional(Schema.Finite),
      /** The client id of the OAuth app that the user signed in with. */
      clientId: Schema.String,
      /** Random id of the sign-in, which its tokens share. Rate-limit budgets and cached responses belong to it. */
      signIn: Schema.String
    })
  )
})
/** An access token and, if it expires, its refresh token. */
export type TokenSet = typeof TokenSet.Type

/** Returns true if the access token stays valid long enough to be used for a request. */
export const isFresh = ({ expiresAt = Number.POSITIVE_INFINITY }: TokenSet, now: number): boolean =>
  now < expiresAt - TokenRefresher.REFRESH_BEFORE_EXPIRY

const SecretText = Schema.fromJsonString(TokenSet)
const encode = Schema.encodeSync(SecretText)
const decode = Schema.decodeUnknownResult(SecretText)

/** Encodes tokens as a keychain text: the access token itself if it does not expire, otherwise JSON. */
export const toText = (secret: TokenSet): Redacted.Redacted<string> =>
  secret.expiresAt === undefined && secret.refresh === undefined ? secret.token : Redacted.make(encode(secret))

/** Decodes the text of a keychain entry, which is JSON or only an access token that another program stored. */
export const fromText = (text: Redacted.Redacted<string>): TokenSet =>
  Result.getOrElse(decode(Redacted.value(text)), () => ({ token: text }))
