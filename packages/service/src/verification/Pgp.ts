/** Reads and verifies PGP keys and signatures. Loads the large library on first use. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Key, Signature, SignaturePacket, Subkey } from "openpgp"
import type { NewPgpKey } from "./KeyRows.ts"
import type { SignedPayload, VerificationResult } from "./VerificationResult.ts"

/** The PGP library could not be loaded. */
export class PgpUnavailable extends Schema.TaggedError<PgpUnavailable>()("PgpUnavailable", { cause: Schema.Unknown }) {}

export const library = Effect.tryPromise({
  try: () => import("openpgp"),
  catch: (cause) => new PgpUnavailable({ cause })
})

/** Accepts old keys without usage flags as signing keys. */
const config = { allowMissingKeyFlags: true }

/** Maximum length of an armored key in characters, because every verification parses the key again. */
const MAX_KEY_LENGTH = 1024 * 1024

/** Maximum numbers of subkeys, and of identities. */
export const MAX_PARTS = 100

/** Maximum number of signatures by the key itself, each of which takes time to check. */
const MAX_OWN_SIGNATURES = 1000

/** True if describing or using the key would take long. */
const isLarge = ({ revocationSignatures, subkeys, users }: Key) => {
  const signatures = [
    revocationSignatures,
    ...users.flatMap((user) => [user.selfCertifications, user.revocationSignatures]),
    ...subkeys.flatMap((subkey) => [subkey.bindingSignatures, subkey.revocationSignatures])
  ]
  const count = signatures.reduce((sum, { length }) => sum + length, 0)
  return subkeys.length > MAX_PARTS || users.length > MAX_PARTS || count > MAX_OWN_SIGNATURES
}

/**
 * Parses one armored public key. Returns `undefined` for other text, a private key, several keys, a key with very many
 * parts, or more than 1 MiB. Fails with `PgpUnavailable`.
 */
export const readKey = Effect.fn("Pgp.readKey")(function* (armored: string) {
  if (armored.length > MAX_KEY_LENGTH) return undefined
  const { readKeys } = yield* library
  const [key, ...others] = yield* Effect.tryPromise(() => readKeys({ armoredKeys: armored, config })).pipe(
    Effect.orElseSucceed(() => [])
  )
  if (key === undefined || others.length > 0 || key.isPrivate() || isLarge(key)) return undefined
  const fingerprint = key.getFingerprint()
  return { fingerprint, keyIds: key.getKeyIDs().map((id) => id.toHex()), armored } satisfies Omit<NewPgpKey, "userId">
})

/** What a key or a subkey says about itself. Times are in milliseconds since 1970. */
export interface PgpKeyPart {
  /** Id of the key, 16 hexadecimal digits. */
  readonly keyId: string
  /** The packet of the public key. */
  readonly packet: Uint8Array
  readonly canSign: boolean
  readonly canCertify: boolean
  readonly canEncryptCommunication: boolean
  readonly canEncryptStorage: boolean
  readonly createdAt: number
  /** Undefined for a key that does not expire. */
  readonly expiresAt: number | undefined
  readonly isRevoked: boolean
}

/** A key with its subkeys and the addresses of its identities. */
export interface PgpKeyDescription {
  readonly primary: PgpKeyPart
  readonly subkeys: ReadonlyArray<PgpKeyPart>
  readonly emails: ReadonlyArray<string>
}

/** Describes an armored key that `readKey` accepts. Fails with `PgpUnavailable`. */
export const describeKey = Effect.fn("Pgp.describeKey")(function* (armored: string) {
  const { enums, PacketList, readKey } = yield* library
  return yield* Effect.promise(async (): Promise<PgpKeyDescription> => {
    const key = await readKey({ armoredKey: armored, config })
    const partOf = async (part: Key | Subkey): Promise<PgpKeyPart> => {
      const isPrimary = !("bindingSignatures" in part)
      const flags = latest(isPrimary ? certifications(key) : part.bindingSignatures)?.keyFlags?.[0]
      // A key without flags may do all, a subkey only encrypt.
      const can = (flag: number, byDefault: boolean) => (flags === undefined ? byDefault : (flags & flag) !== 0)
      const packets = new PacketList<typeof part.keyPacket>()
      packets.push(part.keyPacket)
      const expiresAt = expiry(await part.getExpirationTime())
      return {
        keyId: part.getKeyID().toHex(),
        packet: packets.write(),
        canSign: can(enums.keyFlags.signData, isPrimary),
        canCertify: can(enums.keyFlags.certifyKeys, isPrimary),
        canEncryptCommunication: can(enums.keyFlags.encryptCommunication, true),
        canEncryptStorage: can(enums.keyFlags.encryptStorage, true),
        createdAt: part.getCreationTime().getTime(),
        expiresAt: expiresAt === Infinity ? undefined : expiresAt,
        isRevoked: await (isPrimary ? key.isRevoked() : Promise.resolve(part.revocationSignatures.length > 0))
      }
    }
    const emails = key.users.flatMap(({ userID }) => (userID === null || userID.email === "" ? [] : [userID.email]))
    return {
      primary: await partOf(key),
      subkeys: await Promise.all(key.subkeys.map(partOf)),
      emails: Array.from(new Set(emails))
    }
  })
})

/** A parsed signature. */
export interface PgpSignature {
  readonly packet: SignaturePacket
  /** Id of the signing key or subkey, 16 hexadecimal digits. */
  readonly keyId: string
}

/** Parses an armored signature. Returns `undefined` for a malformed signature. Fails with `PgpUnavailable`. */
export const readSignature = Effect.fn("Pgp.readSignature")(function* (armored: string) {
  const { readSignature } = yield* library
  const read = yield* Effect.option(
    Effect.tryPromise((): Promise<Signature> => readSignature({ armoredSignature: armored, config }))
  )
  const packet = read._tag === "Some" ? read.value.packets[0] : undefined
  return packet === undefined ? undefined : ({ packet, keyId: packet.issuerKeyID.toHex() } satisfies PgpSignature)
})

/** Verifies a signature with the named key. `now` is in milliseconds since 1970. */
export const verify = Effect.fn("Pgp.verify")(function* (
  { keyId, packet }: PgpSignature,
  { armored, since, userId }: { readonly armored: string; readonly since: string; readonly userId: number },
  signed: SignedPayload,
  now: number
) {
  const { createMessage, enums, readKey } = yield* library
  return yield* Effect.tryPromise(async (): Promise<VerificationResult> => {
    const key = await readKey({ armoredKey: armored, config })
    const part = [key, ...key.subkeys].find((one) => one.getKeyID().toHex() === keyId)
    if (part === undefined) return { reason: "unknown_key" }
    const message = await createMessage({ binary: signed.payload })
    const document = message.packets.findPacket(enums.packet.literalData)
    const { signatureType } = packet
    const isOfDocument = signatureType === enums.signature.binary || signatureType === enums.signature.text
    const date = new Date(now)
    const genuine =
      document !== undefined &&
      isOfDocument &&
      (await succeeds(packet.verify(part.keyPacket, signatureType, document, date, true)))
    if (!genuine) return { reason: "invalid" }

    const keyFlags =
      latest("bindingSignatures" in part ? part.bindingSignatures : certifications(key))?.keyFlags ?? undefined
    if (keyFlags !== undefined && ((keyFlags[0] ?? 0) & enums.keyFlags.signData) === 0)
      return { reason: "not_signing_key" }
    const until = Math.min(expiry(await key.getExpirationTime()), expiry(await part.getExpirationTime()))
    if (until <= now) return { reason: "expired_key" }
    // Rejects revoked keys, and subkeys without a valid binding signature.
    if (!(await succeeds(key.getSigningKey(part.getKeyID(), date)))) return { reason: "invalid" }

    const isIdentity = key.users.some(({ userID }) => userID?.email.toLowerCase() === signed.email.toLowerCase())
    if (!isIdentity || !signed.holders.includes(userId)) return { reason: "bad_email" }
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

/**
 * Converts an expiry to milliseconds since 1970. The expiry is `null` for a key without certification, which is
 * rejected later.
 */
const expiry = (time: Date | number | null): number => (time === null ? Infinity : Number(time))
