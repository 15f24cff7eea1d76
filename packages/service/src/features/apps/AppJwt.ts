/**
 * Authenticates apps by a JSON web token that is signed with the app's key (RS256) and valid for at most ten minutes.
 * Error messages match GitHub's, because clients parse the messages to detect a wrong clock.
 */
import { createPublicKey, verify } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { BadCredentials } from "@tongs/core/contract/Failure"
import type { AppWithKey, InstallationRows } from "../../access/InstallationRows.ts"

/** Maximum time until expiry, and tolerated clock skew, in seconds. */
const LONGEST = 600
const SKEW = 60

const decodeHeader = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ alg: Schema.String })))
const decodeClaims = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      /** The app's id or client id. */
      iss: Schema.Union([Schema.String, Schema.Int]),
      iat: Schema.optionalKey(Schema.Unknown),
      exp: Schema.optionalKey(Schema.Unknown)
    })
  )
)

const bad = (detail: string) => new BadCredentials({ request: "", detail })
const undecodable = (why: string) => bad(`A JSON web token could not be decoded: ${why}`)

const text = (part: string | undefined) => Buffer.from(part ?? "", "base64url").toString("utf8")

/** Authenticates the app of an `Authorization` header. Fails with `BadCredentials`. */
export const authenticateApp = Effect.fnUntraced(function* (
  installations: InstallationRows["Service"],
  authorization: string | undefined
): Effect.fn.Return<AppWithKey, BadCredentials> {
  const [, token] = /^bearer\s+(\S+)$/i.exec(authorization?.trim() ?? "") ?? []
  if (token === undefined)
    return yield* undecodable("send a token signed with the app's key in the Authorization header")
  const [head, body, signature, ...more] = token.split(".")
  const header = decodeHeader(text(head))
  const claims = decodeClaims(text(body))
  if (signature === undefined || more.length > 0 || Option.isNone(header))
    return yield* undecodable("it must have three parts")
  if (header.value.alg !== "RS256") return yield* undecodable("it must be signed with RS256")
  if (Option.isNone(claims)) return yield* undecodable("its `iss` must be the app's id or client id")
  const { exp, iat, iss } = claims.value

  const app = yield* installations.byIssuer(String(iss))
  if (app === undefined) return yield* undecodable("no app has this `iss`")
  if (app.public_key === null) return yield* undecodable(`app ${app.slug} has no public key`)
  const key = createPublicKey(app.public_key)
  if (!verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url"))) {
    return yield* undecodable(`it is not signed with the key of app ${app.slug}`)
  }

  const now = (yield* Clock.currentTimeMillis) / 1000
  if (typeof exp !== "number" || exp <= now) {
    return yield* bad(
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires"
    )
  }
  if (exp > now + LONGEST) return yield* bad("'Expiration time' claim ('exp') is too far in the future")
  if (typeof iat !== "number" || iat > now + SKEW) {
    return yield* bad(
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
    )
  }
  return app
})
