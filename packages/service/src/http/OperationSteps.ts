/** The steps of a request to an operation of the contract, after the rate limits: target, access, input and handler. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Dialect } from "@tongs/core/contract/Dialect"
import type * as ApiError from "../api/ApiError.ts"
import * as OperationAccess from "../api/OperationAccess.ts"
import * as RequestInput from "../api/RequestInput.ts"
import * as RequestTarget from "../api/RequestTarget.ts"
import * as Paging from "../base/Paging.ts"
import * as ReadyEffects from "../base/ReadyEffects.ts"
import type { GitError } from "../git/values/GitError.ts"
import { WorkTrees } from "../search/worktree/WorkTrees.ts"
import { RequestForwarding } from "./RequestForwarding.ts"
import type { Recover } from "./ErrorRecovery.ts"
import { clientAddress, isRead } from "./IncomingRequest.ts"
import * as ItemCache from "./ItemCache.ts"
import type { AnsweredRequest, RoutedRequest, TargetedRequest } from "./RequestStages.ts"
import type { CacheLookup, ResponseCache } from "./ResponseCache.ts"
import { answered, redirectResponse, respond } from "./Responses.ts"
import * as VersionChanges from "./VersionChanges.ts"

/** Runs the operation of a routed request. With `lookup`, the response can be cached. */
export type RunOperation = (request: RoutedRequest, lookup: CacheLookup | undefined) => Effect.Effect<AnsweredRequest>

/** An operation that another protocol needs: the method and path of its endpoint, and the input. */
export interface CalledOperation {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

export interface OperationSteps {
  readonly run: RunOperation
  /** Runs an operation that another protocol needs, with the same access and input rules. Returns its success value. */
  readonly call: (
    request: RoutedRequest,
    operation: CalledOperation
  ) => Effect.Effect<unknown, ApiError.ApiError | GitError>
}

export const make = Effect.fnUntraced(function* (dialect: Dialect, cache: ResponseCache, recover: Recover) {
  const targets = yield* RequestTarget.make
  const workTrees = yield* WorkTrees
  const forwarding = yield* RequestForwarding
  const items = ItemCache.make()

  const findTarget = (request: RoutedRequest, lookup: CacheLookup | undefined) => {
    const { caller, found } = request
    return ReadyEffects.flatMap(targets.find(found.route.target, found.params, caller), (target) => {
      const targeted = { ...request, target: withSnapshots(target, request) }
      return recover(targeted, authorize(targeted, lookup))
    })
  }

  /** Lets a read also find the snapshots of the work tree in the URL of the request. */
  const withSnapshots = (target: RequestTarget.RequestTarget, { caller, request: { method, url } }: RoutedRequest) => {
    if (target.kind !== "repository" || caller.kind === "anonymous" || !isRead(method)) return target
    const repository = workTrees.withSnapshots(target.repository, caller.tokenHash, url)
    return repository === target.repository ? target : { ...target, repository }
  }

  const authorize = (request: TargetedRequest, lookup: CacheLookup | undefined) => {
    const { caller, found, target } = request
    if (target.kind === "repository" && target.renamed) {
      return Effect.succeed(answered(request, redirectResponse(request, target.repository)))
    }
    const { operation, readonly } = found.route.entry
    const refused = OperationAccess.accessError(operation, caller, target, !readonly)
    if (refused !== undefined) return Effect.fail(refused)
    if (forwarding.isAlone || target.kind !== "repository" || request.isForwarded === true) {
      return runHandler(request, lookup)
    }
    return forwarding.answer(
      request,
      target.repository.row.id,
      () => runHandler(request, lookup),
      (response): AnsweredRequest => ({ request, response })
    )
  }

  const runHandler = (request: TargetedRequest, lookup: CacheLookup | undefined) => {
    const response = ReadyEffects.flatMap(readInput(request), (input) => {
      const run = () => handle(request, input)
      return lookup === undefined ? run() : cache.getOrRun(lookup, request, run)
    })
    return ReadyEffects.map(response, (whole) => answered(request, whole))
  }

  const readInput = ({ found: { params, route }, query, request, version }: TargetedRequest) =>
    ReadyEffects.map(route.readInput(request, params, query), (input) =>
      VersionChanges.upgrade(route.name, version, input)
    )

  const handle = (request: TargetedRequest, input: unknown) => {
    const { caller, found, mediaType, query, target, urls, version } = request
    const { route } = found
    const page = Paging.request(query, route.entry.operation.perPage, route.entry.operation.maxPerPage)
    const address = clientAddress(request.request)
    const context = { ...target, address, body: request.request, caller, dialect, urls, page, version, mediaType }
    return ReadyEffects.flatMap(route.handle(input, context), (given) => respond(dialect, request, page, given, items))
  }

  const call: OperationSteps["call"] = Effect.fnUntraced(function* (request, operation) {
    const { caller, found } = request
    const { entry, target: kind } = found.route
    const target = yield* targets.find(kind, found.params, caller)
    const refused = OperationAccess.accessError(entry.operation, caller, target, !entry.readonly)
    if (refused !== undefined) return yield* refused
    const here = () => callHere(request, target, operation.body)
    return target.kind === "repository" && request.isForwarded !== true
      ? yield* forwarding.call(request, target.repository.row.id, operation, here)
      : yield* here()
  })

  const callHere = Effect.fnUntraced(function* (
    request: RoutedRequest,
    target: RequestTarget.RequestTarget,
    body: unknown
  ) {
    const { caller, found, urls, version } = request
    const { entry, handle, readInput } = found.route
    const query = new URLSearchParams()
    const source = RequestInput.jsonSource(body)
    const input = yield* readInput(source, found.params, query)
    const page = Paging.request(query, entry.operation.perPage, entry.operation.maxPerPage)
    const address = clientAddress(request.request)
    const context = { ...target, address, body: source, caller, dialect, urls, page, version, mediaType: undefined }
    const given = yield* handle(input, context)
    return Predicate.isTagged(given, "WithStatus") && Predicate.hasProperty(given, "value") ? given.value : given
  })

  const run: RunOperation = (request, lookup) => recover(request, findTarget(request, lookup))
  return { call, run } satisfies OperationSteps
})
