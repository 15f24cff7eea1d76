/** Public SSH keys in short: type, fingerprint and comment. */
import { createHash } from "node:crypto"

/** Returns the type of a key: `ed25519`, `rsa`. */
export const typeOf = (key: string): string => (key.trim().split(/\s+/, 1)[0] ?? "").replace(/^(ssh|ecdsa-sha2)-/, "")

/** Returns the fingerprint of a key in the form of `ssh-keygen -l`: `SHA256:…`. */
export const fingerprintOf = (key: string): string => {
  const [, body = ""] = key.trim().split(/\s+/)
  const bytes = Buffer.from(body, "base64")
  return bytes.length === 0 ? "" : `SHA256:${createHash("sha256").update(bytes).digest("base64").replace(/=+$/, "")}`
}
