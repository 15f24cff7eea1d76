/**
 * The HTTP application: the steps from a request to its response, in order. Requests come from a socket or from a client
 * in the same process.
 */
import { randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as HttpBody from "effect/http/HttpBody"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Dialect, vocabularies } from "@tongs/core/contract/Dialect"
import { type AdmitRequest, AppEndpoints } from "./AppEndpoints.ts"
import { GraphQl } from "../features/graphql/GraphQl.ts"
import { SmartHttp } from "../features/smartHttp/SmartHttp.ts"
import { Downloads } from "../features/Downloads.ts"
import type { GitError } from "../git/values/GitError.ts"
import * as Features from "../features/Features.ts"
import { StoreRevision } from "../storage/Sqlite.ts"
import * as OperationAccess from "../api/OperationAccess.ts"
import * as ItemCache from "./ItemCache.ts"
import * as ResponseCache from "./ResponseCache.ts"
import { clientAddress, type IncomingRequest, fromRequest, type Request } from "./IncomingRequest.ts"
import { Callers } from "../access/Caller.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import * as Cors from "./Cors.ts"
import * as ErrorRecovery from "./ErrorRecovery.ts"
import { RequestRecorder } from "../features/insights/RequestRecorder.ts"
import { RateLimits } from "../access/RateLimits.ts"
import * as Paging from "../base/Paging.ts"
import * as ReadyEffects from "../base/ReadyEffects.ts"
import * as ApiError from "../api/ApiError.ts"
import {
  conditionalResponse,
  redirectResponse,
  pairsOf,
  type ReadyResponse,
  readyResponse,
  respond,
  withCommonHeaders,
  jsonResponse
} from "./Responses.ts"
import * as NoRoute from "./NoRoute.ts"
import * as Routes from "./Routes.ts"
import * as UnimplementedOperations from "./UnimplementedOperations.ts"
import { readJson } from "../api/RequestInput.ts"
import * as RequestTarget from "../api/RequestTarget.ts"
import * as Urls from "../api/Urls.ts"
import * as VersionChanges from "./VersionChanges.ts"

type Response = HttpServerResponse.HttpServerResponse

export class App extends Context.Service<
  App,
  {
    /** The dialect of requests and responses. */
    readonly dialect: Dialect
    /** Handles a request. Never fails; a defect becomes a 500 response. */
    handle(request: HttpServerRequest.HttpServerRequest): Effect.Effect<Response>
    /**
     * Returns the cached response to a repeated request, without starting a fiber, or `undefined` if it is not cached or
     * a dependency has changed.
     */
    answerFromCache(
      method: string,
      head: ResponseCache.RequestHead,
      lookup: ResponseCache.CacheLookup
    ): ReadyResponse | undefined
    /** Starts the lookup of the cached response to a request. */
    lookUp(head: ResponseCache.RequestHead): ResponseCache.CacheLookup
    /**
     * Starts to handle a read of the contract. Returns the response if no step has to wait, as for data in memory, or an
     * effect that completes the request. Returns `undefined` for other requests.
     */
    start(request: Request, lookup: ResponseCache.CacheLookup): ReadyResponse | Effect.Effect<Response> | undefined
  }
>()("@tongs/service/http/App") {
  static readonly layer = ({ data, dialect }: { readonly data: string; readonly dialect: Dialect }) =>
    Layer.effect(
      App,
      Effect.gen(function* () {
        const apps = yield* AppEndpoints
        const callers = yield* Callers
        const downloads = yield* Downloads
        const graphQl = yield* GraphQl
        const smartHttp = yield* SmartHttp
        const cors = Cors.make(dialect)
        const registry = yield* RepositoryRegistry
        const recover = ErrorRecovery.make({
          data,
          dialect,
          isDeleted: ({ row }) => Effect.map(registry.list, (rows) => rows.every(({ id }) => id !== row.id)),
          isGit: (path) => smartHttp.has(path)
        })
        const insights = yield* RequestRecorder
        const limits = yield* RateLimits
        const findTarget = yield* RequestTarget.make
        const unimplemented = UnimplementedOperations.make(dialect)
        const routes = Routes.make(yield* Features.handlers, dialect, unimplemented)
        const noRoute = NoRoute.make(dialect, cors, unimplemented, (path) => [
          ...routes.methods(path),
          ...apps.methods(path)
        ])
        const cache = ResponseCache.make(yield* StoreRevision)
        const items = ItemCache.make()
        const clock = yield* Clock.Clock

        const lookUp = (
          head: ResponseCache.RequestHead,
          origin = Urls.originOfHost(head.headers.host, head.headers["x-forwarded-proto"])
        ) => cache.lookup(dialect, head, origin, clock.currentTimeMillisUnsafe())

        const answer = (incoming: IncomingRequest) => {
          const { request, urls } = incoming
          if (!isRead(request.method) || lacksUserAgent(request.headers)) return answerUncached(incoming)
          const lookup = lookUp(request, urls.html)
          const known = cache.find(lookup)
          if (known === undefined) return answerUncached(incoming, { lookup })
          const { caller, found, response, target, version } = known
          Object.assign(incoming, { caller, found, target, version })
          return Effect.as(admit(incoming), response)
        }

        /** Runs at once up to the first step that waits. */
        const answerUncached = Effect.fnUntracedEager(function* (
          incoming: IncomingRequest,
          known: { readonly lookup?: ResponseCache.CacheLookup; readonly route?: Routes.MatchedRoute } = {}
        ) {
          const { path, query, request, urls } = incoming
          if (lacksUserAgent(request.headers)) {
            return yield* ApiError.forbidden(
              "Request forbidden by administrative rules. Please make sure your request has a User-Agent header"
            )
          }
          incoming.version = yield* VersionChanges.select(path, request.headers[vocabularies[dialect].versionHeader])
          if (apps.has(path)) {
            const method = request.method === "HEAD" ? "GET" : request.method
            return apps.methods(path).includes(method)
              ? yield* apps.answer(dialect, incoming, (counted) => enter(incoming, counted))
              : noRoute(incoming)
          }
          const found = known.route ?? routes.find(request.method, path)
          // The answer is the same for all callers, so it needs no valid token.
          if (found === undefined && unimplemented.find(request.method, path) !== undefined) return noRoute(incoming)
          const caller = yield* callers.identify(path, request.headers.authorization)
          incoming.caller = caller
          if (graphQl.has(request.method, path)) {
            yield* enter(incoming, { caller, resource: "core", points: 1, endpoint: "POST /graphql" })
            const result = yield* graphQl.answer(yield* readJson(request), { caller, urls })
            return jsonResponse(dialect, incoming, 200, result)
          }
          if (found === undefined) return noRoute(incoming)
          incoming.found = found
          const { params, route } = found
          yield* admit(incoming)
          const target = yield* findTarget(route.target, params, caller)
          incoming.target = target
          if (target.renamed === true && target.repository !== undefined)
            return redirectResponse(incoming, target.repository)
          const refused = OperationAccess.accessError(route.entry.operation, caller, target, !route.entry.readonly)
          if (refused !== undefined) return yield* refused
          const input = VersionChanges.upgrade(
            route.name,
            incoming.version,
            yield* route.readInput(request, params, query)
          )
          const page = Paging.request(query, route.entry.operation.perPage)
          const { version } = incoming
          const address = clientAddress(request)
          const context = {
            ...target,
            address,
            caller,
            dialect,
            urls,
            page,
            version,
            mediaType: incoming.mediaType
          }
          const made = () =>
            ReadyEffects.flatMap(route.handle(input, context), (given) =>
              ReadyEffects.map(respond(dialect, incoming, route, page, given, items), (response) =>
                Stream.isStream(given) ? untilSent(incoming, response) : response
              )
            )
          return yield* known.lookup === undefined ? made() : cache.getOrRun(known.lookup, incoming, made)
        })

        const admit = (incoming: IncomingRequest) => {
          const { caller, found } = incoming
          if (!limits.enforced || caller === undefined || found === undefined) return Effect.void
          const { endpoint, operation } = found.route.entry
          const { points, resource } = operation
          const { method } = incoming.request
          return enter(incoming, { caller, resource, points, endpoint: `${method} ${endpoint.path}` })
        }

        /** Counts a request towards the rate limits. Fails if it exceeds one. */
        const enter = Effect.fnUntraced(function* (incoming: IncomingRequest, counted: Parameters<AdmitRequest>[0]) {
          const { request } = incoming
          const admission = yield* limits.admit({ ...counted, address: clientAddress(request), method: request.method })
          incoming.admission = admission
          if (admission.exceeded === undefined) return
          return yield* ApiError.rateLimited(counted.resource, admission.exceeded, yield* Clock.currentTimeMillis)
        })

        const count = (method: string, { caller, found, target }: Counted, limited: boolean, now: number) => {
          if (found === undefined) return
          const organization = organizationOf(found, target)
          insights.count({ method, caller, route: found.route.template, organization, limited }, now)
        }

        const done = (incoming: IncomingRequest, free: boolean) => {
          const { admission, request } = incoming
          count(request.method, incoming, admission?.exceeded !== undefined, clock.currentTimeMillisUnsafe())
          return settle(incoming, free)
        }

        /** Answers a request outside of the contract: a download or a transfer of git. */
        const outside = (request: HttpServerRequest.HttpServerRequest, { path, query, urls }: IncomingRequest) => {
          if (downloads.has(path)) return downloads.answer(request, path, query)
          if (!smartHttp.has(path)) return undefined
          // Web pages can use git with their own token, as they can use the API.
          if (request.method === "OPTIONS") return Effect.succeed(cors.preflight(["GET", "POST"]))
          return smartHttp.answer({ request, path, query, urls, address: clientAddress(request) })
        }

        const handle = (request: HttpServerRequest.HttpServerRequest) =>
          Effect.suspend(() => {
            const incoming = fromRequest(dialect, request)
            const answered = outside(request, incoming) ?? answer(incoming)
            return Effect.map(complete(incoming, answered), (response) => withCommonHeaders(incoming, response, cors))
          })

        /** Turns errors into responses, and settles the rate limits. */
        const complete = (incoming: IncomingRequest, answer: Effect.Effect<Response, ApiError.ApiError | GitError>) => {
          const finish = (whole: Response) => {
            const response = conditionalResponse(incoming.request.headers, whole)
            return ReadyEffects.map(done(incoming, response.status === 304), () => response)
          }
          const known = ReadyEffects.valueOf(answer)
          return known === undefined ? completeLater(incoming, answer, finish) : finish(known.value)
        }

        const completeLater = (
          incoming: IncomingRequest,
          answer: Effect.Effect<Response, ApiError.ApiError | GitError>,
          finish: (whole: Response) => Effect.Effect<Response>
        ) => {
          const answered = recover(incoming, answer)
          // Settles the rate limits of every admitted request, also after an interruption.
          return Effect.uninterruptibleMask((restore) =>
            Effect.flatMap(
              Effect.onInterrupt(restore(answered), () => settle(incoming, false)),
              finish
            )
          )
        }

        const onEvery = Object.entries(cors.headers).flat()

        const answerFromCache = (
          method: string,
          { headers, url }: ResponseCache.RequestHead,
          lookup: ResponseCache.CacheLookup
        ): ReadyResponse | undefined => {
          if (limits.enforced || !isRead(method) || !url.startsWith("/") || lacksUserAgent(headers)) return undefined
          const known = cache.find(lookup)
          if (known === undefined) return undefined
          count(method, known, false, lookup.now)
          const response = conditionalResponse(headers, known.response)
          const isWhole = response === known.response
          const own = isWhole ? known.headers : pairsOf(response.headers)
          return {
            status: response.status,
            headers: [...own, ...onEvery, "x-request-id", randomUUID()],
            body: isWhole && method === "GET" ? known.body : undefined
          }
        }

        const run = Effect.runForkWith(yield* Effect.context())
        const start = (
          request: Request,
          lookup: ResponseCache.CacheLookup
        ): ReadyResponse | Effect.Effect<Response> | undefined => {
          if (!isRead(request.method) || !request.url.startsWith("/")) return undefined
          const incoming = fromRequest(dialect, request, lookup.origin)
          const route = routes.find(request.method, incoming.path)
          if (route === undefined) return undefined
          const answered = limits.enforced ? answer(incoming) : answerUncached(incoming, { lookup, route })
          const completed = ReadyEffects.start(complete(incoming, answered), run)
          const known = ReadyEffects.valueOf(completed)
          const ready = known === undefined ? undefined : readyResponse(incoming, known.value, onEvery)
          if (ready !== undefined) return ready
          return Effect.map(completed, (response) => withCommonHeaders(incoming, response, cors))
        }

        return App.of({ dialect, handle, answerFromCache, lookUp, start })
      })
    )
}

type Counted = Pick<IncomingRequest, "caller" | "found" | "target">

/** Returns the organization of a request. Without a resolved target, it is the name in the path, which may not exist. */
const organizationOf = ({ params, route }: Routes.MatchedRoute, target: Counted["target"]): string | undefined => {
  if (target === undefined) return route.target === "repository" ? params.owner : params.org
  if (target.organization !== undefined) return target.organization.login
  const owner = target.repository?.row.owner
  return owner?.type === "Organization" ? owner.login : undefined
}

const isRead = (method: string) => method === "GET" || method === "HEAD"

/** True for a request without a User-Agent. */
const lacksUserAgent = ({ "user-agent": name }: ResponseCache.RequestHead["headers"]) =>
  name === undefined || name.trim() === ""

/** Counts a request with a streamed response toward the limit of concurrent requests until the stream ends. */
const untilSent = (incoming: IncomingRequest, response: Response): Response => {
  const { admission } = incoming
  const { body } = response
  if (admission === undefined || body._tag !== "Stream") return response
  incoming.admission = { ...admission, settle: () => Effect.void }
  const stream = Stream.ensuring(body.stream, admission.settle(false))
  return HttpServerResponse.setBody(response, HttpBody.stream(stream, body.contentType))
}

const settle = ({ admission }: IncomingRequest, free: boolean) => admission?.settle(free) ?? Effect.void
