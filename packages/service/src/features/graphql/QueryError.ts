/** Errors of fields, with GitHub's `type`. */
import type { ApiError } from "../../api/ApiError.ts"
import * as GitApiError from "../../api/GitApiError.ts"
import type { GitError } from "../../git/values/GitError.ts"

/** An error that becomes one of the response, with GitHub's `type`. */
export class QueryError extends Error {
  readonly type: string
  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

/** Creates the error for a missing or hidden resource, for example `an Issue with the number of 7`. */
export const unresolved = (resource: string): QueryError =>
  new QueryError("NOT_FOUND", `Could not resolve to ${resource}.`)

/** Creates the error for invalid values of a mutation. */
export const unprocessable = (message: string): QueryError => new QueryError("UNPROCESSABLE", message)

/**
 * Converts an error of a REST operation. An error of git that is a 5xx in the REST API stays as it is, so that the whole
 * request fails with it.
 */
export const ofFailure = (error: ApiError | GitError | QueryError): GitError | QueryError => {
  if (error instanceof QueryError) return error
  switch (error._tag) {
    case "GitError": {
      const found = GitApiError.from(error)
      return found._tag === "ServiceFailed" ? error : ofFailure(found)
    }
    case "NotFound":
      return new QueryError("NOT_FOUND", sentence(error.detail))
    case "BadCredentials":
    case "Forbidden":
    case "RateLimited":
      return new QueryError("FORBIDDEN", error.detail)
    case "ValidationFailed":
      return unprocessable(
        error.errors.map(({ field, message }) => message ?? `${field ?? "A value"} is invalid`).join(", ") ||
          error.detail
      )
    case "Conflict":
    case "Gone":
    case "IssueMoved":
      return unprocessable(error.detail)
    case "ServiceFailed":
      return new QueryError("SERVICE_UNAVAILABLE", error.detail)
  }
}

const sentence = (detail: string) => (detail === "Not Found" ? "Could not resolve to a node." : detail)
