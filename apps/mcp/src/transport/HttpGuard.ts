/**
 * Checks HTTP requests before they reach the MCP server: host, bearer token and size. Limits the number of sessions.
 * Each session keeps the protocol version of its `initialize`, even if a request names another supported version.
 */
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Headers from "effect/http/Headers"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ServerSecret from "@tongs/connection/base/ServerSecret"
import * as HttpSessions from "./HttpSessions.ts"
import * as JsonRpc from "./JsonRpc.ts"
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
}

type App<E> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** Responds to invalid requests with 400, 401, 403 or 413, and passes valid requests to `app`. */
export const guard = <E>(app: App<E>, { token, url, versions }: Options): App<E> => {
  const sessions = HttpSessions.make()

  const endSession = (session: string) => {
    sessions.remove(session)
    const headers = { [SESSION_HEADER]: session }
    const request = HttpServerRequest.fromWeb(new Request(url, { method: "DELETE", headers }))
    return Effect.provideService(app, HttpServerRequest.HttpServerRequest, request)
  }

  const useSession = (session: string) =>
    Effect.acquireRelease(
      Effect.sync(() => sessions.beginRequest(session)),
      () => Effect.sync(() => sessions.endRequest(session))
    )

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const rejection = reject(request.headers, token)
    if (rejection !== undefined) return rejection
    const session = request.headers[SESSION_HEADER]
    if (session !== undefined && sessions.has(session)) yield* useSession(session)
    const isSupported = session !== undefined && versions.includes(request.headers[VERSION_HEADER] ?? "")
    const checked = isSupported ? request.modify({ headers: Headers.remove(request.headers, VERSION_HEADER) }) : request
    const invalid = yield* rejectBody(checked)
    if (invalid !== undefined) return invalid
    const response = yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, checked)
    if (session !== undefined && request.method === "DELETE" && response.status === 204) sessions.remove(session)
    // The MCP server sets the session header of a new session in a pre-response handler. Only later handlers see it.
    yield* HttpEffect.appendPreResponseHandler((_, sent) => {
      const created = sent.headers[SESSION_HEADER]
      if (created === undefined || sessions.has(created)) return Effect.succeed(sent)
      sessions.beginRequest(created)
      sessions.endRequest(created)
      const excess = sessions.excessSession()
      return excess === undefined
        ? Effect.succeed(sent)
        : Effect.as(Effect.ignoreCause(Effect.scoped(endSession(excess))), sent)
    })
    return response
  }).pipe(Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.bytes(MAX_MESSAGE_BYTES)))
}

const reject = (headers: Headers.Headers, token: Redacted.Redacted) => {
  // Prevents DNS rebinding: a web page's host name can resolve to this machine.
  if (!isLoopback(headers["host"])) {
    return HttpServerResponse.text("This server accepts only the hosts 127.0.0.1, localhost and [::1].\n", {
      status: 403
    })
  }
  const bearer = /^bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
  if (bearer === undefined || !ServerSecret.equals(bearer, Redacted.value(token))) {
    const challenge = 'Bearer realm="tongs mcp"'
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

/** Responds to an invalid batch with 400. The MCP server checks single messages itself. */
const rejectBody = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (request.method !== "POST") return undefined
  const body = yield* Effect.result(request.text)
  // A body without a length can be too large.
  if (Result.isFailure(body)) return tooLarge
  if (!body.success.trimStart().startsWith("[")) return undefined
  const response = Result.getOrUndefined(
    Result.map(
      Result.try((): unknown => JSON.parse(body.success)),
      JsonRpc.check
    )
  )
  return response === undefined ? undefined : HttpServerResponse.jsonUnsafe(response, { status: 400 })
})

const tooLarge = HttpServerResponse.text(`Message too large: the maximum is ${MAX_MESSAGE_BYTES} bytes.\n`, {
  status: 413
})

const isLoopback = (host: string | undefined): boolean => {
  const name = URL.parse(`http://${host ?? ""}`)?.hostname
  return name === "127.0.0.1" || name === "localhost" || name === "[::1]"
}
