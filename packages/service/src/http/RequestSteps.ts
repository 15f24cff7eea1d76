/** The steps from a parsed request to the operation: version, caller, route and rate limits. */
import * as Effect from "effect/Effect"
import { type Dialect, vocabularies } from "@tongs/core/contract/Dialect"
import { defaultVersion } from "@tongs/core/contract/Versions"
import { Callers } from "../access/Caller.ts"
import { type ExceededLimit, RateLimits } from "../access/RateLimits.ts"
import * as ApiError from "../api/ApiError.ts"
import { readJson } from "../api/RequestInput.ts"
import * as ReadyEffects from "../base/ReadyEffects.ts"
import { GraphQl } from "../features/graphql/GraphQl.ts"
import * as QueryLimits from "../features/graphql/QueryLimits.ts"
import type { QueryContext } from "../features/graphql/RunningQuery.ts"
import { AppEndpoints } from "./AppEndpoints.ts"
import type { Recover } from "./ErrorRecovery.ts"
import { clientAddress, type IncomingRequest, lacksUserAgent } from "./IncomingRequest.ts"
import type { GitError } from "../git/values/GitError.ts"
import type { NoRoute } from "./NoRoute.ts"
import type { CalledOperation, OperationSteps } from "./OperationSteps.ts"
import type { Admit, EndpointCount } from "./RateLimitAdmission.ts"
import type {
  AnsweredRequest,
  IdentifiedRequest,
  KnownRequest,
  RoutedRequest,
  VersionedRequest
} from "./RequestStages.ts"
import * as IdPath from "./IdPath.ts"
import type { CachedResponse, CacheLookup } from "./ResponseCache.ts"
import { answered, jsonResponse } from "./Responses.ts"
import type { MatchedRoute, Routes } from "./Routes.ts"
import type { UnimplementedOperations } from "./UnimplementedOperations.ts"
import * as VersionChanges from "./VersionChanges.ts"

/** Points of a request with mutations, which the limit of points in a minute counts. */
const MUTATION_POINTS = 5

/** The results of steps that ran before. */
interface Known {
  readonly lookup?: CacheLookup
  readonly found?: MatchedRoute
}

interface Options {
  readonly dialect: Dialect
  readonly admit: Admit
  readonly noRoute: NoRoute
  readonly recover: Recover
  readonly routes: Routes
  readonly operations: OperationSteps
  readonly unimplemented: UnimplementedOperations
}

export const make = Effect.fnUntraced(function* (options: Options) {
  const { admit: count, dialect, noRoute, operations, recover, routes, unimplemented } = options
  const admit: Admit = (request, counted, answer, refuse) =>
    request.isForwarded === true ? answer(request) : count(request, counted, answer, refuse)
  const apps = yield* AppEndpoints
  const callers = yield* Callers
  const graphQl = yield* GraphQl
  const limits = yield* RateLimits
  const namedPath = yield* IdPath.make

  /** Replaces the id of a repository or a team in the path by the names. */
  const findName = (request: IncomingRequest, known: Known) =>
    ReadyEffects.flatMap(
      namedPath(request.path, () => callers.identify(request.path, request.request.headers.authorization)),
      (path) => selectVersion(path === request.path ? request : { ...request, path }, known)
    )

  const selectVersion = (
    request: IncomingRequest,
    known: Known
  ): Effect.Effect<AnsweredRequest, ApiError.ApiError | GitError> => {
    const { headers } = request.request
    if (lacksUserAgent(headers)) return noUserAgent()
    const selected = VersionChanges.select(request.path, headers[vocabularies[dialect].versionHeader])
    return ReadyEffects.flatMap(selected, (version) => {
      const versioned = { ...request, version }
      return recover(versioned, apps.has(request.path) ? runApp(versioned) : findRoute(versioned, known))
    })
  }

  const runApp = Effect.fnUntraced(function* (request: VersionedRequest) {
    const endpoint = apps.find(request.request.method, request.path)
    if (endpoint === undefined) return noRoute(request)
    const { answer, count } = yield* apps.authenticate(endpoint, request.request.headers.authorization)
    return yield* admit(request, count, (admitted) =>
      recover(
        admitted,
        Effect.map(answer(dialect, admitted), (response) => answered(admitted, response))
      )
    )
  })

  const findRoute = (request: VersionedRequest, known: Known) => {
    const { path } = request
    const { headers, method } = request.request
    const found = known.found ?? routes.find(method, path)
    // The answer is the same for all callers, so no valid token is needed.
    if (found === undefined && unimplemented.find(method, path) !== undefined) return Effect.succeed(noRoute(request))
    return ReadyEffects.flatMap(callers.identify(path, headers.authorization), (caller) => {
      if (graphQl.has(method, path)) return runQuery({ ...request, caller })
      if (found === undefined) return Effect.succeed(noRoute({ ...request, caller }))
      const routed = { ...request, caller, found }
      return admit(routed, countOf(routed), (admitted) => operations.run(admitted, known.lookup))
    })
  }

  const runQuery = (request: IdentifiedRequest) => {
    const { caller, urls } = request
    const count: EndpointCount = { caller, resource: "graphql", points: 1, endpoint: "POST /graphql" }
    /** Runs an operation of the contract for a mutation, with the caller of the request. */
    const call = (method: string, path: string, body: object = {}) => {
      const found = routes.find(method, path)
      return found === undefined
        ? Effect.die(new Error(`No operation ${method} ${path}`))
        : operations.call({ ...request, found }, { method, path, body })
    }
    const answer = (admitted: IdentifiedRequest & KnownRequest) => {
      const rateLimit = limits.status(caller, clientAddress(request.request))
      const charge: QueryContext["charge"] = ({ charged, isMutation }) =>
        Effect.map(
          admitted.admission?.charge(charged, isMutation ? MUTATION_POINTS : 1) ?? Effect.undefined,
          (exceeded) => (exceeded === undefined ? undefined : rateLimited(exceeded))
        )
      const context = { call, caller, charge, rateLimit, urls }
      const query = Effect.flatMap(readJson(request.request, undefined, QueryLimits.MAX_BYTES), (body) =>
        graphQl.answer(body, context)
      )
      return recover(
        admitted,
        Effect.map(query, (result) => answered(admitted, jsonResponse(dialect, admitted, 200, result)))
      )
    }
    return admit(request, count, answer, (refused, exceeded) =>
      caller.kind === "anonymous" || exceeded.retryAfter !== undefined
        ? undefined
        : answered(refused, jsonResponse(dialect, refused, 200, { errors: [rateLimited(exceeded)] }))
    )
  }

  return {
    /** Runs an operation for another process of the cluster, whose request `request` is. */
    call: Effect.fnUntraced(function* (request: IncomingRequest, operation: CalledOperation) {
      const { method, path } = operation
      const caller = yield* callers.identify(path, request.request.headers.authorization)
      const found = routes.find(method, path)
      if (found === undefined) return yield* ApiError.notFound()
      return yield* operations.call({ ...request, version: defaultVersion, caller, found }, operation)
    }),

    /** Answers a request. Runs at once up to the first step that waits. */
    answer: (request: IncomingRequest, known: Known = {}): Effect.Effect<AnsweredRequest> =>
      recover(request, findName(request, known)),

    /** Answers a request whose response is cached. The request counts towards the rate limits. */
    answerCached: (request: IncomingRequest, cached: CachedResponse): Effect.Effect<AnsweredRequest> => {
      const { caller, found, response, target, version } = cached
      const routed = { ...request, version, caller, found, target }
      return admit(routed, countOf(routed), (admitted) => Effect.succeed(answered(admitted, response)))
    }
  }
})

/** The error of a GraphQL response for an exceeded primary limit. The status of the response is 200, as GitHub's. */
const rateLimited = ({ message }: ExceededLimit) => ({ type: "RATE_LIMITED", message })

const noUserAgent = () =>
  ApiError.forbidden("Request forbidden by administrative rules. Please make sure your request has a User-Agent header")

const countOf = ({ caller, found, request }: RoutedRequest): EndpointCount => {
  const { endpoint, operation } = found.route.entry
  const { points, resource } = operation
  return { caller, resource, points, endpoint: `${request.method} ${endpoint.path}` }
}
