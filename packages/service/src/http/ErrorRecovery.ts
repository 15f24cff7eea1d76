/** Turns the errors of a request into responses: those of the API, of git, and defects. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Dialect } from "@tongs/core/contract/Dialect"
import * as ApiError from "../api/ApiError.ts"
import * as GitApiError from "../api/GitApiError.ts"
import * as TextError from "../features/smartHttp/TextError.ts"
import { GitError } from "../git/values/GitError.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"
import * as ResourceExhaustion from "./ResourceExhaustion.ts"
import { errorResponse } from "./Responses.ts"

type Response = HttpServerResponse.HttpServerResponse

/**
 * Returns a function that replaces the errors of an effect by responses. `isGit` is true for the paths of git's protocol,
 * whose errors are text. `data` is the folder of the forge, which is named to known callers if its disk is full.
 */
export const make = ({
  data,
  dialect,
  isDeleted,
  isGit
}: {
  readonly data: string
  readonly dialect: Dialect
  /** True if a repository was deleted after its request had begun. */
  readonly isDeleted: (repository: ServedRepository) => Effect.Effect<boolean>
  readonly isGit: (path: string) => boolean
}) => {
  const respond = (incoming: IncomingRequest, error: ApiError.ApiError): Response =>
    isGit(incoming.path) ? TextError.response(error) : errorResponse(dialect, incoming, error)

  const foldersFor = ({ caller, target }: IncomingRequest): ResourceExhaustion.ReportedFolders =>
    caller === undefined || caller.kind === "anonymous"
      ? { data: undefined, repository: undefined }
      : { data, repository: target?.repository?.git.path }

  const ofGit = (incoming: IncomingRequest, error: GitError) => {
    const known = ResourceExhaustion.toApiError(error, foldersFor(incoming)) ?? GitApiError.from(error)
    return Effect.as(logGit(incoming, error), respond(incoming, known))
  }

  const ofDefect = (incoming: IncomingRequest, cause: Cause.Cause<never>) => {
    const { id, path, request } = incoming
    const known = ResourceExhaustion.toApiError(Cause.squash(cause), foldersFor(incoming)) ?? ApiError.defect(id)
    return Effect.as(
      Effect.logError(`request ${id}: ${request.method} ${path} failed`, cause),
      respond(incoming, known)
    )
  }

  /** Responds with 404 if the repository of the request is gone, because git, the database or a check of the input then fails. */
  const unlessDeleted = (incoming: IncomingRequest, response: Effect.Effect<Response>) => {
    const repository = incoming.target?.repository
    if (repository === undefined) return response
    return Effect.flatMap(isDeleted(repository), (isGone) =>
      isGone ? Effect.succeed(respond(incoming, ApiError.notFound())) : response
    )
  }

  return (incoming: IncomingRequest, answer: Effect.Effect<Response, ApiError.ApiError | GitError>) =>
    answer.pipe(
      Effect.catch((error) =>
        unlessDeleted(
          incoming,
          error instanceof GitError ? ofGit(incoming, error) : Effect.succeed(respond(incoming, error))
        )
      ),
      Effect.catchCauseIf(
        (cause) => !Cause.hasInterruptsOnly(cause),
        (cause) => unlessDeleted(incoming, ofDefect(incoming, cause))
      )
    )
}

/** Logs an error message of git, because the response does not contain it. */
const logGit = ({ id, path, request }: IncomingRequest, error: GitError) =>
  GitApiError.from(error)._tag === "ServiceFailed"
    ? Effect.logError(`request ${id}: ${request.method} ${path} failed: ${error.message}`)
    : Effect.void
