/** Parses and verifies SSH signatures of git, made with `ssh-keygen -Y sign -n git` (OpenSSH's PROTOCOL.sshsig). */
import { createHash, type KeyObject, verify as cryptoVerify } from "node:crypto"
import * as Result from "effect/Result"
import type { Algorithm, SshKey } from "./SshKey.ts"
import * as SshKeys from "./SshKey.ts"
import { MalformedSshData, makeReader, string, unsigned } from "./SshEncoding.ts"

/** A parsed signature. */
export interface SshSignature {
  readonly key: SshKey
  readonly namespace: string
  readonly hash: "sha256" | "sha512"
  /** The part of the signed data that precedes the digest of the message. */
  readonly preamble: Buffer
  readonly algorithm: string
  readonly value: Buffer
  /** Flags and counter of a hardware security key, which are part of the signed data. Empty for other keys. */
  readonly token: Buffer
}

const MAGIC_PREAMBLE = "SSHSIG"

/**
 * Matches an armored signature. Adjacent parts have no common character, which prevents quadratic time on bad input.
 */
const armor = /^-----BEGIN SSH SIGNATURE-----\s([A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----$/

/** Parses an armored signature. Fails with a description of a malformed signature or an unsupported key. */
export const parse = (armored: string): Result.Result<SshSignature, string> =>
  Result.gen(function* () {
    const base64 = armor.exec(armored.trim())?.[1]
    if (base64 === undefined) return yield* Result.fail("the signature is not armored")
    const parts = yield* Result.try({
      try: () => read(Buffer.from(base64, "base64")),
      catch: (cause) => (cause instanceof MalformedSshData ? cause.message : String(cause))
    })
    return { ...parts, key: yield* SshKeys.fromBlob(parts.blob) }
  })

const read = (bytes: Buffer) => {
  const from = makeReader(bytes)
  if (from.bytes(MAGIC_PREAMBLE.length).toString("latin1") !== MAGIC_PREAMBLE)
    throw new MalformedSshData("the data does not start with SSHSIG")
  if (from.uint32() !== 1) throw new MalformedSshData("the version is not 1")
  const blob = from.string()
  const namespace = from.string()
  const reserved = from.string()
  const hash = from.text()
  if (hash !== "sha256" && hash !== "sha512") throw new MalformedSshData("the hash algorithm is not sha256 or sha512")
  const signature = makeReader(from.string())
  from.end()
  const algorithm = signature.text()
  const value = signature.string()
  const token = algorithm.startsWith("sk-") ? signature.bytes(5) : Buffer.alloc(0)
  signature.end()
  const preamble = Buffer.concat([Buffer.from(MAGIC_PREAMBLE), string(namespace), string(reserved), string(hash)])
  return { blob, namespace: namespace.toString("latin1"), hash, preamble, algorithm, value, token } as const
}

/** True if the signature matches the message and was made in the `git` namespace. */
export const verify = (signature: SshSignature, message: Uint8Array): boolean => {
  if (signature.namespace !== "git") return false
  const digest = createHash(signature.hash).update(message).digest()
  const signed = Buffer.concat([signature.preamble, string(digest)])
  try {
    return checks[signature.key.algorithm](signature, signed)
  } catch {
    // The signature value is malformed or out of range.
    return false
  }
}

type SignatureCheck = (signature: SshSignature, signed: Buffer) => boolean

/** Digest of each RSA signature algorithm. SHA-1 (`ssh-rsa`) is not accepted. */
const rsaDigests: Readonly<Record<string, string>> = { "rsa-sha2-256": "sha256", "rsa-sha2-512": "sha512" }

const rsa: SignatureCheck = ({ algorithm, key, value }, signed) => {
  const digest = rsaDigests[algorithm]
  return digest !== undefined && cryptoVerify(digest, signed, key.publicKey, value)
}

const ed25519: SignatureCheck = ({ algorithm, key, value }, signed) =>
  algorithm === key.algorithm && cryptoVerify(null, signed, key.publicKey, value)

const ecdsaOf = (digest: string, bytes: number, key: KeyObject, value: Buffer, signed: Buffer) => {
  const numbers = makeReader(value)
  const [r, s] = [unsigned(numbers.string()), unsigned(numbers.string())]
  numbers.end()
  if (r.length > bytes || s.length > bytes) return false
  const padded = Buffer.concat([r, s].map((number) => Buffer.concat([Buffer.alloc(bytes - number.length), number])))
  return cryptoVerify(digest, signed, { key, dsaEncoding: "ieee-p1363" }, padded)
}

const ecdsa =
  (digest: string, bytes: number): SignatureCheck =>
  ({ algorithm, key, value }, signed) =>
    algorithm === key.algorithm && ecdsaOf(digest, bytes, key.publicKey, value, signed)

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest()

/** Returns the data that a hardware security key signs: application, flags, counter and digest. */
const securityKeyPayload = ({ key, token }: SshSignature, signed: Buffer) =>
  Buffer.concat([sha256(Buffer.from(key.application ?? "", "latin1")), token, sha256(signed)])

/** True if the signature has the user-presence flag of a hardware security key. */
const isUserPresent = ({ token }: SshSignature) => ((token[0] ?? 0) & 1) === 1

const checks: Readonly<Record<Algorithm, SignatureCheck>> = {
  "ssh-ed25519": ed25519,
  "ssh-rsa": rsa,
  "ecdsa-sha2-nistp256": ecdsa("sha256", 32),
  "ecdsa-sha2-nistp384": ecdsa("sha384", 48),
  "ecdsa-sha2-nistp521": ecdsa("sha512", 66),
  "sk-ssh-ed25519@openssh.com": (signature, signed) =>
    isUserPresent(signature) && ed25519(signature, securityKeyPayload(signature, signed)),
  "sk-ecdsa-sha2-nistp256@openssh.com": (signature, signed) =>
    isUserPresent(signature) && ecdsa("sha256", 32)(signature, securityKeyPayload(signature, signed))
}
