/** The explorer's own API: what the page may ask for, each answered from the typed Forge. All of it only reads. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Connection } from "@tongs/connection/Connection"
import type { Forge } from "@tongs/core/client/Forge"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Scheduler } from "@tongs/core/limits/Scheduler"
import type * as Wire from "../Wire.ts"
import * as Address from "./Address.ts"
import * as Answer from "./Answer.ts"
import * as Beyond from "./Beyond.ts"
import * as Overview from "./Overview.ts"
import * as Raw from "./Raw.ts"
import * as Search from "./Search.ts"
import * as Source from "./Source.ts"

type Handler = (
  query: URLSearchParams
) => Effect.Effect<unknown, BadRequest | Failure.Failure, Connection | Forge | Scheduler>

/** The request lacks something; `name` is the parameter. */
interface BadRequest {
  readonly _tag: "BadRequest"
  readonly name: string
}

const routes: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["/api/connection", () => Overview.connection()],
  ["/api/repositories", () => Overview.repositories()],
  ["/api/pulse", (query) => Overview.pulse(query.getAll("repo").flatMap(named))],
  ["/api/search", (query) => Effect.flatMap(need(query, "q"), (q) => Search.page(q, pageOf(query)))],
  ["/api/file", (query) => Effect.flatMap(target(query), Source.file)],
  ["/api/tree", (query) => Effect.flatMap(target(query), Source.tree)],
  ["/api/refs", (query) => Effect.flatMap(place(query), Source.refs)],
  ["/api/history", (query) => Effect.flatMap(target(query), (target) => Source.history(target, pageOf(query)))],
  ["/api/raw", (query) => Effect.flatMap(target(query), Raw.raw)]
])

/** Every path of the API. */
export const paths: ReadonlyArray<string> = [...routes.keys(), ...Beyond.PATHS]

/** The API for its paths, `page` for all others. */
export const make = (
  page: (request: HttpServerRequest.HttpServerRequest, pathname: string) => HttpServerResponse.HttpServerResponse
) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const address = Address.of(request)
    if (address === undefined) return Answer.refused(400, "BadRequest", "This is no address of the explorer.")
    const { pathname, searchParams } = address
    if (!Address.isApi(address)) return page(request, pathname)
    if (Beyond.has(pathname)) return yield* Beyond.pass(pathname, searchParams)
    const handler = routes.get(pathname)
    if (handler === undefined) return Answer.refused(404, "NotFound", `There is no ${pathname}.`)
    const body = yield* handler(searchParams)
    return HttpServerResponse.isHttpServerResponse(body) ? body : Answer.json(body)
  }).pipe(
    Effect.catch((error) =>
      Effect.succeed(
        error._tag === "BadRequest"
          ? Answer.refused(400, "BadRequest", `The parameter ${error.name} is missing.`)
          : Answer.failure(error)
      )
    ),
    Effect.catchDefect((defect) =>
      Effect.logError(defect).pipe(Effect.as(Answer.refused(500, "Defect", "The explorer failed; its log says how.")))
    )
  )

const need = (query: URLSearchParams, name: string): Effect.Effect<string, BadRequest> => {
  const value = query.get(name)
  return value === null || value === "" ? Effect.fail({ _tag: "BadRequest", name }) : Effect.succeed(value)
}

const place = (query: URLSearchParams) => Effect.all({ owner: need(query, "owner"), repo: need(query, "repo") })

/** `owner/name`. */
const named = (name: string): ReadonlyArray<Wire.Place> => {
  const [owner = "", repo = "", ...more] = name.split("/")
  return owner === "" || repo === "" || more.length > 0 ? [] : [{ owner, repo }]
}

const target = (query: URLSearchParams) =>
  Effect.map(place(query), (place) => ({
    ...place,
    path: query.get("path") ?? "",
    ref: query.get("ref") ?? undefined
  }))

const pageOf = (query: URLSearchParams): number => {
  const page = Number(query.get("page") ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}
