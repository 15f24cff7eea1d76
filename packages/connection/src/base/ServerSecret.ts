/** Secrets that protect this program's own HTTP servers from other accounts and other programs of the machine. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

const BYTES = 32

/** A new random secret of 256 bits, safe in a URL and in a header. */
export const generate = (): string => randomBytes(BYTES).toString("base64url")

/** Characters of the shortest secret that a person may choose. */
const MIN_LENGTH = 32

/** Whether a chosen secret is long enough, and has only characters that need no escape in a URL or a header. */
export const isStrong = (secret: string): boolean => secret.length >= MIN_LENGTH && /^[\w.~-]+$/.test(secret)

export const REQUIREMENTS = `Use at least ${MIN_LENGTH} letters, digits, "-", "_", "." or "~".`

/** Compares in constant time, whatever the lengths. */
export const equals = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret))

const digest = (text: string) => createHash("sha256").update(text).digest()
