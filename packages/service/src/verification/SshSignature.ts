/** Signatures made with SSH keys, as git has them: `ssh-keygen -Y sign -n git` (OpenSSH's PROTOCOL.sshsig). */
import { createHash, type KeyObject, verify as cryptoVerify } from "node:crypto"
import * as Result from "effect/Result"
import type { Algorithm, SshKey } from "./SshKey.ts"
import * as SshKeys from "./SshKey.ts"
import { MalformedSshData, reader, string, unsigned } from "./SshEncoding.ts"

export interface SshSignature {
  readonly key: SshKey
  readonly namespace: string
  readonly hash: "sha256" | "sha512"
  /** What was signed, but for the digest of the message. */
  readonly preamble: Buffer
  readonly algorithm: string
  readonly value: Buffer
  /** Of a key in a hardware token: flags and counter, which are signed too. */
  readonly token: Buffer
}

const magicPreamble = "SSHSIG"

/** No two parts of it in a row match the same character: hostile text would take quadratic time. */
const armor = /^-----BEGIN SSH SIGNATURE-----\s([A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----$/

/** Nothing where it is none, or a key's algorithm is none of ours. */
export const parse = (armored: string): Result.Result<SshSignature, string> =>
  Result.gen(function* () {
    const base64 = armor.exec(armored.trim())?.[1]
    if (base64 === undefined) return yield* Result.fail("it is not armored")
    const parts = yield* Result.try({
      try: () => read(Buffer.from(base64, "base64")),
      catch: (cause) => (cause instanceof MalformedSshData ? cause.message : String(cause))
    })
    return { ...parts, key: yield* SshKeys.fromBlob(parts.blob) }
  })

const read = (bytes: Buffer) => {
  const from = reader(bytes)
  if (from.bytes(magicPreamble.length).toString("latin1") !== magicPreamble)
    throw new MalformedSshData("it does not begin as one")
  if (from.uint32() !== 1) throw new MalformedSshData("it is of another version")
  const blob = from.string()
  const namespace = from.string()
  const reserved = from.string()
  const hash = from.text()
  if (hash !== "sha256" && hash !== "sha512") throw new MalformedSshData("its digest is unknown")
  const signature = reader(from.string())
  from.end()
  const algorithm = signature.text()
  const value = signature.string()
  const token = algorithm.startsWith("sk-") ? signature.bytes(5) : Buffer.alloc(0)
  signature.end()
  const preamble = Buffer.concat([Buffer.from(magicPreamble), string(namespace), string(reserved), string(hash)])
  return { blob, namespace: namespace.toString("latin1"), hash, preamble, algorithm, value, token } as const
}

/** Whether it is the key's signature of these bytes, made for git. */
export const verify = (signature: SshSignature, message: Uint8Array): boolean => {
  if (signature.namespace !== "git") return false
  const digest = createHash(signature.hash).update(message).digest()
  const signed = Buffer.concat([signature.preamble, string(digest)])
  try {
    return checks[signature.key.algorithm](signature, signed)
  } catch {
    // Numbers that are none of the curve, or no numbers at all.
    return false
  }
}

type SignatureCheck = (signature: SshSignature, signed: Buffer) => boolean

/** SHA-1 signatures (`ssh-rsa`) do not count. */
const rsaDigests: Readonly<Record<string, string>> = { "rsa-sha2-256": "sha256", "rsa-sha2-512": "sha512" }

const rsa: SignatureCheck = ({ algorithm, key, value }, signed) => {
  const digest = rsaDigests[algorithm]
  return digest !== undefined && cryptoVerify(digest, signed, key.publicKey, value)
}

const ed25519: SignatureCheck = ({ algorithm, key, value }, signed) =>
  algorithm === key.algorithm && cryptoVerify(null, signed, key.publicKey, value)

const ecdsaOf = (digest: string, bytes: number, key: KeyObject, value: Buffer, signed: Buffer) => {
  const numbers = reader(value)
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

/** A hardware token signs what it is for, whether it was touched, how often it was used, and the digest. */
const securityKeyPayload = ({ key, token }: SshSignature, signed: Buffer) =>
  Buffer.concat([sha256(Buffer.from(key.application ?? "", "latin1")), token, sha256(signed)])

/** The bit of a token's flags that says that somebody touched it. */
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
