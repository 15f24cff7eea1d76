/** Parses and checks public SSH keys (RFC 4253 §6.6, RFC 5656, RFC 8709, OpenSSH's PROTOCOL.u2f). */
import { createHash, createPublicKey, ECDH, type KeyObject } from "node:crypto"
import * as Result from "effect/Result"
import * as TrimCharacters from "../base/TrimCharacters.ts"
import { MalformedSshData, type Reader, makeReader, unsigned } from "./SshEncoding.ts"

/** A parsed public key. */
export interface SshKey {
  readonly algorithm: Algorithm
  /** The key as `<algorithm> <base64>`, without the comment. */
  readonly text: string
  readonly comment: string
  /** Fingerprint `SHA256:…`, as printed by `ssh-keygen -l`. */
  readonly fingerprint: string
  readonly publicKey: KeyObject
  /** Application of a security key, for example `ssh:`. */
  readonly application?: string
}

/** Bounds of RSA keys in bits: small keys are insecure, and verification with large keys is slow. */
const MIN_RSA_BITS = 2048
const MAX_RSA_BITS = 16_384

/** Maximum bits of an RSA exponent that OpenSSL accepts with every key size. Common exponents have 17 bits. */
const MAX_EXPONENT_BITS = 64

/** Maximum length of a key in characters. */
const MAX_LENGTH = 16 * 1024

interface Curve {
  readonly name: string
  readonly jwk: string
  readonly openssl: string
  readonly bytes: number
}

const nistp256: Curve = { name: "nistp256", jwk: "P-256", openssl: "prime256v1", bytes: 32 }
const nistp384: Curve = { name: "nistp384", jwk: "P-384", openssl: "secp384r1", bytes: 48 }
const nistp521: Curve = { name: "nistp521", jwk: "P-521", openssl: "secp521r1", bytes: 66 }

const ed25519 = (from: Reader): KeyObject => {
  const x = from.string()
  if (x.length !== 32) throw new MalformedSshData("Ed25519 keys have 32 bytes")
  return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x: x.toString("base64url") } })
}

const bitsOf = (number: Buffer): number =>
  number.length === 0 ? 0 : number.length * 8 - Math.clz32(number[0] ?? 0) + 24
const isOdd = (number: Buffer): boolean => ((number.at(-1) ?? 0) & 1) === 1

const rsa = (from: Reader): KeyObject => {
  const e = unsigned(from.string())
  const n = unsigned(from.string())
  const bits = bitsOf(n)
  if (bits < MIN_RSA_BITS)
    throw new MalformedSshData(`RSA keys need at least ${MIN_RSA_BITS} bits, but this key has ${bits}`)
  if (bits > MAX_RSA_BITS)
    throw new MalformedSshData(`RSA keys can have at most ${MAX_RSA_BITS} bits, but this key has ${bits}`)
  if (bitsOf(e) > MAX_EXPONENT_BITS)
    throw new MalformedSshData(`the RSA exponent has more than ${MAX_EXPONENT_BITS} bits`)
  if (bitsOf(e) < 2 || !isOdd(e) || !isOdd(n)) throw new MalformedSshData("the RSA modulus or exponent is invalid")
  return createPublicKey({
    format: "jwk",
    key: { kty: "RSA", n: n.toString("base64url"), e: e.toString("base64url") }
  })
}

const ecdsa =
  (curve: Curve) =>
  (from: Reader): KeyObject => {
    if (from.text() !== curve.name) throw new MalformedSshData("the curve does not match the algorithm")
    const point = from.string()
    if (point[0] !== 4 || point.length !== 1 + 2 * curve.bytes)
      throw new MalformedSshData("the point has the wrong format for its curve")
    ECDH.convertKey(point, curve.openssl) // throws unless the point is on the curve
    const coordinate = (index: number) =>
      point.subarray(1 + index * curve.bytes, 1 + (index + 1) * curve.bytes).toString("base64url")
    return createPublicKey({ format: "jwk", key: { kty: "EC", crv: curve.jwk, x: coordinate(0), y: coordinate(1) } })
  }

/** Parsers for the data after the name of each algorithm. */
const algorithms = {
  "ssh-ed25519": ed25519,
  "ssh-rsa": rsa,
  "ecdsa-sha2-nistp256": ecdsa(nistp256),
  "ecdsa-sha2-nistp384": ecdsa(nistp384),
  "ecdsa-sha2-nistp521": ecdsa(nistp521),
  "sk-ssh-ed25519@openssh.com": ed25519,
  "sk-ecdsa-sha2-nistp256@openssh.com": ecdsa(nistp256)
} as const

export type Algorithm = keyof typeof algorithms

const isAlgorithm = (name: string): name is Algorithm => Object.hasOwn(algorithms, name)

/** Computes the SHA-256 fingerprint of a key in binary form, as printed by `ssh-keygen -l`. */
export const fingerprint = (blob: Uint8Array): string =>
  `SHA256:${createHash("sha256").update(blob).digest("base64").replaceAll("=", "")}`

/** Parses a key in binary form. Fails with a description of the problem. */
export const fromBlob = (blob: Uint8Array, comment = ""): Result.Result<SshKey, string> =>
  Result.try({
    try: () => {
      const from = makeReader(blob)
      const algorithm = from.text()
      if (!isAlgorithm(algorithm))
        throw new MalformedSshData(`unsupported algorithm; use one of ${Object.keys(algorithms).join(", ")}`)
      const publicKey = algorithms[algorithm](from)
      const application = algorithm.startsWith("sk-") ? from.text() : undefined
      from.end()
      return {
        algorithm,
        text: `${algorithm} ${Buffer.from(blob).toString("base64")}`,
        comment,
        fingerprint: fingerprint(blob),
        publicKey,
        ...(application === undefined ? {} : { application })
      }
    },
    catch: (cause) => (cause instanceof MalformedSshData ? cause.message : "the key data is invalid")
  })

/** Parses a line of a public key file, for example `id_ed25519.pub`. Fails with a description of the problem. */
export const parse = (line: string): Result.Result<SshKey, string> => {
  const text = line.trim()
  if (text.length > MAX_LENGTH) return Result.fail(`keys can have at most ${MAX_LENGTH} characters`)
  const [, algorithm = "", base64 = "", comment = ""] = /^(\S+)[ \t]+(\S+)(?:[ \t]([^\r\n]*))?$/.exec(text) ?? []
  const blob = Buffer.from(base64, "base64")
  if (base64 === "" || TrimCharacters.end(blob.toString("base64"), "=") !== TrimCharacters.end(base64, "=")) {
    return Result.fail("expected a public key, for example `ssh-ed25519 AAAA…`")
  }
  return Result.flatMap(fromBlob(blob, comment.trim()), (key) =>
    key.algorithm === algorithm
      ? Result.succeed(key)
      : Result.fail(`the line names ${algorithm}, but the key is ${key.algorithm}`)
  )
}
