/** Secrets that protect the local HTTP servers from other accounts and programs on the machine. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

const BYTES = 32

/** A random secret of 256 bits, safe in URLs and headers. */
export const generate = (): string => randomBytes(BYTES).toString("base64url")

/** Characters of the shortest secret that a user may choose. */
const MIN_LENGTH = 32

/** True if a chosen secret is long enough and needs no escaping in a URL or a header. */
export const isStrong = (secret: string): boolean => secret.length >= MIN_LENGTH && /^[\w.~-]+$/.test(secret)

/** The rule that `isStrong` checks, as a sentence for error messages. */
export const REQUIREMENTS = `Use at least ${MIN_LENGTH} letters, digits, "-", "_", "." or "~".`

/** Compares two secrets in constant time, whatever their lengths. */
export const equals = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret))

const digest = (text: string) => createHash("sha256").update(text).digest()
