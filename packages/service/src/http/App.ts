/**
 * The service's table of contents: what happens to a request, in order, from the socket (or from a client in the same
 * process) to the answer.
 */
import { hash, randomUUID } from "node:crypto"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
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
import { Downloads } from "../artifacts/Downloads.ts"
import { GitError } from "../git/GitError.ts"
import * as Resources from "../resources/Resources.ts"
import { StoreRevision } from "../storage/Sqlite.ts"
import * as AnswerCache from "./AnswerCache.ts"
import * as Access from "./Access.ts"
import { type Caller, Callers, isScoped } from "./Caller.ts"
import * as Cors from "./Cors.ts"
import * as GitRefusal from "./GitRefusal.ts"
import type { Enveloped, Raw, Redirect } from "./Handlers.ts"
import { Insights } from "./Insights.ts"
import { type Admission, Limits } from "./Limits.ts"
import * as Paging from "./Paging.ts"
import * as Refusal from "./Refusal.ts"
import * as Routes from "./Routes.ts"
import * as Target from "./Target.ts"
import * as Urls from "./Urls.ts"
import * as Versions from "./Versions.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** What is known of a request; the last five once it has been looked at. */
interface Arrival {
  readonly id: string
  readonly request: Request
  /** Without the self-hosted prefix, in the documents' vocabulary, percent-encoded. */
  readonly path: string
  readonly query: URLSearchParams
  /** The address that the caller used, without the query. */
  readonly address: string
  readonly urls: Urls.Urls
  version: Version
  caller: Caller | undefined
  found: Routes.Found | undefined
  admission: Admission | undefined
  target: Target.Target | undefined
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
        const downloads = yield* Downloads
        const cors = Cors.make(dialect)
        const insights = yield* Insights
        const limits = yield* Limits
        const findTarget = yield* Target.make
        const routes = Routes.make(yield* Resources.make)
        const kept = AnswerCache.make(yield* StoreRevision)

        const answer = Effect.fnUntraced(function* (arrival: Arrival) {
          const { path, query, request, urls } = arrival
          if (downloads.has(path)) return yield* downloads.answer(request, path, query)
          const userAgent = request.headers["user-agent"]
          if (userAgent === undefined || userAgent.trim() === "") {
            return yield* Refusal.forbidden(
              "Request forbidden by administrative rules. Please make sure your request has a User-Agent header"
            )
          }
          arrival.version = yield* Versions.select(path, request.headers[vocabularies[dialect].versionHeader])
          const caller = yield* callers.identify(path, request.headers.authorization)
          arrival.caller = caller
          const found = routes.find(request.method, path)
          if (found === undefined) return noRoute(arrival)
          arrival.found = found
          const { params, route } = found
          yield* admit(arrival, caller, route)
          const target = yield* findTarget(route.target, params, caller)
          arrival.target = target
          const refused = Access.check(route.entry.operation, caller, target, !route.entry.readonly)
          if (refused !== undefined) return yield* refused
          const input = yield* route.readInput(request, params, query)
          const page = Paging.request(query, route.entry.operation.perPage)
          const { version } = arrival
          const address = addressOf(request)
          const exchange = { ...target, address, caller, dialect, urls, page, version, mediaType: mediaType(dialect, request) }
          const made = Effect.map(route.handle(input, exchange), (given) => respond(dialect, arrival, route, page, given))
          const { repository } = target
          if (repository === undefined || !route.entry.readonly) return yield* made
          const key = [exchange.mediaType, arrival.version, caller.kind === "anonymous" ? "" : caller.tokenHash, request.url, urls.api]
          return yield* kept(route.entry.group, repository, key.join(" "), made)
        })

        const admit = Effect.fnUntraced(function* (arrival: Arrival, caller: Caller, { entry }: Routes.Route) {
          const { endpoint, operation } = entry
          const { method } = arrival.request
          const { resource } = operation
          const admission = yield* limits.admit({
            caller,
            address: addressOf(arrival.request),
            resource,
            endpoint: `${method} ${endpoint.path}`,
            method,
            points: operation.points
          })
          arrival.admission = admission
          if (admission.exceeded === undefined) return
          return yield* Refusal.limited(resource, admission.exceeded, yield* Clock.currentTimeMillis)
        })

        const noRoute = (arrival: Arrival): Response => {
          const { path, request } = arrival
          const allowed = routes.methods(path)
          if (allowed.length === 0) return refusal(dialect, arrival, Refusal.notFound())
          if (request.method === "OPTIONS") return cors.preflight(allowed)
          const detail = `${request.method} is not allowed here; ${allowed.join(", ")} would be`
          return HttpServerResponse.setHeader(
            refusal(dialect, arrival, Refusal.unreadable(405, detail)),
            "allow",
            allowed.join(", ")
          )
        }

        const done = (arrival: Arrival, free: boolean) => {
          const { admission, caller, found, request, target } = arrival
          const limited = admission?.exceeded !== undefined
          return Effect.andThen(
            settle(arrival, free),
            insights.count({ method: request.method, caller, found, target, limited })
          )
        }

        const handle = (request: Request) => {
          const arrival = arrive(dialect, request)
          const answered = answer(arrival).pipe(
            Effect.catch((error) =>
              error instanceof GitError
                ? Effect.as(logGit(arrival, error), refusal(dialect, arrival, GitRefusal.from(error)))
                : Effect.succeed(refusal(dialect, arrival, error))
            ),
            Effect.catchCauseIf(
              (cause) => !Cause.hasInterruptsOnly(cause),
              (cause) =>
                Effect.as(
                  Effect.logError(`request ${arrival.id}: ${request.method} ${arrival.path} failed`, cause),
                  refusal(dialect, arrival, Refusal.defect(arrival.id))
                )
            )
          )
          return Effect.flatMap(Effect.onInterrupt(answered, () => settle(arrival, false)), (whole) => {
            const response = conditional(arrival, whole)
            return Effect.map(done(arrival, response.status === 304), () => stamped(arrival, response, cors))
          })
        }

        return App.of({ handle })
      })
    )
}

/** Where a request comes from. */
const addressOf = ({ remoteAddress }: Request) => Option.getOrElse(remoteAddress, () => "this process")

const settle = ({ admission }: Arrival, free: boolean) => admission?.settle(free) ?? Effect.void

/** The answer with what belongs to this request alone: its id, and the state of the budget once it is made. */
const stamped = ({ admission, id }: Arrival, response: Response, { headers }: Cors.Cors): Response => {
  const retryAfter = admission?.exceeded?.retryAfter
  return HttpServerResponse.setHeaders(response, {
    ...headers,
    "x-request-id": id,
    ...admission?.headers(),
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) })
  })
}

const arrive = (dialect: Dialect, request: Request): Arrival => {
  // The path as it came: a URL object would resolve dot segments.
  const [raw, query] = split(request.url)
  const origin = Urls.origin(request.originalUrl, request.headers["x-forwarded-proto"])
  const prefixed = raw === Urls.prefix || raw.startsWith(`${Urls.prefix}/`)
  return {
    id: randomUUID(),
    request,
    path: pathToService(dialect, prefixed ? raw.slice(Urls.prefix.length) || "/" : raw),
    query: new URLSearchParams(query),
    address: origin + raw,
    urls: Urls.make(origin, prefixed),
    version: defaultVersion,
    caller: undefined,
    found: undefined,
    admission: undefined,
    target: undefined
  }
}

/** The path of a request's target, and its query, if any. */
const split = (target: string): readonly [string, string?] => {
  const mark = target.search(/[?#]/)
  if (mark === -1) return [target]
  const end = target.indexOf("#", mark)
  return [target.slice(0, mark), target.slice(mark, end === -1 ? undefined : end)]
}

/** Git's own words stay on this side where they are no answer. */
const logGit = ({ id, path, request }: Arrival, error: GitError) =>
  GitRefusal.from(error)._tag === "ServiceFailed"
    ? Effect.logError(`request ${id}: ${request.method} ${path} failed: ${error.message}`)
    : Effect.void

/** `raw` of `application/vnd.service.raw+json` or `application/vnd.service-commitcomment.raw+json`. */
const mediaType = (dialect: Dialect, request: Request): string | undefined =>
  /application\/vnd\.service(?:-commitcomment)?(?:\.v3)?\.([\w-]+)/.exec(
    mediaTypeToService(dialect, request.headers.accept ?? "")
  )?.[1]

const common = (dialect: Dialect, { caller, version }: Arrival): Record<string, string> => ({
  [vocabularies[dialect].versionSelectedHeader]: version,
  ...(caller !== undefined && caller.kind !== "anonymous" && isScoped(caller)
    ? { "x-oauth-scopes": caller.scopes.join(", ") }
    : {})
})

const isSlice = (value: unknown): value is Paging.Slice<unknown> & Partial<Pick<Enveloped<unknown>, "wrap">> =>
  typeof value === "object" && value !== null && "items" in value && "total" in value

const isRaw = (value: unknown): value is Raw => typeof value === "object" && value !== null && "_tag" in value && value._tag === "Raw"

const isRedirect = (value: unknown): value is Redirect =>
  typeof value === "object" && value !== null && "_tag" in value && value._tag === "Redirect"

const respond = (dialect: Dialect, arrival: Arrival, route: Routes.Route, page: Paging.PageRequest, given: unknown): Response => {
  const headers = common(dialect, arrival)
  if (given === undefined) return HttpServerResponse.empty({ status: 204, headers })
  if (isRedirect(given)) {
    return HttpServerResponse.empty({ status: route.entry.status, headers: { ...headers, location: given.location } })
  }
  if (isRaw(given)) return success(arrival, headers, given.body, mediaTypeFromService(dialect, given.contentType), 200)
  let value: unknown = given
  if (isSlice(given)) {
    const link = Paging.linkHeader(arrival.address, arrival.query, page, given.total)
    if (link !== undefined) headers.link = link
    value = given.wrap === undefined ? given.items : given.wrap(given.items)
  }
  const created = route.entry.status === 201 ? locationOf(value) : undefined
  if (created !== undefined) headers.location = created
  const json = jsonFromService(dialect, JSON.stringify(Versions.project(route.name, arrival.version, value, arrival.urls.api)))
  return success(arrival, headers, json, "application/json; charset=utf-8", route.entry.status)
}

/** Where a resource is that was made. */
const locationOf = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null && "url" in value && typeof value.url === "string" ? value.url : undefined

/** The answer of a success. Those of reads carry an ETag, which is the token's own (spec part 4, "Conditional requests"). */
const success = (
  { caller, request }: Arrival,
  headers: Record<string, string>,
  body: string | Uint8Array,
  contentType: string,
  status: number
): Response => {
  if (request.method === "GET" || request.method === "HEAD") {
    const owner = caller === undefined || caller.kind === "anonymous" ? "" : caller.tokenHash.slice(0, 8)
    headers.etag = `W/"${hash("sha1", body)}${owner}"`
    headers["cache-control"] = "private, max-age=60"
    headers.vary = "Accept, Authorization"
  }
  return typeof body === "string"
    ? HttpServerResponse.text(body, { status, headers, contentType })
    : HttpServerResponse.uint8Array(body, { status, headers, contentType })
}

/** 304 for an answer that the caller has. */
const conditional = ({ request }: Arrival, response: Response): Response => {
  const { etag } = response.headers
  if (etag === undefined || !matches(request.headers["if-none-match"], etag)) return response
  const { "content-length": _, "content-type": __, ...headers } = response.headers
  return HttpServerResponse.empty({ status: 304, headers })
}

const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(",").some((candidate) => candidate.trim() === "*" || candidate.trim().replace(/^W\//, "") === etag.slice(2))

const refusal = (dialect: Dialect, arrival: Arrival, error: Refusal.Refusal): Response => {
  const status = Refusal.status(error)
  const headers = { ...common(dialect, arrival), ...Refusal.headers(error, dialect) }
  return HttpServerResponse.text(Refusal.body(error), { status, headers, contentType: "application/json; charset=utf-8" })
}

