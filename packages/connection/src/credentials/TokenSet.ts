/** An access token, with what renews it. */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as TokenRefresher from "@tongs/core/client/TokenRefresher"

const Token = Schema.RedactedFromValue(Schema.String)

/** An access token and, if it expires, its refresh token. */
export const TokenSet = Schema.Struct({
  token: Token,
  /** Epoch milliseconds by the local clock. Missing if the token does not expire. */
  expiresAt: Schema.optional(Schema.Finite),
  /** The refresh token, if the forge renews the access token (RFC 6749 §6). */
  refresh: Schema.optional(
    Schema.Struct({
      token: Token,
      expiresAt: Schema.optional(Schema.Finite),
      /** The OAuth app that the user signed in with. */
      clientId: Schema.String,
      /** Identifies the sign-in across its tokens: budgets and cached responses belong to it. */
      signIn: Schema.String
    })
  )
})
/** An access token and, if it expires, its refresh token. */
export type TokenSet = typeof TokenSet.Type

/** True if the access token is valid for long enough to be used. */
export const isFresh = ({ expiresAt = Number.POSITIVE_INFINITY }: TokenSet, now: number): boolean =>
  now < expiresAt - TokenRefresher.REFRESH_BEFORE_EXPIRY

const SecretText = Schema.fromJsonString(TokenSet)
const encode = Schema.encodeSync(SecretText)
const decode = Schema.decodeUnknownResult(SecretText)

/** Encodes tokens as one text for a keychain: the bare token if it does not expire, otherwise JSON. */
export const toText = (secret: TokenSet): Redacted.Redacted<string> =>
  secret.expiresAt === undefined && secret.refresh === undefined ? secret.token : Redacted.make(encode(secret))

/** Reads the text of a keychain entry, including a bare token that another program stored. */
export const fromText = (text: Redacted.Redacted<string>): TokenSet =>
  Result.getOrElse(decode(Redacted.value(text)), () => ({ token: text }))
