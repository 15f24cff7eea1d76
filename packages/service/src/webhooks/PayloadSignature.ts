/** Signs webhook payloads with an HMAC, so that receivers can authenticate the forge. */
import { createHmac } from "node:crypto"

const hmac = (algorithm: "sha1" | "sha256", secret: string, body: string) =>
  `${algorithm}=${createHmac(algorithm, secret).update(body).digest("hex")}`

/** Returns the headers with the HMACs of a request body, or none without a secret. */
export const headers = (secret: string | undefined, body: string): Record<string, string> =>
  secret === undefined || secret === ""
    ? {}
    : { "X-Hub-Signature": hmac("sha1", secret, body), "X-Hub-Signature-256": hmac("sha256", secret, body) }
