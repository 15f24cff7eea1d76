/**
 * Sends requests to the internal servers of other processes, with the secret of the cluster. Connections stay open. The
 * requests to a process that has lost its place in the cluster end with `PeerLost`, because a stopped process answers
 * nothing and closes nothing. A process that leaves completes its requests.
 */
import { Agent, type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http"
import { Readable } from "node:stream"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import { PeerLost, type PeerResponse } from "../base/Peers.ts"
import { addressOf, SECRET_HEADER } from "./ClusterSettings.ts"

export interface InternalRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** More than `SMALL` bytes, or a stream, are sent once the receiver has agreed by `100 Continue`. */
  readonly body?: Uint8Array | Readable | undefined
}

/** Bodies of up to this number of bytes are sent at once. A refusal of a larger one could be lost while it is written. */
export const SMALL = 64 * 1024

/** Maximum time to open a connection, and to wait for `100 Continue`, in milliseconds. */
const CONNECT_LIMIT = 3000
const CONTINUE_LIMIT = 5000

/** Maximum number of connections to one process. */
const MAX_SOCKETS = 512

const streamOf = (body: InternalRequest["body"]) => (body instanceof Uint8Array ? Readable.from([body]) : body)

export class InternalClient {
  readonly #agent = new Agent({ keepAlive: true, keepAliveMsecs: 5000, maxSockets: MAX_SOCKETS, maxFreeSockets: 64 })
  readonly #running = new Map<string, Set<ClientRequest>>()
  readonly #secret: string

  constructor(secret: string) {
    this.#secret = secret
  }

  /** Ends all requests to a process. */
  lose(peer: string): void {
    const error = new Error("it has lost its place in the cluster")
    for (const request of this.#running.get(peer) ?? []) request.destroy(error)
  }

  close(): void {
    for (const peer of this.#running.keys()) this.lose(peer)
    this.#agent.destroy()
  }

  /** Sends a request, and returns the response when its head is there. An interruption ends the request. */
  send(peer: string, { body, headers, method, path }: InternalRequest): Effect.Effect<IncomingMessage, PeerLost> {
    return Effect.callback<IncomingMessage, PeerLost>((resume) => {
      const bytes = body instanceof Uint8Array ? body : undefined
      const stream = bytes === undefined || bytes.byteLength > SMALL ? streamOf(body) : undefined
      const isStream = stream !== undefined
      let mayHaveRun = false
      const request = httpRequest({
        ...addressOf(peer),
        agent: this.#agent,
        method,
        path,
        headers: {
          host: peer,
          ...headers,
          [SECRET_HEADER]: this.#secret,
          connection: "keep-alive",
          ...(isStream ? { expect: "100-continue" } : {}),
          ...(bytes === undefined ? {} : { "content-length": String(bytes.byteLength) }),
          // By default, Node sends the body of some methods, for example DELETE, without a mark of its end.
          ...(isStream && bytes === undefined && headers["content-length"] === undefined
            ? { "transfer-encoding": "chunked" }
            : {})
        }
      })
      const running = this.#requestsOf(peer)
      running.add(request)
      let timer: NodeJS.Timeout | undefined
      request.on("socket", (socket) => {
        // Not earlier: a request that waits for one of the connections is not late.
        timer = setTimeout(
          () => request.destroy(new Error("it did not accept the request in time")),
          isStream ? CONTINUE_LIMIT : CONNECT_LIMIT
        )
        const connected = () => {
          if (!isStream) {
            clearTimeout(timer)
            mayHaveRun = true
          }
        }
        if (socket.connecting) socket.once("connect", connected)
        else connected()
      })
      request.on("continue", () => {
        clearTimeout(timer)
        mayHaveRun = true
        stream?.on("error", (error) => request.destroy(error))
        stream?.pipe(request)
      })
      request.on("response", (response) => {
        clearTimeout(timer)
        // The stream of a refused request stays with the caller.
        if (isStream && !mayHaveRun) request.end()
        resume(Effect.succeed(response))
      })
      request.on("error", (error) => resume(Effect.fail(new PeerLost({ peer, detail: error.message, mayHaveRun }))))
      request.on("close", () => {
        clearTimeout(timer)
        running.delete(request)
      })
      if (isStream) request.flushHeaders()
      else request.end(bytes)
      return Effect.sync(() => request.destroy())
    })
  }

  /** Posts JSON. The response streams. */
  post(peer: string, path: string, json: string): Effect.Effect<PeerResponse, PeerLost> {
    const request = { method: "POST", path, headers: { "content-type": "application/json" }, body: Buffer.from(json) }
    return Effect.map(this.send(peer, request), (message) => ({
      status: message.statusCode ?? 0,
      body: NodeStream.fromReadable<Uint8Array, PeerLost>({
        evaluate: () => message,
        onError: (error) => new PeerLost({ peer, detail: String(error), mayHaveRun: true })
      })
    }))
  }

  #requestsOf(peer: string): Set<ClientRequest> {
    const known = this.#running.get(peer)
    if (known !== undefined) return known
    const created = new Set<ClientRequest>()
    this.#running.set(peer, created)
    return created
  }
}
