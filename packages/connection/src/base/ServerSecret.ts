/** Secrets that protect the local HTTP servers from other accounts and programs on the machine. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

const BYTES = 32

/** Generates a random secret of 256 bits that needs no escaping in URLs and headers. */
export const generate = (): string => randomBytes(BYTES).toString("base64url")

/** Minimum number of characters in a secret that a user chooses. */
const MIN_LENGTH = 32

/** Returns true if a secret is long enough and needs no escaping in URLs and headers. */
export const isStrong = (secret: string): boolean => secret.length >= MIN_LENGTH && /^[\w.~-]+$/.test(secret)

/** The requirements of `isStrong`, as a sentence for error messages. */
export const REQUIREMENTS = `Use at least ${MIN_LENGTH} letters, digits, "-", "_", "." or "~".`

/** Compares two secrets in constant time, even if the lengths differ. */
export const equals = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret))

const digest = (text: string) => createHash("sha256").update(text).digest()
