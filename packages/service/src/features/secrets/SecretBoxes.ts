/**
 * The keys of sealed boxes (libsodium's `crypto_box_seal`: X25519, XSalsa20 and Poly1305) in which clients send secrets.
 * Each owner has a key pair of its own, derived from a file that only the owner of the forge can read.
 */
import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hash,
  hkdfSync,
  type KeyObject
} from "node:crypto"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PrivateFile from "../../storage/PrivateFile.ts"
import type { ValueOwner } from "./ValueRows.ts"

const KEY_BYTES = 32
const NONCE_BYTES = 24
const TAG_BYTES = 16
/** Bytes of a sealed box besides the text: the sender's public key and the tag. */
export const OVERHEAD = KEY_BYTES + TAG_BYTES

/** Bytes before the key in the DER encodings of X25519 keys. */
const pkcs8Prefix = Buffer.from("302e020100300506032b656e04220420", "hex")
const spkiPrefix = Buffer.from("302a300506032b656e032100", "hex")

/** The public key of an owner, in Base64. */
export interface PublicKey {
  readonly keyId: string
  readonly key: string
}

export class SecretBoxes extends Context.Service<
  SecretBoxes,
  {
    readonly publicKey: (owner: ValueOwner) => Effect.Effect<PublicKey>
    /** Returns whether a box opens with the key of the owner. */
    readonly opens: (owner: ValueOwner, box: Uint8Array) => Effect.Effect<boolean>
  }
>()("@tongs/service/features/secrets/SecretBoxes") {
  /** Creates the key file with the first request for a key. */
  static readonly layer = (data: string) =>
    Layer.effect(
      SecretBoxes,
      Effect.gen(function* () {
        const root = yield* Effect.cached(Effect.orDie(PrivateFile.key(join(data, "secrets.key"))))
        const pairOf = (owner: ValueOwner) => Effect.map(root, (key) => keyPair(key, owner))
        return SecretBoxes.of({
          publicKey: (owner) =>
            Effect.map(pairOf(owner), ({ publicBytes }) => ({
              keyId: keyIdOf(publicBytes),
              key: publicBytes.toString("base64")
            })),
          opens: (owner, box) =>
            Effect.flatMap(pairOf(owner), (pair) => Effect.map(ciphers, (loaded) => opens(loaded, pair, box)))
        })
      })
    )
}

interface KeyPair {
  readonly privateKey: KeyObject
  readonly publicBytes: Buffer
}

const keyPair = (root: Buffer, { id, kind }: ValueOwner): KeyPair => {
  const seed = Buffer.from(hkdfSync("sha256", root, "", `${kind} ${id}`, KEY_BYTES))
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: "der", type: "pkcs8" })
  const publicKey = createPublicKey(privateKey).export({ format: "der", type: "spki" })
  return { privateKey, publicBytes: publicKey.subarray(spkiPrefix.length) }
}

/** Returns the id of a public key: digits, as on GitHub. */
const keyIdOf = (publicBytes: Buffer) => hash("sha256", publicBytes, "buffer").readBigUInt64BE().toString()

/** The ciphers that Node lacks, loaded with the first secret. */
const ciphers = Effect.promise(async () => {
  const [{ blake2b }, { hsalsa, secretbox }] = await Promise.all([
    import("@noble/hashes/blake2.js"),
    import("@noble/ciphers/salsa.js")
  ])
  return { blake2b, hsalsa, secretbox }
})

/** `expand 32-byte k`, the constant of Salsa20. */
const sigma = new Uint32Array([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574])

const words = (bytes: Uint8Array) => {
  const copy = Buffer.from(bytes)
  return Uint32Array.from({ length: copy.length / 4 }, (_, index) => copy.readUInt32LE(index * 4))
}

const bytes = (numbers: Uint32Array) => {
  const buffer = Buffer.alloc(numbers.length * 4)
  for (const [index, number] of numbers.entries()) buffer.writeUInt32LE(number, index * 4)
  return buffer
}

type Ciphers = Effect.Success<typeof ciphers>

/** Returns the cipher of a box from `sender` for `recipient`. Throws for an invalid public key. */
const cipher = (
  { blake2b, hsalsa, secretbox }: Ciphers,
  privateKey: KeyObject,
  [other, sender, recipient]: readonly [other: Uint8Array, sender: Uint8Array, recipient: Uint8Array]
) => {
  const publicKey = createPublicKey({ key: Buffer.concat([spkiPrefix, other]), format: "der", type: "spki" })
  const key = new Uint32Array(KEY_BYTES / 4)
  hsalsa(sigma, words(diffieHellman({ privateKey, publicKey })), new Uint32Array(4), key)
  return secretbox(bytes(key), blake2b(Buffer.concat([sender, recipient]), { dkLen: NONCE_BYTES }))
}

const opens = (loaded: Ciphers, { privateKey, publicBytes }: KeyPair, box: Uint8Array): boolean => {
  if (box.length < OVERHEAD) return false
  const sender = box.subarray(0, KEY_BYTES)
  try {
    // The text is not needed, and leaves memory at once.
    cipher(loaded, privateKey, [sender, sender, publicBytes]).open(box.subarray(KEY_BYTES)).fill(0)
    return true
  } catch {
    return false
  }
}

/** Seals a text for a public key, as clients do. Both the key and the box are Base64. */
export const seal = (key: string, text: string): Effect.Effect<string> =>
  Effect.map(ciphers, (loaded) => {
    const recipient = Buffer.from(key, "base64")
    const { privateKey, publicKey } = generateKeyPairSync("x25519")
    const sender = publicKey.export({ format: "der", type: "spki" }).subarray(spkiPrefix.length)
    const box = cipher(loaded, privateKey, [recipient, sender, recipient]).seal(Buffer.from(text))
    return Buffer.concat([sender, box]).toString("base64")
  })
