/** Signatures of deliveries (spec part 4, "Resources"): HMACs of the raw body, by which a receiver knows the sender. */
import { createHmac } from "node:crypto"

const hmac = (algorithm: "sha1" | "sha256", secret: string, body: string) =>
  `${algorithm}=${createHmac(algorithm, secret).update(body).digest("hex")}`

/** The headers that sign a body; none where there is no secret. */
export const headers = (secret: string | undefined, body: string): Record<string, string> =>
  secret === undefined || secret === ""
    ? {}
    : { "X-Hub-Signature": hmac("sha1", secret, body), "X-Hub-Signature-256": hmac("sha256", secret, body) }
