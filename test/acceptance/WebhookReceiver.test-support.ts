import { webcrypto } from "node:crypto"
import { httpServer } from "./TongsCommand.test-support.ts"

export const SECRET = "a secret that both know"

export interface ReceivedDelivery {
  readonly event: string
  readonly guid: string
  readonly signature: string
  readonly body: string
}

/** Starts a webhook receiver that answers after a delay, so that kills often interrupt a delivery. */
export const receiver = async (address?: string) => {
  const received: Array<ReceivedDelivery> = []
  const url = await httpServer(({ headers }, body, response) => {
    received.push({
      event: String(headers["x-service-event"]),
      guid: String(headers["x-service-delivery"]),
      signature: String(headers["x-hub-signature-256"]),
      body
    })
    setTimeout(() => response.end("thanks"), 30)
  }, address)
  return { received, url: `${url}/` }
}

export const isSigned = async ({ body, signature }: ReceivedDelivery) => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const key = await webcrypto.subtle.importKey("raw", bytes(SECRET), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify"
  ])
  return webcrypto.subtle.verify("HMAC", key, Buffer.from(signature.replace("sha256=", ""), "hex"), bytes(body))
}

export const refOf = ({ body }: ReceivedDelivery): string => JSON.parse(body).full_ref
