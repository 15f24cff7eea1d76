/** A PGP key pair of the forge, which signs and verifies. Loads the large library on first use. */
import * as Effect from "effect/Effect"
import * as Pgp from "./Pgp.ts"

export interface PgpKeyPair {
  /** Id of the key, 16 hexadecimal digits. */
  readonly keyId: string
  /** The armored public key. */
  readonly publicKey: string
  /** Time of creation in milliseconds since 1970. */
  readonly createdAt: number
  /** Returns an armored signature. `now` is in milliseconds since 1970. */
  readonly sign: (payload: Uint8Array, now: number) => Effect.Effect<string>
  /** True if this key made the signature of the payload, at any time. */
  readonly verify: (signature: Pgp.PgpSignature, payload: Uint8Array) => Effect.Effect<boolean>
}

/** Identity of the key. Nobody can verify an address at `localhost`. */
const identity = { name: "Tongs", email: "tongs@localhost" }

/** Generates a key pair, and returns the armored private key, which has no passphrase. Fails with `PgpUnavailable`. */
export const generate = Effect.fn("PgpKeyPair.generate")(function* (now: number) {
  const { generateKey } = yield* Pgp.library
  const { privateKey } = yield* Effect.promise(() =>
    // The Ed25519 format that gpg also supports. Without subkeys, because the key only signs.
    generateKey({ type: "ecc", curve: "ed25519Legacy", userIDs: identity, subkeys: [], date: new Date(now) })
  )
  return privateKey
})

/** Opens an armored private key. Returns `undefined` for other text. Fails with `PgpUnavailable`. */
export const open = Effect.fn("PgpKeyPair.open")(function* (armored: string) {
  const { createMessage, enums, readPrivateKey, sign } = yield* Pgp.library
  const key = yield* Effect.orElseSucceed(
    Effect.tryPromise(() => readPrivateKey({ armoredKey: armored })),
    () => undefined
  )
  if (key === undefined || !key.isDecrypted()) return undefined
  const createdAt = key.getCreationTime().getTime()
  return {
    keyId: key.getKeyID().toHex(),
    publicKey: key.toPublic().armor(),
    createdAt,
    sign: (payload, now) =>
      Effect.promise(async () =>
        sign({
          message: await createMessage({ binary: payload }),
          signingKeys: key,
          detached: true,
          // The library refuses to sign before the key was created, for example after a change of the clock.
          date: new Date(Math.max(now, createdAt))
        })
      ),
    verify: ({ packet }, payload) =>
      Effect.promise(async () => {
        const { binary } = enums.signature
        const message = await createMessage({ binary: payload })
        const document = message.packets.findPacket(enums.packet.literalData)
        if (document === undefined || packet.signatureType !== binary) return false
        // The clocks of the forges that share the key can differ, so the time of the signature counts.
        const date = packet.created ?? undefined
        return packet.verify(key.keyPacket, binary, document, date, true).then(
          () => true,
          () => false
        )
      })
  } satisfies PgpKeyPair
})
