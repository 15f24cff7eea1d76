/** Verifies signatures of commits and tags with the registered keys of accounts, and with the key of the forge. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Verification } from "@tongs/core/contract/groups/GitCommits"
import type { Person, Signature } from "../git/values/GitObject.ts"
import { LruCache } from "../base/LruCache.ts"
import { timestamp } from "../base/Time.ts"
import { type EmailHolder, EmailRows } from "../accounts/EmailRows.ts"
import { CommitSigning } from "./CommitSigning.ts"
import { KeyRows } from "./KeyRows.ts"
import type { SignedPayload, VerificationResult } from "./VerificationResult.ts"
import * as Pgp from "./Pgp.ts"
import * as SshSignature from "./SshSignature.ts"

/** A commit or an annotated tag, signed or not. */
export interface SignedObject {
  readonly oid: string
  readonly signature?: Signature | undefined
  /** The committer or tagger. */
  readonly signer?: Person | undefined
}

/** Maximum length of a signature in characters, and maximum size of the signed payload in bytes. */
const MAX_SIGNATURE_LENGTH = 64 * 1024
const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024

/** Maximum number of cached results. */
const MAX_OUTCOMES = 20_000

const unsigned: Verification = {
  verified: false,
  reason: "unsigned",
  signature: null,
  payload: null,
  verified_at: null
}

/** Verifies signatures and caches the results. */
export class Verifier extends Context.Service<
  Verifier,
  {
    /** Verifies the signature of a commit or tag. Cheap for unsigned objects; repeated calls use the cache. */
    verify(signed: SignedObject): Effect.Effect<Verification>
  }
>()("@tongs/service/verification/Verifier") {
  static readonly layer = Layer.effect(
    Verifier,
    Effect.gen(function* () {
      const emails = yield* EmailRows
      const keys = yield* KeyRows
      const signing = yield* CommitSigning
      // A cache key consists of the revision of `KeyRows` and the object id. The object id determines the signature,
      // the payload and the e-mail address.
      const results = new LruCache<VerificationResult>(MAX_OUTCOMES)
      // Results of signatures by the key of the forge, by object id; null for signatures by other keys.
      const forgeResults = new LruCache<VerificationResult | null>(MAX_OUTCOMES)

      const verifySsh = Effect.fnUntraced(function* (
        armored: string,
        holders: Holders,
        signed: Omit<SignedPayload, "holders">
      ) {
        const parsed = SshSignature.parse(armored)
        if (Result.isFailure(parsed)) return malformed
        const accounts = verifiedHolders(holders)
        if (typeof accounts === "string") return { reason: accounts }
        const signers = (yield* keys.signers(parsed.success.key.fingerprint)).filter(({ verified }) => verified === 1)
        if (signers.length === 0) return unknownKey
        if (!SshSignature.verify(parsed.success, signed.payload)) return invalid
        // SSH keys contain no addresses, so the addresses of the account count.
        const signer = signers.find(({ user_id }) => accounts.includes(user_id))
        return signer === undefined ? badEmail : valid(signer.created_at)
      })

      const verifyPgp = Effect.fnUntraced(function* (
        armored: string,
        holders: Holders,
        signed: Omit<SignedPayload, "holders">
      ) {
        const signature = yield* Pgp.readSignature(armored)
        if (signature === undefined) return malformed
        const accounts = verifiedHolders(holders)
        if (typeof accounts === "string") return { reason: accounts }
        const now = yield* Clock.currentTimeMillis
        let outcome: VerificationResult = unknownKey
        for (const row of yield* keys.pgpByKeyId(signature.keyId)) {
          const key = { armored: row.armored, since: row.created_at, userId: row.user_id }
          outcome = yield* Pgp.verify(signature, key, { ...signed, holders: accounts }, now)
          if (outcome.reason === "valid") break
        }
        return outcome
      })

      /**
       * Verifies a signature by the key of the forge, which vouches for the committer: addresses and keys of accounts do
       * not count. Null for a signature by another key.
       */
      const verifyForge = Effect.fnUntraced(
        function* (oid: string, signature: Signature) {
          const known = forgeResults.get(oid)
          if (known !== undefined) return known
          if (signature.signature.length > MAX_SIGNATURE_LENGTH || kindOf(signature) !== "PGP") return null
          const key = yield* signing.key
          if (key === undefined) return null
          const parsed = yield* Pgp.readSignature(signature.signature)
          const payload = payloadOf(signature)
          const result =
            parsed?.keyId !== key.keyId
              ? null
              : payload.length > MAX_PAYLOAD_BYTES
                ? tooLarge
                : (yield* key.verify(parsed, payload))
                  ? valid(timestamp(key.createdAt))
                  : invalid
          forgeResults.set(oid, result)
          return result
        },
        // Without the key, only the keys of accounts count. `check` reports a missing library.
        Effect.orElseSucceed(() => null)
      )

      const check = Effect.fnUntraced(function* (signature: Signature, email: string) {
        const armored = signature.signature
        if (armored.length > MAX_SIGNATURE_LENGTH) return malformed
        const signed = { payload: payloadOf(signature), email }
        if (signed.payload.length > MAX_PAYLOAD_BYTES) return tooLarge
        const holders = yield* emails.holders(email)
        switch (kindOf(signature)) {
          case "SSH":
            return yield* verifySsh(armored, holders, signed)
          case "PGP":
            return yield* verifyPgp(armored, holders, signed)
          default:
            return { reason: "unknown_signature_type" } as const
        }
      })

      const outcomeOf = Effect.fnUntraced(function* (oid: string, signature: Signature, email: string) {
        const byForge = yield* verifyForge(oid, signature)
        if (byForge !== null) return byForge
        const key = `${yield* keys.revision}\0${oid}`
        const cached = results.get(key)
        if (cached !== undefined && (cached.until ?? Infinity) > (yield* Clock.currentTimeMillis)) return cached
        const outcome = yield* check(signature, email).pipe(
          Effect.catch((error) =>
            Effect.succeed<VerificationResult>({
              reason: error._tag === "PgpUnavailable" ? "gpgverify_unavailable" : "gpgverify_error"
            })
          )
        )
        // Does not cache failures that are unrelated to the signature.
        if (!outcome.reason.startsWith("gpgverify")) results.set(key, outcome)
        return outcome
      })

      const verifySigned = Effect.fnUntraced(function* (oid: string, signature: Signature, signer: Person | undefined) {
        const { keySince, reason } = yield* outcomeOf(oid, signature, signer?.email ?? "")
        const signedAt = timestamp((signer?.seconds ?? 0) * 1000)
        const verification: Verification = {
          verified: reason === "valid",
          reason,
          signature: signature.signature,
          payload: signature.payload,
          // The earliest time at which both the signature and the registered key existed.
          verified_at: keySince === undefined ? null : signedAt > keySince ? signedAt : keySince
        }
        return verification
      })

      return Verifier.of({
        verify: ({ oid, signature, signer }) =>
          signature === undefined ? Effect.succeed(unsigned) : verifySigned(oid, signature, signer)
      })
    })
  )
}

const kindOf = ({ signature }: Signature) =>
  /^-----BEGIN (PGP|SSH) (?:SIGNATURE|MESSAGE)-----/.exec(signature.trimStart())?.[1]

const payloadOf = ({ bytes, payload }: Signature) => bytes ?? Buffer.from(payload)

type Holders = ReadonlyArray<EmailHolder>

/** Returns the accounts that have verified the address, or the reason why none has. */
const verifiedHolders = (holders: Holders): ReadonlyArray<number> | "no_user" | "unverified_email" => {
  if (holders.length === 0) return "no_user"
  const verified = holders.flatMap(({ user_id, verified }) => (verified === 1 ? [user_id] : []))
  return verified.length === 0 ? "unverified_email" : verified
}

const valid = (keySince: string): VerificationResult => ({ reason: "valid", keySince })
const malformed: VerificationResult = { reason: "malformed_signature" }
const tooLarge: VerificationResult = { reason: "gpgverify_error" }
const unknownKey: VerificationResult = { reason: "unknown_key" }
const invalid: VerificationResult = { reason: "invalid" }
const badEmail: VerificationResult = { reason: "bad_email" }
