/** The forge over HTTP: at `/` and at `/api/v3` (spec part 1 §1), with its OpenAPI document and a page to read it by. */
import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Document from "@tongs/core/contract/Document"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { App } from "../http/App.ts"
import * as DocsPage from "../http/DocsPage.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import { InFlight, overloaded } from "../http/InFlight.ts"
import * as ApiError from "../api/ApiError.ts"
import { Indexer } from "../search/Indexer.ts"
import * as EventLoopTick from "../base/EventLoopTick.ts"

export interface Options {
  /** 0: any that is free. */
  readonly port: number
  readonly host: string
  /** How others reach it, where that is not the address on which it listens. */
  readonly publicUrl?: string | undefined
}

/** The port cannot be had. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  host: Schema.String,
  port: Schema.Int,
  detail: Schema.String
}) {
  override get message() {
    return `Cannot listen on ${this.host}:${this.port}: ${this.detail}. Choose another port with --port, or 0 for any`
  }
}

/** Long names and queries are to reach the forge, which says what is wrong with them. */
const maxHeaderSize = 64 * 1024

/** A request that is no HTTP still gets an error body. */
const answerGarbage = (server: Server) =>
  server.on("clientError", (error, socket) => {
    if (!socket.writable) return
    const tooLong = "code" in error && error.code === "HPE_HEADER_OVERFLOW"
    const body = ApiError.body(
      ApiError.unreadableRequest(400, tooLong ? "The request's headers are too long" : "This is not HTTP")
    )
    const head = `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`
    socket.end(
      `HTTP/1.1 ${tooLong ? "431 Request Header Fields Too Large" : "400 Bad Request"}\r\n${head}\r\n\r\n${body}`
    )
  })

/**
 * Answers what the forge remembers right at the socket, and leaves all else to the listeners that are there: of what a
 * repeated list costs, becoming a fiber and a response would be the most.
 */
const answerFromCacheFirst = (server: Server, app: App["Service"], inFlight: InFlight) => {
  const others = server.listeners("request")
  const ticks = new WeakMap<Socket, EventLoopTick.EventLoopTick>()
  /** A connection's second request of a turn was sent after its first: it could have come after the turn began. */
  const tickOf = (socket: Socket) => {
    const tick = EventLoopTick.current()
    if (ticks.get(socket) === tick) return undefined
    ticks.set(socket, tick)
    return tick
  }
  const answerOf = ({ headers, method = "", socket, url = "" }: IncomingMessage) => {
    try {
      const texts = headers as Readonly<Record<string, string | undefined>> // oxlint-disable-line typescript/no-unsafe-type-assertion -- only `set-cookie` would be a list
      return app.answerFromCache(method, { url, headers: texts }, tickOf(socket))
    } catch {
      // What cannot be looked at is for `handle` to report.
      return undefined
    }
  }
  server.removeAllListeners("request").on("request", (request: IncomingMessage, response: ServerResponse) => {
    const ready = answerOf(request)
    if (ready === undefined || !inFlight.hasRoomFor(ready.body?.length ?? 0)) {
      for (const other of others) Reflect.apply(other, server, [request, response])
      return
    }
    response.writeHead(ready.status, ready.headers).end(ready.body)
    // Mostly the socket has taken all of it by now.
    if (response.writableLength > 0) inFlight.hold(response.writableLength, response)
  })
}

/** Replaces an answer for which slow clients leave no room by 503. */
const bounded = (
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse>,
  request: HttpServerRequest.HttpServerRequest,
  inFlight: InFlight
) =>
  Effect.flatMap(answer, (response) => {
    const connection = NodeHttpServerRequest.toServerResponse(request)
    return !(connection instanceof ServerResponse) || inFlight.admit(response, connection)
      ? Effect.succeed(response)
      : overloaded(response)
  })

/** Serves until the scope closes; gives the URL once requests are accepted. */
export const serve = Effect.fn("Serve.serve")(function* ({ host, port, publicUrl }: Options) {
  const app = yield* App
  const inFlight = new InFlight()
  const socket = answerGarbage(createServer({ maxHeaderSize, keepAliveTimeout: 15_000 }))
  const server = yield* NodeHttpServer.make(() => socket, { port, host, disablePreemptiveShutdown: true }).pipe(
    Effect.mapError((error) => new CannotListen({ host, port, detail: rootMessage(error) }))
  )
  const url = HttpServer.formatAddress(server.address)
  yield* (yield* PublicUrl).set(publicUrl ?? url)
  const openApi = HttpServerResponse.text(JSON.stringify(Document.make({ servers: [url], dialect: app.dialect })), {
    contentType: "application/json; charset=utf-8"
  })
  const docs = yield* DocsPage.make
  const registry = yield* RepositoryRegistry
  const indexer = yield* Indexer
  // Who serves has the index ready before anybody searches.
  yield* Effect.forkScoped(indexer.watch(Effect.flatMap(registry.list, (rows) => registry.open(rows))))

  yield* server.serve(
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const path = request.method === "GET" ? request.url.split("?", 1)[0] : undefined
      if (path === "/openapi.json") return Effect.succeed(openApi)
      if (path === "/docs") return docs
      return bounded(app.handle(request), request, inFlight)
    }).pipe(
      // A caller who goes away takes the work with it; what must not be cut short says so itself.
      Effect.interruptible
    )
  )
  answerFromCacheFirst(socket, app, inFlight)
  return url
})

const rootMessage = (error: unknown): string => {
  let current = error
  while (current instanceof Error && current.cause !== undefined) current = current.cause
  return current instanceof Error ? current.message : String(current)
}
