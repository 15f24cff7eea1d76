/**
 * The checks before the tools over HTTP: the host name, the bearer token, the size of a message, and the number of
 * sessions. A session keeps the protocol version of its `initialize`, even if a request names another offered version.
 */
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Headers from "effect/http/Headers"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ServerSecret from "@tongs/connection/base/ServerSecret"
import * as HttpSessions from "./HttpSessions.ts"
import { MAX_MESSAGE_BYTES } from "./StdioMessages.ts"

const SESSION = "mcp-session-id"
const VERSION = "mcp-protocol-version"

export interface Options {
  readonly url: string
  readonly token: Redacted.Redacted
  /** The protocol versions that have sessions. */
  readonly versions: ReadonlyArray<string>
}

type App<E> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>

export const guard = <E>(app: App<E>, { token, url, versions }: Options): App<E> => {
  const sessions = HttpSessions.make()

  const end = (session: string) => {
    sessions.remove(session)
    const request = HttpServerRequest.fromWeb(new Request(url, { method: "DELETE", headers: { [SESSION]: session } }))
    return Effect.provideService(app, HttpServerRequest.HttpServerRequest, request)
  }

  const use = (session: string) =>
    Effect.acquireRelease(
      Effect.sync(() => sessions.beginRequest(session)),
      () => Effect.sync(() => sessions.endRequest(session))
    )

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const refusal = refused(request.headers, token)
    if (refusal !== undefined) return refusal
    const session = request.headers[SESSION]
    if (session !== undefined && sessions.has(session)) yield* use(session)
    const isAgreed = session !== undefined && versions.includes(request.headers[VERSION] ?? "")
    const checked = isAgreed ? request.modify({ headers: Headers.remove(request.headers, VERSION) }) : request
    const response = yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, checked)
    if (session !== undefined && request.method === "DELETE" && response.status === 204) sessions.remove(session)
    // The server adds the header of a new session in a handler of this kind: only a later one sees it.
    yield* HttpEffect.appendPreResponseHandler((_, sent) => {
      const created = sent.headers[SESSION]
      if (created === undefined || sessions.has(created)) return Effect.succeed(sent)
      sessions.beginRequest(created)
      sessions.endRequest(created)
      const surplus = sessions.excessSession()
      return surplus === undefined
        ? Effect.succeed(sent)
        : Effect.as(Effect.ignoreCause(Effect.scoped(end(surplus))), sent)
    })
    return response
  }).pipe(Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.bytes(MAX_MESSAGE_BYTES)))
}

const refused = (headers: Headers.Headers, token: Redacted.Redacted) => {
  // A web page can have a host name that resolves to this machine (DNS rebinding).
  if (!isLoopback(headers["host"])) {
    return HttpServerResponse.text("This server answers on 127.0.0.1 and localhost alone.\n", { status: 403 })
  }
  const given = /^bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
  if (given === undefined || !ServerSecret.equals(given, Redacted.value(token))) {
    const challenge = 'Bearer realm="tongs mcp"'
    return HttpServerResponse.text(
      "This server needs its bearer token, which `tongs mcp --http` prints at start: send `Authorization: Bearer TOKEN`.\n",
      {
        status: 401,
        headers: { "www-authenticate": given === undefined ? challenge : `${challenge}, error="invalid_token"` }
      }
    )
  }
  if (Number(headers["content-length"]) > MAX_MESSAGE_BYTES) {
    return HttpServerResponse.text(`A message can have at most ${MAX_MESSAGE_BYTES} bytes.\n`, { status: 413 })
  }
  return undefined
}

const isLoopback = (host: string | undefined): boolean => {
  const name = URL.parse(`http://${host ?? ""}`)?.hostname
  return name === "127.0.0.1" || name === "localhost" || name === "[::1]"
}
