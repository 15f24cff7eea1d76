/** PGP keys and signatures. The library is large, and loaded when the first of them is seen. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Key, Signature, SignaturePacket } from "openpgp"
import type { NewPgpKey } from "./KeyRows.ts"
import type { SignedPayload, VerificationResult } from "./VerificationResult.ts"

/** The library could not be loaded. */
export class PgpUnavailable extends Schema.TaggedError<PgpUnavailable>()("PgpUnavailable", { cause: Schema.Unknown }) {}

const library = Effect.tryPromise({ try: () => import("openpgp"), catch: (cause) => new PgpUnavailable({ cause }) })

/** Keys made before usage flags were common have none, and could sign. */
const config = { allowMissingKeyFlags: true }

/** Characters of an armored key that is read at all: verification reads it again for each signature. */
const maxKeyLength = 1024 * 1024

/** Stored facts of one armored public key. Undefined for other text, for several keys, and for a key that is too large. */
export const readKey = Effect.fn("Pgp.readKey")(function* (armored: string) {
  if (armored.length > maxKeyLength) return undefined
  const { readKeys } = yield* library
  const [key, ...others] = yield* Effect.tryPromise(() => readKeys({ armoredKeys: armored, config })).pipe(
    Effect.orElseSucceed(() => [])
  )
  if (key === undefined || others.length > 0 || key.isPrivate()) return undefined
  const fingerprint = key.getFingerprint()
  return { fingerprint, keyIds: key.getKeyIDs().map((id) => id.toHex()), armored } satisfies Omit<NewPgpKey, "userId">
})

export interface PgpSignature {
  readonly packet: SignaturePacket
  /** Of the key or subkey that made it, 16 hexadecimal digits. */
  readonly keyId: string
}

/** Nothing where it cannot be parsed. */
export const readSignature = Effect.fn("Pgp.readSignature")(function* (armored: string) {
  const { readSignature } = yield* library
  const read = yield* Effect.option(
    Effect.tryPromise((): Promise<Signature> => readSignature({ armoredSignature: armored, config }))
  )
  const packet = read._tag === "Some" ? read.value.packets[0] : undefined
  return packet === undefined ? undefined : ({ packet, keyId: packet.issuerKeyID.toHex() } satisfies PgpSignature)
})

/** Checks a signature against the key that it names. `now` in epoch milliseconds. */
export const verify = Effect.fn("Pgp.verify")(function* (
  { keyId, packet }: PgpSignature,
  { armored, since, userId }: { readonly armored: string; readonly since: string; readonly userId: number },
  claim: SignedPayload,
  now: number
) {
  const { createMessage, enums, readKey } = yield* library
  return yield* Effect.tryPromise(async (): Promise<VerificationResult> => {
    const key = await readKey({ armoredKey: armored, config })
    const part = [key, ...key.subkeys].find((one) => one.getKeyID().toHex() === keyId)
    if (part === undefined) return { reason: "unknown_key" }
    const message = await createMessage({ binary: claim.payload })
    const document = message.packets.findPacket(enums.packet.literalData)
    const { signatureType } = packet
    const isOfDocument = signatureType === enums.signature.binary || signatureType === enums.signature.text
    const date = new Date(now)
    const genuine =
      document !== undefined &&
      isOfDocument &&
      (await succeeds(packet.verify(part.keyPacket, signatureType, document, date, true)))
    if (!genuine) return { reason: "invalid" }

    const said =
      latest("bindingSignatures" in part ? part.bindingSignatures : certifications(key))?.keyFlags ?? undefined
    if (said !== undefined && ((said[0] ?? 0) & enums.keyFlags.signData) === 0) return { reason: "not_signing_key" }
    const until = Math.min(expiry(await key.getExpirationTime()), expiry(await part.getExpirationTime()))
    if (until <= now) return { reason: "expired_key" }
    // Revoked keys, and parts that the key itself does not vouch for.
    if (!(await succeeds(key.getSigningKey(part.getKeyID(), date)))) return { reason: "invalid" }

    const isIdentity = key.users.some(({ userID }) => userID?.email.toLowerCase() === claim.email.toLowerCase())
    if (!isIdentity || !claim.holders.includes(userId)) return { reason: "bad_email" }
    return { reason: "valid", keySince: since, ...(until === Infinity ? {} : { until }) }
  })
})

const succeeds = (promise: Promise<unknown>) =>
  promise.then(
    () => true,
    () => false
  )

const latest = (signatures: ReadonlyArray<SignaturePacket>) =>
  signatures.toSorted((one, other) => Number(other.created) - Number(one.created))[0]

const certifications = (key: Key) => key.users.flatMap(({ selfCertifications }) => selfCertifications)

/** Epoch milliseconds; of a key that was never certified, none is needed: it is refused after. */
const expiry = (time: Date | number | null): number => (time === null ? Infinity : Number(time))
