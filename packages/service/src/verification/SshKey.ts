/** Public SSH keys: what people paste, read and checked (RFC 4253 §6.6, RFC 5656, RFC 8709, OpenSSH's PROTOCOL.u2f). */
import { createHash, createPublicKey, ECDH, type KeyObject } from "node:crypto"
import * as Result from "effect/Result"
import * as TrimCharacters from "../base/TrimCharacters.ts"
import { MalformedSshData, type Reader, reader, unsigned } from "./SshEncoding.ts"

export interface SshKey {
  readonly algorithm: Algorithm
  /** As it is kept and shown: `<algorithm> <base64>`, without the comment. */
  readonly text: string
  readonly comment: string
  /** `SHA256:…`, as `ssh-keygen -l` prints it; the same for the same key. */
  readonly fingerprint: string
  readonly publicKey: KeyObject
  /** Of a key in a hardware token: what it vouches for, as `ssh:`. */
  readonly application?: string
}

/** RSA keys with fewer bits are refused, as are those so large that checking a signature would take long. */
const minRsaBits = 2048
const maxRsaBits = 16_384

/** The largest exponent, in bits, that OpenSSL takes with every size of key. It is 17 bits in practice. */
const maxExponentBits = 64

/** Characters of a key that is read at all. */
const maxLength = 16 * 1024

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
  if (x.length !== 32) throw new MalformedSshData("an Ed25519 key has 32 bytes")
  return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x: x.toString("base64url") } })
}

const bitsOf = (number: Buffer): number =>
  number.length === 0 ? 0 : number.length * 8 - Math.clz32(number[0] ?? 0) + 24
const isOdd = (number: Buffer): boolean => ((number.at(-1) ?? 0) & 1) === 1

const rsa = (from: Reader): KeyObject => {
  const e = unsigned(from.string())
  const n = unsigned(from.string())
  const bits = bitsOf(n)
  if (bits < minRsaBits) throw new MalformedSshData(`it has ${bits} bits; RSA keys need at least ${minRsaBits}`)
  if (bits > maxRsaBits) throw new MalformedSshData(`it has ${bits} bits; RSA keys have at most ${maxRsaBits}`)
  if (bitsOf(e) > maxExponentBits) throw new MalformedSshData(`its exponent has more than ${maxExponentBits} bits`)
  if (bitsOf(e) < 2 || !isOdd(e) || !isOdd(n)) throw new MalformedSshData("its numbers make no key")
  return createPublicKey({
    format: "jwk",
    key: { kty: "RSA", n: n.toString("base64url"), e: e.toString("base64url") }
  })
}

const ecdsa =
  (curve: Curve) =>
  (from: Reader): KeyObject => {
    if (from.text() !== curve.name) throw new MalformedSshData("the curve is not the one of the algorithm")
    const point = from.string()
    if (point[0] !== 4 || point.length !== 1 + 2 * curve.bytes)
      throw new MalformedSshData("the point is not one of the curve")
    ECDH.convertKey(point, curve.openssl) // throws unless the point is on the curve
    const coordinate = (index: number) =>
      point.subarray(1 + index * curve.bytes, 1 + (index + 1) * curve.bytes).toString("base64url")
    return createPublicKey({ format: "jwk", key: { kty: "EC", crv: curve.jwk, x: coordinate(0), y: coordinate(1) } })
  }

/** How the rest of a key of each algorithm reads, after the algorithm's name. */
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

export const fingerprint = (blob: Uint8Array): string =>
  `SHA256:${createHash("sha256").update(blob).digest("base64").replaceAll("=", "")}`

/** The key of its binary form. */
export const fromBlob = (blob: Uint8Array, comment = ""): Result.Result<SshKey, string> =>
  Result.try({
    try: () => {
      const from = reader(blob)
      const algorithm = from.text()
      if (!isAlgorithm(algorithm))
        throw new MalformedSshData(`its algorithm is none of ${Object.keys(algorithms).join(", ")}`)
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
    catch: (cause) => (cause instanceof MalformedSshData ? cause.message : "its numbers make no key")
  })

/** The key of a line as in `id_ed25519.pub`; else what is wrong with it, in words. */
export const parse = (line: string): Result.Result<SshKey, string> => {
  const text = line.trim()
  if (text.length > maxLength) return Result.fail("it is too long")
  const [, algorithm = "", base64 = "", comment = ""] = /^(\S+)[ \t]+(\S+)(?:[ \t]([^\r\n]*))?$/.exec(text) ?? []
  const blob = Buffer.from(base64, "base64")
  if (base64 === "" || TrimCharacters.end(blob.toString("base64"), "=") !== TrimCharacters.end(base64, "=")) {
    return Result.fail("it is not a public key as `ssh-ed25519 AAAA…`")
  }
  return Result.flatMap(fromBlob(blob, comment.trim()), (key) =>
    key.algorithm === algorithm
      ? Result.succeed(key)
      : Result.fail(`it says ${algorithm} and is a key of ${key.algorithm}`)
  )
}
