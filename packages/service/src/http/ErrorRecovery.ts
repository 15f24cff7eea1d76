/** Turns the errors of a request into responses: errors of the API, errors of git, and defects. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Dialect } from "@tongs/core/contract/Dialect"
import * as ApiError from "../api/ApiError.ts"
import * as GitApiError from "../api/GitApiError.ts"
import * as ReadyEffects from "../base/ReadyEffects.ts"
import { SmartHttp } from "../features/smartHttp/SmartHttp.ts"
import * as TextError from "../features/smartHttp/TextError.ts"
import { GitError } from "../git/values/GitError.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import type { AnsweredRequest, KnownRequest } from "./RequestStages.ts"
import * as ResourceExhaustion from "./ResourceExhaustion.ts"
import { answered, errorResponse } from "./Responses.ts"

/** Answers the errors of a step, with what the request was known to be before the step. */
export type Recover = (
  request: KnownRequest,
  answer: Effect.Effect<AnsweredRequest, ApiError.ApiError | GitError>
) => Effect.Effect<AnsweredRequest>

/** Creates the function that answers errors. Errors name the folder `data` to known callers if the disk is full. */
export const make = Effect.fnUntraced(function* ({
  data,
  dialect
}: {
  readonly data: string
  readonly dialect: Dialect
}) {
  const registry = yield* RepositoryRegistry
  const smartHttp = yield* SmartHttp

  const respond = (request: KnownRequest, error: ApiError.ApiError) =>
    // Git prints errors only as text.
    answered(request, smartHttp.has(request.path) ? TextError.response(error) : errorResponse(dialect, request, error))

  const foldersFor = ({ caller, target }: KnownRequest): ResourceExhaustion.ReportedFolders =>
    caller === undefined || caller.kind === "anonymous"
      ? { data: undefined, repository: undefined }
      : { data, repository: target?.kind === "repository" ? target.repository.git.path : undefined }

  const ofGit = (request: KnownRequest, error: GitError) => {
    const known = ResourceExhaustion.toApiError(error, foldersFor(request)) ?? GitApiError.from(error)
    return Effect.as(logGit(request, error), respond(request, known))
  }

  const ofDefect = (request: KnownRequest, cause: Cause.Cause<unknown>) => {
    const { id } = request
    const known = ResourceExhaustion.toApiError(Cause.squash(cause), foldersFor(request)) ?? ApiError.defect(id)
    return Effect.as(Effect.logError(`${nameOf(request)} failed`, cause), respond(request, known))
  }

  /** Responds with 404 if the repository of the request is gone, because git, the database or a check of the input then fails. */
  const unlessDeleted = (request: KnownRequest, answer: Effect.Effect<AnsweredRequest>) => {
    const { target } = request
    if (target?.kind !== "repository") return answer
    const { id } = target.repository.row
    return Effect.flatMap(registry.list, (rows) =>
      rows.some((row) => row.id === id) ? answer : Effect.succeed(respond(request, ApiError.notFound()))
    )
  }

  const answerError = (request: KnownRequest, error: ApiError.ApiError | GitError) =>
    unlessDeleted(request, error instanceof GitError ? ofGit(request, error) : Effect.succeed(respond(request, error)))

  const answerDefect = (request: KnownRequest, cause: Cause.Cause<unknown>) => {
    const answer = ofDefect(request, cause)
    return ResourceExhaustion.isDatabaseUnavailable(Cause.squash(cause)) ? answer : unlessDeleted(request, answer)
  }

  const recover: Recover = (request, answer) => {
    const ready = ReadyEffects.valueOf(answer)
    if (ready !== undefined) return Effect.succeed(ready.value)
    // One handler for errors and defects, because each handler is a cost of requests that succeed.
    return Effect.catchCause(answer, (cause) => {
      if (Cause.hasDies(cause)) return answerDefect(request, cause)
      const error = Cause.findError(cause)
      if (Result.isFailure(error)) return Effect.failCause(error.failure)
      return Effect.catchDefect(answerError(request, error.success), (defect) =>
        answerDefect(request, Cause.die(defect))
      )
    })
  }
  return recover
})

const nameOf = ({ id, path, request }: KnownRequest) => `request ${id}: ${request.method} ${path}`

/** Logs an error message of git, because the response omits the message. */
const logGit = (request: KnownRequest, error: GitError) =>
  GitApiError.from(error)._tag === "ServiceFailed"
    ? Effect.logError(`${nameOf(request)} failed: ${error.message}`)
    : Effect.void
