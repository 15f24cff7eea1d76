/**
 * The private key of an app, and the JSON Web Tokens that the key signs. Uses WebCrypto, for Node, browsers and edge
 * runtimes.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Token } from "../client/Credential.ts"

/** The error of a text that is not an RSA private key. Never contains the text. */
export class InvalidAppKey extends Data.TaggedError("InvalidAppKey")<{ readonly detail: string }> {
  override get message() {
    return this.detail
  }
}

/** Seconds by which a JWT is backdated, in case the local clock is fast. */
const BACKDATE = 60

/** Seconds for which a JWT is valid. The forge allows ten minutes. */
const LIFETIME = 9 * 60

const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }

/** The start of a PKCS#8 key: version 0, and the algorithm RSA. The PKCS#1 key follows as an octet string. */
const pkcs8Start = [2, 1, 0, 48, 13, 6, 9, 42, 134, 72, 134, 247, 13, 1, 1, 1, 5, 0]

const SEQUENCE = 48
const OCTETS = 4

/** Encodes a value of ASN.1 with tag and length (X.690). */
const asn1 = (tag: number, content: ReadonlyArray<number>): ReadonlyArray<number> => {
  const { length } = content
  if (length < 128) return [tag, length, ...content]
  return length < 65_536
    ? [tag, 130, length >> 8, length & 255, ...content]
    : [tag, 131, length >> 16, (length >> 8) & 255, length & 255, ...content]
}

const invalid = (detail: string) => Effect.fail(new InvalidAppKey({ detail }))

/** Maximum length of a PEM text in characters: a key of 16,384 bits has 13,000. */
const MAX_LENGTH = 65_536

/**
 * Reads the PEM text of an RSA private key, PKCS#1 (`BEGIN RSA PRIVATE KEY`, the form that GitHub issues) or PKCS#8.
 * Line breaks may be written as `\n`, as in many environment variables.
 */
export const parse = Effect.fn("AppKey.parse")(function* (pem: string) {
  const { subtle }: Partial<typeof crypto> = crypto
  if (subtle === undefined) return yield* invalid("this platform has no WebCrypto, which pages without HTTPS lack")
  const text = pem.length > MAX_LENGTH ? "" : pem.replace(/\\r|\\n/g, "\n")
  const [, kind, base64 = ""] = /-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----/.exec(text) ?? []
  if (kind === "ENCRYPTED PRIVATE KEY" || text.includes("Proc-Type: 4,ENCRYPTED"))
    return yield* invalid("the key is encrypted; decrypt it first")
  if (kind === undefined) return yield* invalid("not a private key in PEM format")
  if (kind.includes("PUBLIC")) return yield* invalid("a public key; the private key is needed")
  if (kind !== "PRIVATE KEY" && kind !== "RSA PRIVATE KEY") return yield* invalid("not an RSA key")
  return yield* Effect.tryPromise({
    try: async () => {
      const der = Array.from(atob(base64.replace(/\s/g, "")), (character) => character.charCodeAt(0))
      const pkcs8 = kind === "PRIVATE KEY" ? der : asn1(SEQUENCE, [...pkcs8Start, ...asn1(OCTETS, der)])
      return subtle.importKey("pkcs8", new Uint8Array(pkcs8), algorithm, false, ["sign"])
    },
    catch: () => new InvalidAppKey({ detail: "not an RSA key" })
  })
})

/** A key that `parse` returned. */
export type AppKey = Effect.Success<ReturnType<typeof parse>>

/** Creates a JWT of an app, valid from `now` (epoch milliseconds) for nine minutes. */
export const sign = (key: AppKey, appId: string, now: number): Effect.Effect<Token> =>
  Effect.promise(async () => {
    const seconds = Math.floor(now / 1000)
    const claims = { iss: appId, iat: seconds - BACKDATE, exp: seconds + LIFETIME }
    const content = `${base64url(utf8({ alg: "RS256", typ: "JWT" }))}.${base64url(utf8(claims))}`
    const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(content))
    return Redacted.make(`${content}.${base64url(new Uint8Array(signature))}`)
  })

const utf8 = (json: object) => new TextEncoder().encode(JSON.stringify(json))

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (character) => urlSafe[character] ?? "")
const urlSafe: Readonly<Record<string, string>> = { "+": "-", "/": "_" }
