/** What comes of checking a signature (spec part 2 §2.3). */
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

export interface VerificationResult {
  readonly reason: VerificationReason
  /** When the key was registered, where the reason is `valid`. */
  readonly keySince?: string
  /** Epoch milliseconds at which the key expires and the outcome with it. */
  readonly until?: number
}

/** What a signature is held against. */
export interface SignedPayload {
  readonly payload: Uint8Array
  /** The address in the commit, or in the tag. */
  readonly email: string
  /** The accounts that have proved that it is theirs. */
  readonly holders: ReadonlyArray<number>
}
