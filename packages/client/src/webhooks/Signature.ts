/** Signatures of webhook deliveries: an HMAC of the body with a secret that forge and receiver share. */

/** The body of a delivery exactly as received: text or bytes, not parsed. */
export type RawBody = string | Uint8Array | ArrayBuffer

/** A secret, or several while one replaces another. */
export type Secret = string | ReadonlyArray<string>

const hmac = { name: "HMAC", hash: "SHA-256" }

/** A body with the signature to verify. */
export interface VerifyOptions {
  /**
   * The secret of the webhook. Pass several while you rotate the secret: a signature by any secret in the list is
   * valid.
   */
  readonly secret: Secret
  /** The body, exactly as received. A parsed and re-encoded body has another signature. */
  readonly payload: RawBody
  /**
   * The header `X-Hub-Signature-256`, `sha256=` and 64 hexadecimal digits. Undefined or null if the header is missing.
   */
  readonly signature: string | null | undefined
}

/**
 * Returns true if the signature belongs to the body and one of the secrets. Compares in constant time. Throws a `TypeError`
 * for a parsed body or an empty secret.
 */
export const verify = async ({ payload, secret, signature }: VerifyOptions): Promise<boolean> => {
  const body = bytesOf(payload)
  const keys = await Promise.all(secretsOf(secret).map(importKey))
  const [, digits] = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? "") ?? []
  if (digits === undefined) return false
  const mac = Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  const results = await Promise.all(keys.map((key) => crypto.subtle.verify(hmac, key, mac, body)))
  return results.includes(true)
}

/** Returns the signature of a body, for tests of a receiver: the value of the header `X-Hub-Signature-256`. */
export const sign = async ({
  payload,
  secret
}: {
  readonly secret: string
  readonly payload: RawBody
}): Promise<string> => {
  const [key = ""] = secretsOf(secret)
  const mac = new Uint8Array(await crypto.subtle.sign(hmac, await importKey(key), bytesOf(payload)))
  return `sha256=${Array.from(mac, (byte) => byte.toString(16).padStart(2, "0")).join("")}`
}

const importKey = (secret: string) =>
  crypto.subtle.importKey("raw", new TextEncoder().encode(secret), hmac, false, ["sign", "verify"])

const secretsOf = (secret: Secret): ReadonlyArray<string> => {
  const all: ReadonlyArray<string | undefined> = typeof secret === "string" ? [secret] : (secret ?? [])
  const secrets = all.flatMap((one) => (one === undefined || one === "" ? [] : [one]))
  if (secrets.length > 0 && secrets.length === all.length) return secrets
  throw new TypeError("`secret` is empty. With an empty secret anyone could sign: set the secret of the webhook")
}

export const bytesOf = (payload: RawBody): Uint8Array<ArrayBuffer> => {
  if (typeof payload === "string") return new TextEncoder().encode(payload)
  if (payload instanceof ArrayBuffer) return new Uint8Array(payload)
  if (ArrayBuffer.isView(payload)) return new Uint8Array(payload)
  throw new TypeError(
    "`payload` is not the raw body. Pass the text or bytes that were received, before a JSON parser reads them " +
      '(in Express: `express.raw({ type: "*/*" })`)'
  )
}
