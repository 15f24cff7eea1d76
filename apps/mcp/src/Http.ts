/**
 * What stands before the tools over HTTP: only this machine is served, a request has a bound, and so have the sessions.
 * Whoever begins more than that loses the one used longest ago, and is asked to begin it again (404). What a session
 * agreed on is its version of the protocol, even where a client names another one that is offered with each request.
 */
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Headers from "effect/http/Headers"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { MAX_MESSAGE } from "./Stdin.ts"

/** Sessions at a time: many agents with several conversations each. */
export const MAX_SESSIONS = 200

const SESSION = "mcp-session-id"
const VERSION = "mcp-protocol-version"

type App<E> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** `versions` are those that have sessions. */
export const guard = <E>(app: App<E>, url: string, versions: ReadonlyArray<string>): App<E> => {
  /** The one used last stands last. */
  const sessions = new Set<string>()

  const end = (session: string) => {
    sessions.delete(session)
    const request = HttpServerRequest.fromWeb(new Request(url, { method: "DELETE", headers: { [SESSION]: session } }))
    return Effect.provideService(app, HttpServerRequest.HttpServerRequest, request)
  }

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    // A name that leads here is not enough: a web page can have one.
    if (!isHere(request.headers["host"])) {
      return HttpServerResponse.text("This server answers on 127.0.0.1 and localhost alone.\n", { status: 403 })
    }
    if (Number(request.headers["content-length"]) > MAX_MESSAGE) {
      return HttpServerResponse.text(`A message may have ${MAX_MESSAGE} bytes.\n`, { status: 413 })
    }
    const isAgreed = SESSION in request.headers && versions.includes(request.headers[VERSION] ?? "")
    const heard = isAgreed ? request.modify({ headers: Headers.remove(request.headers, VERSION) }) : request
    const response = yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, heard)
    const session = response.headers[SESSION] ?? request.headers[SESSION]
    if (session === undefined) return response
    const isKnown = sessions.delete(session)
    const isOpen =
      request.method === "DELETE" ? response.status !== 204 : isKnown || response.headers[SESSION] !== undefined
    if (isOpen) sessions.add(session)
    const [oldest] = sessions
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) yield* end(oldest)
    return response
  }).pipe(Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.bytes(MAX_MESSAGE)))
}

const isHere = (host: string | undefined): boolean => {
  const name = URL.parse(`http://${host ?? ""}`)?.hostname
  return name === "127.0.0.1" || name === "localhost" || name === "[::1]"
}
