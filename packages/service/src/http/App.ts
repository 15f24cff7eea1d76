/**
 * The service's table of contents: what happens to a request, in order, from the socket (or from a client in the same
 * process) to the answer.
 */
import { hash, randomUUID } from "node:crypto"
import * as Cause from "effect/Cause"
import * as ByteSize from "effect/ByteSize"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import {
  type Dialect,
  jsonFromService,
  mediaTypeFromService,
  mediaTypeToService,
  pathToService,
  vocabularies
} from "@tongs/core/contract/Dialect"
import { defaultVersion, type Version } from "@tongs/core/contract/Versions"
import { GitError } from "../git/GitError.ts"
import { Hosting } from "../Hosting.ts"
import * as Resources from "../resources/Resources.ts"
import * as Access from "./Access.ts"
import { type Caller, Callers } from "./Caller.ts"
import * as GitRefusal from "./GitRefusal.ts"
import type { Enveloped, Raw } from "./Handlers.ts"
import * as Input from "./Input.ts"
import * as Paging from "./Paging.ts"
import * as Refusal from "./Refusal.ts"
import * as Routes from "./Routes.ts"
import * as Urls from "./Urls.ts"
import * as Versions from "./Versions.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** What is known of a request before it is looked at closely. */
interface Arrival {
  readonly id: string
  readonly request: Request
  readonly url: URL
  /** Without the self-hosted prefix, in the documents' vocabulary, percent-encoded. */
  readonly path: string
  readonly urls: Urls.Urls
  readonly version: Version
  readonly caller: Caller | undefined
}

export class App extends Context.Service<
  App,
  {
    /** Answers any request. It never fails: a defect is a 500. */
    handle(request: Request): Effect.Effect<Response>
  }
>()("@tongs/service/http/App") {
  static readonly layer = (options: { readonly dialect: Dialect }) =>
    Layer.effect(
      App,
      Effect.gen(function* () {
        const { dialect } = options
        const callers = yield* Callers
        const hosting = yield* Hosting
        const routes = Routes.make(yield* Resources.make)

        const answer = Effect.fnUntraced(function* (arrival: Arrival) {
          const { path, request, url, urls } = arrival
          const userAgent = request.headers["user-agent"]
          if (userAgent === undefined || userAgent.trim() === "") {
            return yield* Refusal.forbidden(
              "Request forbidden by administrative rules. Please make sure your request has a User-Agent header"
            )
          }
          arrival = { ...arrival, version: yield* Versions.select(path, request.headers[vocabularies[dialect].versionHeader]) }
          const caller = yield* callers.identify(path, request.headers.authorization)
          arrival = { ...arrival, caller }
          const found = routes.find(request.method, path)
          if (found === undefined) return yield* noRoute(request.method, path)
          const { params, route } = found
          const repository = route.onRepository
            ? Option.getOrUndefined(yield* hosting.find(params.owner ?? "", params.repo ?? ""))
            : undefined
          if (route.onRepository && repository === undefined) return yield* Refusal.notFound()
          const refused = Access.check(route.entry.operation, caller, repository, !route.entry.readonly)
          if (refused !== undefined) return yield* Effect.fail(refused)
          const input = yield* route.readInput(request, params, url.searchParams)
          const page = Paging.request(url.searchParams)
          const exchange = { caller, dialect, urls, page, repository, version: arrival.version, mediaType: mediaType(dialect, request) }
          const given = yield* route.handler(input as never, exchange as never) // `Handlers` typed both
          return respond(dialect, arrival, route, page, given)
        })

        const noRoute = (method: string, path: string) => {
          const allowed = routes.methods(path)
          return allowed.length === 0
            ? Refusal.notFound()
            : Refusal.unreadable(405, `${method} is not allowed here; ${allowed.join(", ")} would be`)
        }

        const handle = Effect.fnUntraced(function* (request: Request) {
          const arrival = arrive(dialect, request)
          return yield* answer(arrival).pipe(
            Effect.catch((error) => Effect.succeed(refusal(dialect, arrival, error instanceof GitError ? GitRefusal.from(error) : error))),
            Effect.catchCause((cause) =>
              Cause.hasInterruptsOnly(cause)
                ? Effect.failCause(cause)
                : Effect.as(
                    Effect.logError(`request ${arrival.id}: ${request.method} ${arrival.path} failed`, cause),
                    refusal(dialect, arrival, Refusal.defect(arrival.id))
                  )
            ),
            Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(Input.maxBody + 1))
          )
        })

        return App.of({ handle })
      })
    )
}

const arrive = (dialect: Dialect, request: Request): Arrival => {
  const host = request.headers.host ?? "localhost"
  const protocol = request.protocol ?? "http"
  const absolute = /^https?:\/\//.test(request.originalUrl) ? request.originalUrl : `${protocol}://${host}${request.originalUrl}`
  const url = URL.canParse(absolute) ? new URL(absolute) : new URL("http://localhost/")
  // The path as it came: a URL object would resolve dot segments.
  const raw = request.url.split(/[?#]/, 1)[0] ?? "/"
  const prefixed = raw === Urls.prefix || raw.startsWith(`${Urls.prefix}/`)
  const path = pathToService(dialect, prefixed ? raw.slice(Urls.prefix.length) || "/" : raw)
  return {
    id: randomUUID(),
    request,
    url,
    path,
    urls: Urls.make(url.origin, prefixed),
    version: defaultVersion,
    caller: undefined
  }
}

/** `raw` of `application/vnd.service.raw+json` or `application/vnd.service-commitcomment.raw+json`. */
const mediaType = (dialect: Dialect, request: Request): string | undefined =>
  /application\/vnd\.service(?:-commitcomment)?(?:\.v3)?\.([\w-]+)/.exec(
    mediaTypeToService(dialect, request.headers.accept ?? "")
  )?.[1]

const common = (dialect: Dialect, { id, version }: Arrival) => ({
  "x-request-id": id,
  [vocabularies[dialect].versionSelectedHeader]: version
})

const isSlice = (value: unknown): value is Paging.Slice<unknown> & Partial<Pick<Enveloped<unknown>, "wrap">> =>
  typeof value === "object" && value !== null && "items" in value && "total" in value

const isRaw = (value: unknown): value is Raw => typeof value === "object" && value !== null && "_tag" in value && value._tag === "Raw"

const respond = (dialect: Dialect, arrival: Arrival, route: Routes.Route, page: Paging.PageRequest, given: unknown): Response => {
  const headers: Record<string, string> = common(dialect, arrival)
  if (given === undefined) return HttpServerResponse.empty({ status: 204, headers })
  if (isRaw(given)) return conditional(arrival, headers, given.body, mediaTypeFromService(dialect, given.contentType), 200)
  let value: unknown = given
  if (isSlice(given)) {
    const link = Paging.linkHeader(arrival.url, page, given.total)
    if (link !== undefined) headers.link = link
    value = given.wrap === undefined ? given.items : given.wrap(given.items)
  }
  const json = jsonFromService(dialect, JSON.stringify(Versions.project(route.name, arrival.version, value, arrival.urls.api)))
  return conditional(arrival, headers, json, "application/json; charset=utf-8", route.status)
}

/** GET answers carry an ETag, which is the token's own, and become 304 when the caller has them (spec part 4). */
const conditional = (
  { caller, request }: Arrival,
  headers: Record<string, string>,
  body: string | Uint8Array,
  contentType: string,
  status: number
): Response => {
  if (request.method === "GET" || request.method === "HEAD") {
    const owner = caller === undefined || caller.kind === "anonymous" ? "" : caller.tokenHash.slice(0, 8)
    headers.etag = `W/"${hash("sha1", body)}${owner}"`
    headers["cache-control"] = "private, max-age=60, s-maxage=60"
    headers.vary = "Accept, Authorization"
    if (matches(request.headers["if-none-match"], headers.etag)) return HttpServerResponse.empty({ status: 304, headers })
  }
  return typeof body === "string"
    ? HttpServerResponse.text(body, { status, headers, contentType })
    : HttpServerResponse.uint8Array(body, { status, headers, contentType })
}

const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(",").some((candidate) => candidate.trim() === "*" || candidate.trim().replace(/^W\//, "") === etag.slice(2))

const refusal = (dialect: Dialect, arrival: Arrival, error: Refusal.Refusal): Response => {
  const status = Refusal.status(error)
  const headers = { ...common(dialect, arrival), ...Refusal.headers(error, dialect) }
  return HttpServerResponse.text(Refusal.body(error), { status, headers, contentType: "application/json; charset=utf-8" })
}

