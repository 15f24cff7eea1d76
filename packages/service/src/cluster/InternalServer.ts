/**
 * The server at a process's address in the cluster. Other processes forward requests to it, ask it for the owners of
 * repositories, and search its code index. Every request needs the secret of the cluster.
 */
import { timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { CannotJoin } from "./ClusterMembership.ts"
import {
  type ClusterAddress,
  FORWARDED_PATH,
  membersInterval,
  REPOSITORY_HEADER,
  runnerName,
  SECRET_HEADER
} from "./ClusterSettings.ts"
import { isReading, MISDIRECTED } from "./Forwarder.ts"
import type { OwnedRepositories } from "./OwnedRepositories.ts"

type Answer<R = never> = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope | R
>

export interface Options {
  readonly address: ClusterAddress
  readonly secret: string
  readonly owned: OwnedRepositories
  /** Answers paths below `/cluster/`, by their prefix. */
  readonly paths: Readonly<Record<string, Answer>>
  /** Answers a request of a repository that this process owns. */
  readonly answer: (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}

/** Limits as of the public server: headers in bytes, and the time of a request in milliseconds. */
const MAX_HEADER_SIZE = 72 * 1024
const REQUEST_TIMEOUT = 4 * 3_600_000

const OTHER_ADDRESS = "Give another address of this machine with --cluster HOST:PORT"

const refuse = (response: ServerResponse, status: number) => {
  response.writeHead(status, { "content-length": "0", connection: "close" }).end()
}

/** Starts the server, which ends with the scope. Fails with `CannotJoin`. */
export const serve = Effect.fn("InternalServer.serve")(function* ({ address, answer, owned, paths, secret }: Options) {
  // The requests have a scope of their own, which closes after the handover, whose finalizer is added later.
  const scope = yield* Scope.fork(yield* Effect.scope)
  // A closed connection interrupts the request, as at the public server.
  const listenerOf = (effect: Answer) => NodeHttpServer.makeHandler(Effect.interruptible(effect), { scope })
  const forwarded = yield* listenerOf(Effect.flatMap(HttpServerRequest.HttpServerRequest, answer))
  const listeners = yield* Effect.forEach(Object.entries(paths), ([prefix, effect]) =>
    Effect.map(listenerOf(effect), (listener) => ({ prefix, listener }))
  )
  const wanted = Buffer.from(secret)
  const knowsSecret = ({ headers }: IncomingMessage) => {
    const given = headers[SECRET_HEADER]
    const bytes = Buffer.from(typeof given === "string" ? given : "")
    return bytes.length === wanted.length && timingSafeEqual(bytes, wanted)
  }

  const accept: RequestListener = (request, response) => {
    if (!knowsSecret(request)) return refuse(response, 401)
    const repository = request.headers[REPOSITORY_HEADER]
    if (repository !== undefined) {
      const leave = owned.enter(Number(repository))
      if (leave === undefined) return refuse(response, MISDIRECTED)
      // A read need not keep the repository: the next owner reads the same files. A slow clone would delay it.
      if (isReading(request)) leave()
      else response.once("close", leave)
    }
    if (request.headers.expect !== undefined) response.writeContinue()
    const { url = "" } = request
    if (repository !== undefined && url.startsWith(FORWARDED_PATH)) {
      request.url = url.slice(FORWARDED_PATH.length)
      return forwarded(request, response)
    }
    const listener = listeners.find(({ prefix }) => url.startsWith(prefix))?.listener
    return listener === undefined ? refuse(response, 404) : listener(request, response)
  }

  const server = createServer({ maxHeaderSize: MAX_HEADER_SIZE, requestTimeout: REQUEST_TIMEOUT })
  // Longer than the keep-alive of the clients, so that no request meets a connection that closes.
  server.keepAliveTimeout = 75_000
  server.on("request", accept).on("checkContinue", accept)
  yield* Effect.acquireRelease(
    Effect.callback<void, CannotJoin>((resume) => {
      server.once("error", (error) =>
        resume(
          Effect.fail(new CannotJoin({ runner: runnerName(address), detail: `${error.message}. ${OTHER_ADDRESS}` }))
        )
      )
      server.listen(address.port, address.host, () => resume(Effect.void))
    }),
    () =>
      Effect.gen(function* () {
        server.close()
        server.closeIdleConnections()
        // Other processes notice within this time that this one has left.
        yield* Effect.sleep(Duration.times(membersInterval, 2))
        server.closeAllConnections()
      })
  )
})
