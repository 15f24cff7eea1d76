/**
 * Checks HTTP requests before the MCP server: host, bearer token and size. Limits the number of sessions. Each session
 * keeps the protocol version of the session's `initialize`, even if a request names another supported version.
 */
import * as ByteSize from "effect/ByteSize"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Headers from "effect/http/Headers"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ServerSecret from "@tongs/connection/base/ServerSecret"
import * as HttpSessions from "./HttpSessions.ts"
import * as JsonRpc from "./JsonRpc.ts"
import * as ResourceMetadata from "./ResourceMetadata.ts"
import { MAX_MESSAGE_BYTES } from "./StdioMessages.ts"

const SESSION_HEADER = "mcp-session-id"
const VERSION_HEADER = "mcp-protocol-version"

/** The endpoint to protect. */
export interface Options {
  readonly url: string
  /** The bearer token that every request needs. */
  readonly token: Redacted.Redacted
  /** The protocol versions that use sessions. */
  readonly versions: ReadonlyArray<string>
  readonly sessions?: HttpSessions.HttpSessions
}

type App<E> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** Responds to invalid requests with 400, 401, 403 or 413, and passes valid requests to `app`. */
export const guard = <E>(app: App<E>, options: Options): App<E> => {
  const { sessions = HttpSessions.make(), token, url, versions } = options

  const useSession = (session: string) =>
    Effect.acquireRelease(
      Effect.sync(() => sessions.beginRequest(session)),
      () => Effect.map(Clock.currentTimeMillis, (now) => sessions.endRequest(session, now))
    )

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const host = loopbackHost(request.headers["host"])
    if (host === undefined) return wrongHost
    const metadata = ResourceMetadata.respond(request, host)
    if (metadata !== undefined) return metadata
    const rejection = reject(request.headers, token, host)
    if (rejection !== undefined) return rejection
    const session = request.headers[SESSION_HEADER]
    if (session !== undefined && sessions.has(session)) yield* useSession(session)
    const isSupported = session !== undefined && versions.includes(request.headers[VERSION_HEADER] ?? "")
    const checked = isSupported ? request.modify({ headers: Headers.remove(request.headers, VERSION_HEADER) }) : request
    const invalid = yield* rejectBody(checked)
    if (invalid !== undefined) return invalid
    const response = yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, checked)
    if (session !== undefined && request.method === "DELETE" && response.status === 204) sessions.remove(session)
    // The MCP server sets the session header of a new session in a pre-response handler. Only later handlers see this
    // header.
    yield* HttpEffect.appendPreResponseHandler((_, sent) => {
      const created = sent.headers[SESSION_HEADER]
      if (created === undefined || sessions.has(created)) return Effect.succeed(sent)
      return Effect.gen(function* () {
        yield* Effect.scoped(useSession(created))
        const excess = sessions.excessSession()
        if (excess !== undefined) yield* endSession(app, url, sessions, excess)
        return sent
      })
    })
    return response
  }).pipe(Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.bytes(MAX_MESSAGE_BYTES)))
}

/** Ends a session in the MCP server, too. */
const endSession = <E>(app: App<E>, url: string, sessions: HttpSessions.HttpSessions, session: string) => {
  sessions.remove(session)
  const headers = { [SESSION_HEADER]: session }
  const request = HttpServerRequest.fromWeb(new Request(url, { method: "DELETE", headers }))
  return app.pipe(
    Effect.provideService(HttpServerRequest.HttpServerRequest, request),
    Effect.scoped,
    Effect.ignoreCause
  )
}

/** Time without a request after which a session ends, to free the memory. */
const maxIdle = Duration.hours(1)

/** Ends idle sessions, every minute. The client of an ended session gets 404 and begins a new session. */
export const endIdleSessions = <E>(app: App<E>, url: string, sessions: HttpSessions.HttpSessions) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const idle = sessions.idleSessions(now - Duration.toMillis(maxIdle))
    yield* Effect.forEach(idle, (session) => endSession(app, url, sessions, session), { discard: true })
  }).pipe(Effect.repeat(Schedule.spaced("1 minute")))

const wrongHost = HttpServerResponse.text("This server accepts only the hosts 127.0.0.1, localhost and [::1].\n", {
  status: 403
})

const reject = (headers: Headers.Headers, token: Redacted.Redacted, host: string) => {
  const bearer = /^bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
  if (bearer === undefined || !ServerSecret.equals(bearer, Redacted.value(token))) {
    const challenge = `Bearer realm="tongs mcp", resource_metadata="${ResourceMetadata.urlOf(host)}"`
    return HttpServerResponse.text(
      "Missing or wrong bearer token. Send `Authorization: Bearer TOKEN`, with the token of TONGS_MCP_TOKEN, or the one that `tongs mcp --http` prints at start.\n",
      {
        status: 401,
        headers: { "www-authenticate": bearer === undefined ? challenge : `${challenge}, error="invalid_token"` }
      }
    )
  }
  return Number(headers["content-length"]) > MAX_MESSAGE_BYTES ? tooLarge : undefined
}

/** Responds to a batch, and to a body that is not JSON, with 400. The MCP server checks the rest. */
const rejectBody = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (request.method !== "POST") return undefined
  const body = yield* Effect.result(request.text)
  // A body without a length can be too large.
  if (Result.isFailure(body)) return tooLarge
  const message = Result.try((): unknown => JSON.parse(body.success))
  const response = Result.isFailure(message)
    ? JsonRpc.errorResponse(-32700, "Parse error: the body is not JSON.")
    : Array.isArray(message.success)
      ? JsonRpc.check(message.success)
      : undefined
  return response === undefined ? undefined : HttpServerResponse.jsonUnsafe(response, { status: 400 })
})

const tooLarge = HttpServerResponse.text(`Message too large: the maximum is ${MAX_MESSAGE_BYTES} bytes.\n`, {
  status: 413
})

/** Returns the host and port, or undefined for hosts that are not this machine. Prevents DNS rebinding by web pages. */
const loopbackHost = (host: string | undefined): string | undefined => {
  const url = URL.parse(`http://${host ?? ""}`)
  return url !== null && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname) ? url.host : undefined
}
