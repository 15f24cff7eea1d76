/** A receiver of webhooks. */
import { webcrypto } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

export const secret = "a secret that both know"

export interface Received {
  readonly event: string
  readonly guid: string
  readonly signature: string
  readonly body: string
}

/** Answers after a moment, so that a forge that is killed is often waiting for an answer. */
export const receiver = async () => {
  const received: Array<Received> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const header = (name: string) => String(request.headers[name])
      const body = Buffer.concat(chunks).toString()
      received.push({
        event: header("x-service-event"),
        guid: header("x-service-delivery"),
        signature: header("x-hub-signature-256"),
        body
      })
      setTimeout(() => response.end("thanks"), 30)
    })
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on a port
  return { received, url: `http://127.0.0.1:${port}/` }
}

export const isSigned = async ({ body, signature }: Received) => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const key = await webcrypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify"
  ])
  return webcrypto.subtle.verify("HMAC", key, Buffer.from(signature.replace("sha256=", ""), "hex"), bytes(body))
}

export const refOf = ({ body }: Received): string => JSON.parse(body).full_ref
