/**
 * The HTTP application: the steps from a request to the response. Requests come from a socket or from a client in the
 * same process.
 */
import { randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Dialect } from "@tongs/core/contract/Dialect"
import { RateLimits } from "../access/RateLimits.ts"
import * as ApiError from "../api/ApiError.ts"
import * as GitApiError from "../api/GitApiError.ts"
import * as Urls from "../api/Urls.ts"
import * as ReadyEffects from "../base/ReadyEffects.ts"
import * as Features from "../features/Features.ts"
import { GitError } from "../git/values/GitError.ts"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import { AppEndpoints } from "./AppEndpoints.ts"
import * as Cors from "./Cors.ts"
import * as ErrorRecovery from "./ErrorRecovery.ts"
import { fromRequest, type IncomingRequest, isRead, lacksUserAgent, type Request } from "./IncomingRequest.ts"
import * as NoRoute from "./NoRoute.ts"
import * as OperationSteps from "./OperationSteps.ts"
import * as OtherProtocols from "./OtherProtocols.ts"
import * as RateLimitAdmission from "./RateLimitAdmission.ts"
import { RequestForwarding } from "./RequestForwarding.ts"
import * as RequestStatistics from "./RequestStatistics.ts"
import type { AnsweredRequest } from "./RequestStages.ts"
import * as RequestSteps from "./RequestSteps.ts"
import * as ResourceExhaustion from "./ResourceExhaustion.ts"
import * as ResponseCache from "./ResponseCache.ts"
import {
  answered,
  conditionalResponse,
  pairsOf,
  type ReadyResponse,
  readyResponse,
  withCommonHeaders
} from "./Responses.ts"
import * as Routes from "./Routes.ts"
import * as UnimplementedOperations from "./UnimplementedOperations.ts"

type Response = HttpServerResponse.HttpServerResponse

export class App extends Context.Service<
  App,
  {
    /** The dialect of requests and responses. */
    readonly dialect: Dialect
    /** Handles a request. Never fails; a defect becomes a 500 response. */
    handle(request: HttpServerRequest.HttpServerRequest): Effect.Effect<Response>
    /**
     * Answers a request with this id that another process of the cluster has received, identified and counted. That
     * process has asked the database, which gave `revision`.
     */
    answerForwarded(
      request: HttpServerRequest.HttpServerRequest,
      id: string,
      revision: string | undefined
    ): Effect.Effect<Response>
    /**
     * Runs the operation in the body of a request of another process of the cluster, which needs it for the caller of
     * `request`.
     */
    answerCall(
      request: HttpServerRequest.HttpServerRequest,
      id: string
    ): Effect.Effect<Result.Result<unknown, ApiError.ApiError>>
    /**
     * Returns the cached response to a repeated request, without starting a fiber, or `undefined` for an uncached
     * response or a changed dependency.
     */
    answerFromCache(
      method: string,
      head: ResponseCache.RequestHead,
      lookup: ResponseCache.CacheLookup
    ): ReadyResponse | undefined
    /** Starts the lookup of the cached response to a request. Undefined if the database must be asked first. */
    lookUp(head: ResponseCache.RequestHead): ResponseCache.CacheLookup | undefined
    /**
     * Starts to handle a read of the contract. Returns the response if no step has to wait, as for data in memory, or an
     * effect that completes the request. Returns `undefined` for other requests.
     */
    start(request: Request, lookup: ResponseCache.CacheLookup): ReadyResponse | Effect.Effect<Response> | undefined
  }
>()("@tongs/service/http/App") {
  static readonly layer = (options: Options) => Layer.effect(App, make(options))
}

interface Options {
  /** The data folder of the forge. */
  readonly data: string
  readonly dialect: Dialect
}

const make = Effect.fnUntraced(function* (options: Options) {
  const { dialect } = options
  const { enforced } = yield* RateLimits
  const clock = yield* Clock.Clock
  const run = Effect.runForkWith(yield* Effect.context())
  const cors = Cors.make(dialect)
  const revision = yield* StoreRevision
  const cache = ResponseCache.make(revision)
  const recover = yield* ErrorRecovery.make(options)
  const protocols = yield* OtherProtocols.make(cors)
  const statistics = yield* RequestStatistics.make
  const { routes, steps } = yield* makeSteps(dialect, cors, cache, recover)
  const forwarding = yield* RequestForwarding
  const ownership = yield* RepositoryOwnership

  /** False for a response that this process cached while it owned the repository. */
  const isCurrent = ({ target }: ResponseCache.CachedResponse) =>
    forwarding.isAlone || target?.kind !== "repository" || ownership.owns(target.repository.row.id)

  const lookUp = (
    head: ResponseCache.RequestHead,
    origin = Urls.originOfHost(head.headers.host, head.headers["x-forwarded-proto"])
  ) => cache.lookup(dialect, head, origin, clock.currentTimeMillisUnsafe())

  const answer = (request: IncomingRequest) => {
    const { headers, method } = request.request
    if (!isRead(method) || lacksUserAgent(headers)) return steps.answer(request)
    const lookup = lookUp(request.request, request.origin)
    const cached = cache.find(lookup)
    return cached === undefined || !isCurrent(cached)
      ? steps.answer(request, { lookup })
      : steps.answerCached(request, cached)
  }

  const complete = (answer: Effect.Effect<AnsweredRequest>) =>
    ReadyEffects.map(answer, (completed) => {
      const { admission, request } = completed.request
      if (completed.request.isForwarded === true) return completed
      const isLimited = admission?.exceeded !== undefined
      statistics.count(request.method, completed.request, isLimited, clock.currentTimeMillisUnsafe())
      return completed
    })

  const withHeaders = Effect.map((completed: AnsweredRequest) => withCommonHeaders(completed, cors))

  const handleNow = (given: HttpServerRequest.HttpServerRequest, request = fromRequest(dialect, given)) => {
    const other = protocols.answer(given, request)
    if (other === undefined) return withHeaders(complete(answer(request)))
    const responded = Effect.map(other, (response) => answered(request, response))
    return withHeaders(complete(recover(request, responded)))
  }

  /** Runs an effect after the database was asked for its revision. */
  const refreshed = <A>(effect: () => Effect.Effect<A>, known?: string) =>
    Effect.suspend(() => {
      const refresh = revision.refresh(known)
      return refresh === undefined ? effect() : Effect.flatMap(refresh, effect)
    })

  const handle: App["Service"]["handle"] = (given) => refreshed(() => handleNow(given))

  const answerForwarded: App["Service"]["answerForwarded"] = (given, id, known) =>
    refreshed(() => handleNow(given, { ...fromRequest(dialect, given), id, isForwarded: true }), known)

  const answerCall: App["Service"]["answerCall"] = (given, id) =>
    refreshed(() => {
      const request = { ...fromRequest(dialect, given), id, isForwarded: true }
      const called = Effect.flatMap(Effect.orDie(given.json), (operation) =>
        steps.call(request, { body: undefined, ...Schema.decodeUnknownSync(CalledOperation)(operation) })
      )
      return Effect.result(
        called.pipe(
          Effect.mapError((error) => (error instanceof GitError ? GitApiError.from(error) : error)),
          Effect.catchDefect((defect) =>
            Effect.andThen(
              Effect.logError(`request ${id}: an operation for another process failed`, defect),
              Effect.fail(ResourceExhaustion.toApiError(defect, noFolders) ?? ApiError.defect(id))
            )
          )
        )
      )
    })

  const answerFromCache: App["Service"]["answerFromCache"] = (method, { headers, url }, lookup) => {
    if (enforced || !isRead(method) || !url.startsWith("/") || lacksUserAgent(headers)) return undefined
    const cached = cache.find(lookup)
    if (cached === undefined || !isCurrent(cached)) return undefined
    statistics.count(method, cached, false, lookup.now)
    const response = conditionalResponse(headers, cached.response)
    const isWhole = response === cached.response
    const own = isWhole ? cached.headers : pairsOf(response.headers)
    return {
      status: response.status,
      headers: [...own, ...cors.pairs, "x-request-id", randomUUID()],
      body: isWhole && method === "GET" ? cached.body : undefined
    }
  }

  const start: App["Service"]["start"] = (given, lookup) => {
    if (!isRead(given.method) || !given.url.startsWith("/")) return undefined
    const request = fromRequest(dialect, given, lookup.origin)
    const found = routes.find(given.method, request.path)
    if (found === undefined) return undefined
    const answering = enforced ? answer(request) : steps.answer(request, { lookup, found })
    const completed = ReadyEffects.start(complete(answering), run)
    const known = ReadyEffects.valueOf(completed)
    const ready = known === undefined ? undefined : readyResponse(known.value, cors.pairs)
    return ready ?? withHeaders(completed)
  }

  return App.of({
    dialect,
    handle,
    answerForwarded,
    answerCall,
    answerFromCache,
    lookUp: (head) => (revision.refresh() === undefined ? lookUp(head) : undefined),
    start
  })
})

const CalledOperation = Schema.Struct({
  method: Schema.String,
  path: Schema.String,
  body: Schema.optionalKey(Schema.Unknown)
})

/** Errors for another process name no folder of this machine. */
const noFolders: ResourceExhaustion.ReportedFolders = { data: undefined, repository: undefined }

const makeSteps = Effect.fnUntraced(function* (
  dialect: Dialect,
  cors: Cors.Cors,
  cache: ResponseCache.ResponseCache,
  recover: ErrorRecovery.Recover
) {
  const apps = yield* AppEndpoints
  const unimplemented = UnimplementedOperations.make(dialect)
  const routes = Routes.make(yield* Features.handlers, dialect, unimplemented)
  const noRoute = NoRoute.make(dialect, cors, unimplemented, (path) => [...routes.methods(path), ...apps.methods(path)])
  const admit = RateLimitAdmission.make(yield* RateLimits, recover)
  const operations = yield* OperationSteps.make(dialect, cache, recover)
  const steps = yield* RequestSteps.make({ admit, dialect, noRoute, operations, recover, routes, unimplemented })
  return { routes, steps }
})
