/** Serves the API over HTTP at `/` and `/api/v3` (spec part 1 §1), with the OpenAPI document and a page to browse it. */
import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Document from "@tongs/core/contract/Document"
import { App } from "../http/App.ts"
import * as DocsPage from "../http/DocsPage.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import { InFlight, overloaded } from "../http/InFlight.ts"
import * as ApiError from "../api/ApiError.ts"
import * as IndexInBackground from "../search/IndexInBackground.ts"
import * as EventLoopTick from "../base/EventLoopTick.ts"

/** Options of `serve`. */
export interface Options {
  /** Port of the server; 0 selects any free port. */
  readonly port: number
  readonly host: string
  /** Base URL for clients, if it differs from the address of the listener. */
  readonly publicUrl?: string | undefined
}

/** The server cannot listen on a host and port. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  host: Schema.String,
  port: Schema.Int,
  detail: Schema.String
}) {
  override get message() {
    return `Cannot listen on ${this.host}:${this.port}: ${this.detail}. Choose another port with --port, or 0 for any`
  }
}

/** Maximum size of request headers in bytes. Above Node's default, so that the API itself can report overlong queries. */
const maxHeaderSize = 64 * 1024

/** Responds to requests that Node cannot parse with an error body of the API. */
const answerGarbage = (server: Server) =>
  server.on("clientError", (error, socket) => {
    if (!socket.writable) return
    const tooLong = "code" in error && error.code === "HPE_HEADER_OVERFLOW"
    const body = ApiError.body(
      ApiError.unreadableRequest(400, tooLong ? "Request headers are too long" : "Invalid HTTP request")
    )
    const head = `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`
    socket.end(
      `HTTP/1.1 ${tooLong ? "431 Request Header Fields Too Large" : "400 Bad Request"}\r\n${head}\r\n\r\n${body}`
    )
  })

/**
 * Sends cached responses directly in Node's request listener, and passes other requests to the existing listeners. For a
 * repeated list, most of the time would otherwise go to creating a fiber and a response object.
 */
const answerFromCacheFirst = (server: Server, app: App["Service"], inFlight: InFlight) => {
  const others = server.listeners("request")
  const ticks = new WeakMap<Socket, EventLoopTick.EventLoopTick>()
  /**
   * Returns the current tick, or `undefined` for a further request of a connection in the same tick: the client may have
   * sent it after the tick began, so reads of this tick can be older than the request.
   */
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
      // `App.handle` meets the same error and reports it.
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
    // Zero if the socket accepted the whole body, the usual case.
    if (response.writableLength > 0) inFlight.hold(response.writableLength, response)
  })
}

/** Replaces a response by a 503 if unsent responses to slow clients already take too much memory. */
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

/** Starts the server, which runs until the scope closes, and returns its URL. Fails with `CannotListen`. */
export const serve = Effect.fn("Serve.serve")(function* ({ host, port, publicUrl }: Options) {
  const app = yield* App
  const inFlight = new InFlight()
  const socket = answerGarbage(createServer({ maxHeaderSize, keepAliveTimeout: 15_000 }))
  const server = yield* NodeHttpServer.make(() => socket, { port, host, disablePreemptiveShutdown: true }).pipe(
    Effect.mapError((error) => new CannotListen({ host, port, detail: rootMessage(error) }))
  )
  const url = HttpServer.formatAddress(server.address)
  yield* (yield* PublicUrl).set(publicUrl ?? url)
  const openApi = yield* Effect.cached(openApiDocument({ servers: [url], dialect: app.dialect }))
  const docs = yield* DocsPage.make
  yield* server.serve(
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const path = request.method === "GET" ? request.url.split("?", 1)[0] : undefined
      if (path === "/openapi.json") return openApi
      if (path === "/docs") return docs
      return bounded(app.handle(request), request, inFlight)
    }).pipe(
      // A closed connection interrupts its request. Handlers mark sections that must complete.
      Effect.interruptible
    )
  )
  answerFromCacheFirst(socket, app, inFlight)
  yield* IndexInBackground.start
  return url
})

/** Describes all endpoints, which takes tens of milliseconds and is loaded at the first request. */
const openApiDocument = (options: Document.Options) =>
  Effect.map(
    Effect.promise(() => import("@tongs/core/contract/Document")),
    ({ make }) =>
      HttpServerResponse.text(JSON.stringify(make(options)), { contentType: "application/json; charset=utf-8" })
  )

const rootMessage = (error: unknown): string => {
  let current = error
  while (current instanceof Error && current.cause !== undefined) current = current.cause
  return current instanceof Error ? current.message : String(current)
}
