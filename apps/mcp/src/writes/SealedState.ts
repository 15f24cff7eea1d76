/**
 * Sealed state of calls that wait for the user's confirmation. A seal is an HMAC over the whole call, and so confirms
 * only that call. A seal is valid for a limited time, once, and only in the process that made the seal.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"

/** Milliseconds from sealing to the end of validity. */
export const VALIDITY = 300_000

/** Maximum number of used seals to remember. More confirmations are refused until older ones expire. */
export const MAX_USED = 10_000

/** Everything that a seal confirms, for example tool, method, URL, body and identity. The order matters. */
export type Sealed = ReadonlyArray<string>

/** Seals calls and opens seals. */
export interface SealedState {
  readonly seal: (sealed: Sealed, now: number) => string
  /** Returns why a seal is invalid; undefined for a valid seal, which becomes invalid. */
  readonly open: (state: string, sealed: Sealed, now: number) => string | undefined
}

/** Creates seals with a new key. */
export const make = (): SealedState => {
  const key = randomBytes(32)
  /** The used seals, and the ends of validity. */
  const used = new Map<string, number>()
  const sign = (id: string, expires: string, sealed: Sealed): Buffer =>
    createHmac("sha256", key)
      .update(JSON.stringify([id, expires, ...sealed]))
      .digest()
  return {
    seal: (sealed, now) => {
      const id = randomBytes(12).toString("base64url")
      const expires = String(now + VALIDITY)
      return [id, expires, sign(id, expires, sealed).toString("base64url")].join(".")
    },
    open: (state, sealed, now) => {
      const [id = "", expires = "", signature = ""] = state.split(".")
      const expected = sign(id, expires, sealed)
      const given = Buffer.from(signature, "base64url")
      // Compares the text too, because several texts decode to the same bytes.
      const isAuthentic =
        given.byteLength === expected.byteLength &&
        timingSafeEqual(given, expected) &&
        state === [id, expires, expected.toString("base64url")].join(".")
      if (!isAuthentic) return "it was changed, or belongs to another call"
      if (Number(expires) <= now) return "it has expired"
      if (used.has(id)) return "it was already used"
      if (used.size >= MAX_USED) for (const [known, end] of used) if (end <= now) used.delete(known)
      if (used.size >= MAX_USED) return "there were too many confirmations; wait five minutes"
      used.set(id, Number(expires))
      return undefined
    }
  }
}
