/** Reason of a verification result (spec part 2 §2.3). */
export type VerificationReason =
  | "expired_key"
  | "not_signing_key"
  | "gpgverify_error"
  | "gpgverify_unavailable"
  | "unsigned"
  | "unknown_signature_type"
  | "no_user"
  | "unverified_email"
  | "bad_email"
  | "unknown_key"
  | "malformed_signature"
  | "invalid"
  | "valid"

/** Result of verifying a signature. */
export interface VerificationResult {
  readonly reason: VerificationReason
  /** When the key was registered, where the reason is `valid`. */
  readonly keySince?: string
  /** Milliseconds since 1970 at which the key, and therefore the result, expires. */
  readonly until?: number
}

/** The signed content and its claimed author. */
export interface SignedPayload {
  readonly payload: Uint8Array
  /** E-mail address of the committer or tagger. */
  readonly email: string
  /** Accounts that have verified the address. */
  readonly holders: ReadonlyArray<number>
}
