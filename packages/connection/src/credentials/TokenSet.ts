/** An access token with a refresh token, and the text form in a keychain. */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as OAuth from "@tongs/core/auth/OAuth"
import * as TokenRefresher from "@tongs/core/client/TokenRefresher"

const Token = Schema.RedactedFromValue(Schema.String)

/** The schema of `OAuth.TokenSet`. */
export const TokenSet = Schema.Struct({
  token: Token,
  expiresAt: Schema.optional(Schema.Finite),
  refresh: Schema.optional(
    Schema.Struct({
      token: Token,
      expiresAt: Schema.optional(Schema.Finite),
      clientId: Schema.String,
      signIn: Schema.String
    })
  )
})
/** An access token and, if the access token expires, a refresh token. */
export type TokenSet = OAuth.TokenSet

/** Returns true if the access token stays valid long enough to be used for a request. */
export const isFresh = ({ expiresAt = Number.POSITIVE_INFINITY }: TokenSet, now: number): boolean =>
  now < expiresAt - TokenRefresher.REFRESH_BEFORE_EXPIRY

const SecretText = Schema.fromJsonString(TokenSet)
const encode = Schema.encodeSync(SecretText)
const decode = Schema.decodeUnknownResult(SecretText)

/** Encodes tokens as a keychain text: only the access token if the token does not expire, otherwise JSON. */
export const toText = (secret: TokenSet): Redacted.Redacted<string> =>
  secret.expiresAt === undefined && secret.refresh === undefined ? secret.token : Redacted.make(encode(secret))

/** Decodes the text of a keychain entry, which is JSON or only an access token that another program stored. */
export const fromText = (text: Redacted.Redacted<string>): TokenSet =>
  Result.getOrElse(decode(Redacted.value(text)), () => ({ token: text }))
