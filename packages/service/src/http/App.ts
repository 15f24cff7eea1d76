/**
 * The HTTP application: the steps from a request to its response, in order. Requests come from a socket or from a client
 * in the same process.
 */
import { randomUUID } from "node:crypto"
import * as Cause from "effect/Cause"
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
import { Downloads } from "../features/artifacts/Downloads.ts"
import { GitError } from "../git/GitError.ts"
import * as Features from "../features/Features.ts"
import { StoreRevision } from "../storage/Sqlite.ts"
import * as OperationAccess from "./OperationAccess.ts"
import type { EventLoopTick } from "../base/EventLoopTick.ts"
import * as ResponseCache from "./ResponseCache.ts"
import { clientAddress, type IncomingRequest, fromRequest } from "./IncomingRequest.ts"
import { Callers } from "../access/Caller.ts"
import * as Cors from "./Cors.ts"
import * as GitApiError from "../api/GitApiError.ts"
import { RequestRecorder } from "../features/insights/RequestRecorder.ts"
import { RateLimits } from "../access/RateLimits.ts"
import * as Paging from "../base/Paging.ts"
import * as ApiError from "../api/ApiError.ts"
import { conditionalResponse, redirectResponse, errorResponse, respond, withCommonHeaders } from "./Responses.ts"
import * as Routes from "./Routes.ts"
import * as ResourceExhaustion from "./ResourceExhaustion.ts"
import * as RequestTarget from "./RequestTarget.ts"
import * as Urls from "../api/Urls.ts"
import * as VersionChanges from "./VersionChanges.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** A response in the form that Node writes. `headers` alternates names and values. */
export interface ReadyResponse {
  readonly status: number
  readonly headers: Array<string>
  readonly body: Uint8Array | undefined
}

export class App extends Context.Service<
  App,
  {
    /** The dialect of requests and responses. */
    readonly dialect: Dialect
    /** Handles a request. Never fails; a defect becomes a 500 response. */
    handle(request: Request): Effect.Effect<Response>
    /**
     * Returns the cached response to a repeated request, without starting a fiber, or `undefined` if it is not cached or
     * a dependency has changed. Requests of the same tick share the reads that check the dependencies.
     */
    answerFromCache(
      method: string,
      head: ResponseCache.RequestHead,
      tick: EventLoopTick | undefined
    ): ReadyResponse | undefined
  }
>()("@tongs/service/http/App") {
  static readonly layer = ({ data, dialect }: { readonly data: string; readonly dialect: Dialect }) =>
    Layer.effect(
      App,
      Effect.gen(function* () {
        const apps = yield* AppEndpoints
        const callers = yield* Callers
        const downloads = yield* Downloads
        const cors = Cors.make(dialect)
        const insights = yield* RequestRecorder
        const limits = yield* RateLimits
        const findTarget = yield* RequestTarget.make
        const routes = Routes.make(yield* Features.handlers, dialect)
        const cache = ResponseCache.make(yield* StoreRevision)
        const clock = yield* Clock.Clock

        const answer = (incoming: IncomingRequest) => {
          const { request, urls } = incoming
          if (!isRead(request.method) || lacksUserAgent(request.headers)) return answerUncached(incoming)
          const lookup = cache.lookup(ResponseCache.keyOf(dialect, request, urls.html), clock.currentTimeMillisUnsafe())
          const known = cache.find(lookup)
          if (known === undefined) return answerUncached(incoming, lookup)
          const { caller, found, response, target, version } = known
          Object.assign(incoming, { caller, found, target, version })
          return Effect.as(admit(incoming), response)
        }

        const answerUncached = Effect.fnUntraced(function* (
          incoming: IncomingRequest,
          lookup?: ResponseCache.CacheLookup
        ) {
          const { path, query, request, urls } = incoming
          if (downloads.has(path)) return yield* downloads.answer(request, path, query)
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
          const caller = yield* callers.identify(path, request.headers.authorization)
          incoming.caller = caller
          const found = routes.find(request.method, path)
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
          const made = Effect.flatMap(route.handle(input, context), (given) =>
            Effect.map(respond(dialect, incoming, route, page, given), (response) =>
              Stream.isStream(given) ? untilSent(incoming, response) : response
            )
          )
          return yield* lookup === undefined ? made : cache.getOrRun(lookup, incoming, made)
        })

        const admit = Effect.fnUntraced(function* (incoming: IncomingRequest) {
          const { caller, found } = incoming
          if (caller === undefined || found === undefined) return
          const { endpoint, operation } = found.route.entry
          const { points, resource } = operation
          const { method } = incoming.request
          yield* enter(incoming, { caller, resource, points, endpoint: `${method} ${endpoint.path}` })
        })

        /** Counts a request towards the rate limits. Fails if it exceeds one. */
        const enter = Effect.fnUntraced(function* (incoming: IncomingRequest, counted: Parameters<AdmitRequest>[0]) {
          const { request } = incoming
          const admission = yield* limits.admit({ ...counted, address: clientAddress(request), method: request.method })
          incoming.admission = admission
          if (admission.exceeded === undefined) return
          return yield* ApiError.rateLimited(counted.resource, admission.exceeded, yield* Clock.currentTimeMillis)
        })

        const noRoute = (incoming: IncomingRequest): Response => {
          const { path, request } = incoming
          const allowed = [...routes.methods(path), ...apps.methods(path)]
          if (allowed.length === 0) return errorResponse(dialect, incoming, ApiError.notFound())
          if (request.method === "OPTIONS") return cors.preflight(allowed)
          const detail = `${request.method} is not allowed here; ${allowed.join(", ")} would be`
          return HttpServerResponse.setHeader(
            errorResponse(dialect, incoming, ApiError.unreadableRequest(405, detail)),
            "allow",
            allowed.join(", ")
          )
        }

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

        const foldersFor = ({ caller, target }: IncomingRequest): ResourceExhaustion.ReportedFolders =>
          caller === undefined || caller.kind === "anonymous"
            ? { data: undefined, repository: undefined }
            : { data, repository: target?.repository?.git.path }

        const handle = (request: Request) => {
          const incoming = fromRequest(dialect, request)
          const answered = answer(incoming).pipe(
            Effect.catch((error) => {
              if (!(error instanceof GitError)) return Effect.succeed(errorResponse(dialect, incoming, error))
              const refused = ResourceExhaustion.toApiError(error, foldersFor(incoming)) ?? GitApiError.from(error)
              return Effect.as(logGit(incoming, error), errorResponse(dialect, incoming, refused))
            }),
            Effect.catchCauseIf(
              (cause) => !Cause.hasInterruptsOnly(cause),
              (cause) =>
                Effect.as(
                  Effect.logError(`request ${incoming.id}: ${request.method} ${incoming.path} failed`, cause),
                  errorResponse(
                    dialect,
                    incoming,
                    ResourceExhaustion.toApiError(Cause.squash(cause), foldersFor(incoming)) ??
                      ApiError.defect(incoming.id)
                  )
                )
            )
          )
          // Settles the rate limits of every admitted request, also after an interruption.
          return Effect.uninterruptibleMask((restore) =>
            Effect.flatMap(
              Effect.onInterrupt(restore(answered), () => settle(incoming, false)),
              (whole) => {
                const response = conditionalResponse(request.headers, whole)
                return Effect.map(done(incoming, response.status === 304), () =>
                  withCommonHeaders(incoming, response, cors)
                )
              }
            )
          )
        }

        const onEvery = Object.entries(cors.headers).flat()

        const answerFromCache = (
          method: string,
          head: ResponseCache.RequestHead,
          tick: EventLoopTick | undefined
        ): ReadyResponse | undefined => {
          const { headers, url } = head
          if (limits.enforced || !isRead(method) || !url.startsWith("/") || lacksUserAgent(headers)) return undefined
          const origin = Urls.originOfHost(headers.host, headers["x-forwarded-proto"])
          const now = clock.currentTimeMillisUnsafe()
          const known = cache.find({ key: ResponseCache.keyOf(dialect, head, origin), now }, tick)
          if (known === undefined) return undefined
          count(method, known, false, now)
          const response = conditionalResponse(headers, known.response)
          const isWhole = response === known.response
          const own = isWhole ? known.headers : Object.entries(response.headers).flat()
          return {
            status: response.status,
            headers: [...own, ...onEvery, "x-request-id", randomUUID()],
            body: isWhole && method === "GET" ? known.body : undefined
          }
        }

        return App.of({ dialect, handle, answerFromCache })
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

/** Logs an error message of git, because the response does not contain it. */
const logGit = ({ id, path, request }: IncomingRequest, error: GitError) =>
  GitApiError.from(error)._tag === "ServiceFailed"
    ? Effect.logError(`request ${id}: ${request.method} ${path} failed: ${error.message}`)
    : Effect.void
