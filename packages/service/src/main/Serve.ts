/**
 * Serves the API over HTTP at `/`, `/api/v3` and `/api/uploads`, with the OpenAPI document, a documentation page, and the
 * pages for load balancers and Prometheus.
 */
import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { dirname } from "node:path"
import { performance } from "node:perf_hooks"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Document from "@tongs/core/contract/Document"
import { App } from "../http/App.ts"
import { fromReady, type ReadyResponse } from "../http/Responses.ts"
import * as Compression from "../http/Compression.ts"
import * as DocsPage from "../http/DocsPage.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import { InFlight, overloaded } from "../http/InFlight.ts"
import * as ApiError from "../api/ApiError.ts"
import * as IndexInBackground from "../search/IndexInBackground.ts"
import { ClusterState } from "../base/ClusterState.ts"
import * as OpenFiles from "../base/OpenFiles.ts"
import * as Draining from "../http/Draining.ts"
import * as ForgeMetrics from "../http/ForgeMetrics.ts"
import * as Monitoring from "../http/Monitoring.ts"
import * as Readiness from "../http/Readiness.ts"
import { type RequestCounters, RequestMetrics } from "../http/RequestMetrics.ts"
import { Owner } from "./Owner.ts"
import { rootMessage } from "../base/RootMessage.ts"
import * as EventLoopTick from "../base/EventLoopTick.ts"

export interface Options {
  /** Port of the server; 0 selects any free port. */
  readonly port: number
  readonly host: string
  /** Base URL for clients, if different from the address of the listener. */
  readonly publicUrl?: string | undefined
  /** Receives each request first, and answers the request or calls `next`. */
  readonly intercept?: Intercept | undefined
  /**
   * If false, the server does not keep the process running, and ends without waiting for requests in progress. True by
   * default.
   */
  readonly keepsProcess?: boolean | undefined
}

/** Answers a request, or calls `next` to leave the request to the forge. */
export type Intercept = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

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

/** Maximum size of request headers in bytes. Above Node's default, so that the API can report overlong queries. */
const MAX_HEADER_SIZE = 64 * 1024

/**
 * Maximum time of a request in milliseconds: four hours for a large push. JSON bodies and silent pushes have shorter
 * limits.
 */
const REQUEST_TIMEOUT = 4 * 3_600_000

/** Listeners of one event of a response, above which Node warns of a leak. Its default is ten. */
const MAX_LISTENERS = 30

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
 * Answers reads directly in Node's request listener if no step has to wait, and passes other requests to the existing
 * listeners. Returns the requests that have started in this way, with the effect that completes each.
 */
const answerAtOnce = (
  server: Server,
  app: App["Service"],
  inFlight: InFlight,
  compression: Compression.Compression,
  counted: CountedRequests
) => {
  const started: Started = new WeakMap()
  const others = server.listeners("request")
  const ticks = new WeakMap<Socket, EventLoopTick.EventLoopTick>()
  /**
   * Returns the current tick, or `undefined` for a further request of a connection in the same tick: the client may
   * have sent such a request after the tick began, so reads of this tick can be older than the request.
   */
  const tickOf = (socket: Socket) => {
    const tick = EventLoopTick.current()
    if (ticks.get(socket) === tick) return undefined
    ticks.set(socket, tick)
    return tick
  }
  const answerOf = (message: IncomingMessage): ReadyResponse | undefined => {
    const { method = "", url = "" } = message
    if ((method !== "GET" && method !== "HEAD") || !url.startsWith("/") || ownPage(url) !== undefined) return undefined
    const headers = message.headers as Readonly<Record<string, string | undefined>> // oxlint-disable-line typescript/no-unsafe-type-assertion -- only `set-cookie` would be a list
    const head = { url, headers }
    const lookup = app.lookUp(head)
    if (lookup === undefined) return undefined
    const cached = app.answerFromCache(method, head, lookup)
    if (cached !== undefined) return inFlight.hasRoomFor(sizeOf(cached)) ? cached : undefined
    const request = {
      method,
      url,
      headers,
      originalUrl: headers.host === undefined ? url : `http://${headers.host}${url}`,
      remoteAddress: Option.fromUndefinedOr(message.socket.remoteAddress),
      arrayBuffer: noBody
    }
    const answer = app.start(request, lookup)
    if (answer === undefined) return undefined
    const ready = Effect.isEffect(answer) ? undefined : answer
    if (ready !== undefined && inFlight.hasRoomFor(sizeOf(ready))) return ready
    counted.set(message, request)
    started.set(message, Effect.isEffect(answer) ? answer : Effect.sync(() => fromReady(answer)))
    return undefined
  }
  const answerSafely = (message: IncomingMessage) => {
    try {
      return answerOf(message)
    } catch {
      // `App.handle` fails with the same error and reports it.
      return undefined
    }
  }
  server.removeAllListeners("request").on("request", (request: IncomingMessage, response: ServerResponse) => {
    const ready = EventLoopTick.share(tickOf(request.socket), () => answerSafely(request))
    if (ready === undefined) {
      for (const other of others) Reflect.apply(other, server, [request, response])
      return
    }
    const send = ({ body, headers, status }: ReadyResponse) => {
      response.writeHead(status, headers).end(body)
      // Zero if the socket accepted the whole body, the usual case.
      if (response.writableLength > 0) inFlight.hold(response.writableLength, response)
    }
    const encoding = request.headers["accept-encoding"]
    const compressed = typeof encoding === "string" ? compression.ready(encoding, ready) : ready
    if (compressed instanceof Promise) void compressed.then(send, () => send(ready))
    else send(compressed)
  })
  return started
}

/** Requests that have started in Node's request listener, with the effect that completes each. */
type Started = WeakMap<object, Effect.Effect<HttpServerResponse.HttpServerResponse>>

const noneStarted: Started = new WeakMap()

/** The object by which `RequestMetrics` knows a request that has to wait. */
type CountedRequests = WeakMap<object, object>

/** Reads have no body. */
const noBody = Effect.succeed(new ArrayBuffer(0))

const sizeOf = ({ body }: ReadyResponse) => (body === undefined ? 0 : Buffer.byteLength(body))

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

/** Starts the server, which runs until the scope closes, and returns the URL. Fails with `CannotListen`. */
export const serve = Effect.fn("Serve.serve")(function* ({
  host,
  intercept,
  keepsProcess = true,
  port,
  publicUrl
}: Options) {
  const app = yield* App
  const inFlight = new InFlight()
  const compression = Compression.make()
  const socket = answerGarbage(
    createServer({ maxHeaderSize: MAX_HEADER_SIZE, keepAliveTimeout: 15_000, requestTimeout: REQUEST_TIMEOUT })
  )
  const server = yield* NodeHttpServer.make(() => socket, { port, host, disablePreemptiveShutdown: true }).pipe(
    Effect.mapError((error) => new CannotListen({ host, port, detail: rootMessage(error) }))
  )
  if (!keepsProcess) socket.unref()
  const maxConnections = OpenFiles.maxConnections()
  if (maxConnections !== undefined) {
    socket.maxConnections = maxConnections
    // Closes idle connections in favor of new connections.
    socket.on("drop", () => socket.closeIdleConnections())
    yield* Effect.logWarning(
      `The limit of open files is ${OpenFiles.limit()}, so the forge accepts ${maxConnections} connections at a time. ` +
        `Raise the limit with ulimit -n, best to ${OpenFiles.LOW_LIMIT} or more`
    )
  }
  yield* OpenFiles.relieve(() => socket.closeIdleConnections())
  const url = HttpServer.formatAddress(server.address)
  yield* (yield* PublicUrl).set(publicUrl ?? url)
  const openApi = yield* Effect.cached(openApiDocument({ servers: [publicUrl ?? url], dialect: app.dialect }))
  const docs = yield* DocsPage.make
  const counted: CountedRequests = new WeakMap()
  yield* server.serve(
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const page = request.method === "GET" ? ownPage(request.url) : undefined
      const compressed = Effect.flatMap((response: HttpServerResponse.HttpServerResponse) =>
        compression.response(request, response)
      )
      if (page !== undefined) return compressed(page === "/docs" ? docs : openApi)
      const message = NodeHttpServerRequest.toIncomingMessage(request)
      const begun = started.get(message)
      if (begun === undefined) counted.set(message, request)
      const answer = begun ?? app.handle(request)
      return bounded(compressed(answer), request, inFlight)
    }).pipe(
      // A closed connection interrupts the request. Handlers mark sections that must complete.
      Effect.interruptible
    )
  )
  // The server's listener closes the connection after a response. Java's clients offer an upgrade to HTTP/2.
  socket.removeAllListeners("upgrade")
  // Only the server's listener creates spans.
  const isTraced = (yield* Tracer.Tracer) !== Tracer.nativeTracer
  const started = isTraced ? noneStarted : answerAtOnce(socket, app, inFlight, compression, counted)
  if (intercept !== undefined) interceptRequests(socket, intercept)
  const member = yield* ClusterState
  const draining = Draining.make(socket, member?.handOver ?? Effect.void)
  const monitor = yield* monitoring(socket, inFlight, draining, keepsProcess)
  observeRequests(socket, yield* RequestMetrics, counted, draining, monitor)
  yield* IndexInBackground.start
  if (keepsProcess) yield* Effect.addFinalizer(() => draining.drain)
  return url
})

type Monitor = ReturnType<typeof Monitoring.make>

/** Creates the function that answers load balancers and Prometheus. */
const monitoring = Effect.fnUntraced(function* (
  server: Server,
  inFlight: InFlight,
  { checked, isDraining }: Draining.Draining,
  isProgram: boolean
) {
  const folder = dirname((yield* Owner).tokenFile)
  const token = yield* Monitoring.token(folder)
  // Prometheus reads the file before its first request.
  if (isProgram) yield* token
  const failing = yield* Readiness.make(yield* Readiness.checks(folder, yield* ClusterState))
  const metrics = yield* ForgeMetrics.make({
    connections: Draining.connections(server),
    unsentBytes: () => inFlight.bytes,
    isDraining
  })
  return Monitoring.make(
    {
      metrics,
      token: Effect.orDie(token),
      failing,
      isDraining,
      onReadinessCheck: checked
    },
    Effect.runForkWith(yield* Effect.context())
  )
})

/** Status of a request whose client left before the headers of the response, as in the logs of nginx. */
const CLIENT_LEFT = 499

/**
 * Answers requests of load balancers and Prometheus. Counts all other requests and passes them to the existing
 * listeners. Requests during a drain end their connection.
 */
export const observeRequests = (
  server: Server,
  metrics: RequestCounters,
  counted: CountedRequests,
  draining: Pick<Draining.Draining, "add" | "isDraining">,
  monitor: Monitor
) => {
  for (const event of ["request", "checkContinue"] as const) {
    const listeners = server.listeners(event)
    server.removeAllListeners(event).on(event, (request: IncomingMessage, response: ServerResponse) => {
      if (draining.isDraining()) response.shouldKeepAlive = false
      if (monitor(request, response)) return
      const begun = performance.now()
      const { url = "" } = request
      metrics.takeLast()
      for (const listener of listeners) Reflect.apply(listener, server, [request, response])
      const answer = metrics.takeLast()
      if (response.writableEnded) return metrics.count(answer, url, response.statusCode, secondsSince(begun))
      metrics.inProgress += 1
      // Node's pipeline of a streamed response alone has six.
      response.setMaxListeners(MAX_LISTENERS)
      draining.add(response)
      response.once("close", () => {
        metrics.inProgress -= 1
        const key = counted.get(request)
        const known = answer ?? (key === undefined ? undefined : metrics.answerOf(key))
        const status = response.headersSent ? response.statusCode : CLIENT_LEFT
        metrics.count(known, url, status, secondsSince(begun))
      })
    })
  }
}

const secondsSince = (begun: number) => (performance.now() - begun) / 1000

/** Passes requests to `intercept` before the existing listeners. */
const interceptRequests = (server: Server, intercept: Intercept) => {
  const listeners = server.listeners("request")
  server.removeAllListeners("request").on("request", (request: IncomingMessage, response: ServerResponse) =>
    intercept(request, response, () => {
      for (const listener of listeners) Reflect.apply(listener, server, [request, response])
    })
  )
}

/** Returns the path of a page outside of the API. */
const ownPage = (url: string) => /^(\/openapi\.json|\/docs)(?:\?|$)/.exec(url)?.[1]

/** Describes all endpoints, which takes tens of milliseconds and is loaded at the first request. */
const openApiDocument = (options: Document.Options) =>
  Effect.map(
    Effect.promise(() => import("@tongs/core/contract/Document")),
    ({ make }) =>
      HttpServerResponse.text(JSON.stringify(make(options)), { contentType: "application/json; charset=utf-8" })
  )
