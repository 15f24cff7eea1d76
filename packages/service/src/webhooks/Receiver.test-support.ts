/** A receiver of webhooks: a server on the loopback interface. */
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Starts a receiver. `answer` returns the response to each request; `"never"` sends none. */
export const make = Effect.fnUntraced(function* (
  answer: (received: Received) => Answer | "never" = () => ({ status: 200, body: "ok" }),
  tls?: { readonly key: string; readonly cert: string }
) {
  const received = yield* Queue.unbounded<Received>()
  const listener: Parameters<typeof createServer>[1] = (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const one = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() }
      const given = answer(one)
      if (given !== "never") response.writeHead(given.status, given.headers).end(given.body)
      Queue.offerUnsafe(received, one)
    })
  }
  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
      await once(server.listen(0, "127.0.0.1"), "listening")
      return server
    }),
    (server) =>
      Effect.promise(async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      })
  )
  const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- the server listens on a port
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    next: Queue.take(received),
    /** Takes the received requests that remain in the queue. */
    rest: Queue.clear(received)
  }
})
