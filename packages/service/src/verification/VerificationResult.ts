/** Reason why a signature is valid or not. */
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
  /** Time when the key was registered, if the reason is `valid`. */
  readonly keySince?: string
  /** Time when the key and therefore the result expires, in milliseconds since 1970. */
  readonly until?: number
}

/** The signed content and the claimed author. */
export interface SignedPayload {
  readonly payload: Uint8Array
  /** E-mail address of the committer or tagger. */
  readonly email: string
  /** Ids of the accounts that have verified the address. */
  readonly holders: ReadonlyArray<number>
}
