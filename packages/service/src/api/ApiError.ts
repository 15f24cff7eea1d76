/** Errors of the API: status, headers and JSON body of each. */
import * as Data from "effect/Data"
import type { Dialect } from "@tongs/core/contract/Dialect"
import { vocabularies } from "@tongs/core/contract/Dialect"
import * as Failure from "@tongs/core/contract/Failure"
import type { ExceededLimit } from "../access/RateLimits.ts"

/** The issue in the request's path was transferred: 301 for reads, 307 for other methods, with the new address. */
export class IssueMoved extends Data.TaggedError("IssueMoved")<{
  /** The repository that has the issue now, as `owner/name`. */
  readonly fullName: string
  readonly number: number
}> {
  readonly detail = "Moved Permanently"
}

/** Errors that handlers can fail with. The member `request` is for clients, so empty in the service. */
export type ApiError =
  | Failure.BadCredentials
  | Failure.Forbidden
  | Failure.NotFound
  | Failure.Conflict
  | Failure.Gone
  | Failure.ValidationFailed
  | Failure.RateLimited
  | Failure.ServiceFailed
  | IssueMoved

/** 401: the operation needs a signed-in user. */
export const unauthenticated = () => new Failure.BadCredentials({ request: "", detail: "Requires authentication" })

/** 403: the caller lacks a permission. The headers list the `accepted` scopes or permissions, of which one suffices. */
export const forbidden = (
  detail: string,
  accepted: { readonly scopes?: ReadonlyArray<string>; readonly permissions?: ReadonlyArray<string> } = {}
) =>
  new Failure.Forbidden({
    request: "",
    detail,
    acceptedScopes: accepted.scopes ?? [],
    acceptedPermissions: accepted.permissions ?? []
  })

/** 403: a write to an archived repository. */
export const archived = () => forbidden("The repository is archived and read-only")

/** 404: the resource does not exist, or is hidden from the caller. */
export const notFound = (detail = "Not Found") => new Failure.NotFound({ request: "", detail })

/** 409: the current state of the resource does not allow the request. */
export const conflict = (detail: string) => new Failure.Conflict({ request: "", detail })

/** 410: the resource existed and was removed. */
export const gone = (detail: string) => new Failure.Gone({ request: "", detail })

/** 422, or 400 or 405 if the operation declares that status: a request with invalid values. */
export const invalid = (
  detail: string,
  errors: ReadonlyArray<Failure.FieldError> = [],
  status: 400 | 405 | 422 = 422
) => new Failure.ValidationFailed({ request: "", detail, status, errors })

/** 405: the state of a pull request does not allow a merge. */
export const notAllowed = (detail: string) =>
  new Failure.ValidationFailed({ request: "", detail, status: 405, errors: [] })

/** 400, 405, 413 or 415: the request cannot be parsed or the method is not supported. */
export const unreadableRequest = (status: 400 | 405 | 413 | 415, detail: string) =>
  new Failure.ValidationFailed({ request: "", detail, status, errors: [] })

/** 500: a defect. Names only the request id, without internal details. */
export const defect = (requestId: string) =>
  new Failure.ServiceFailed({
    request: "",
    detail: `Internal error. Report request id ${requestId} to the forge's administrator`,
    status: 500,
    requestId
  })

/** 403 for the primary rate limit, 429 for a secondary one. `retryAfter` in seconds, `now` in epoch milliseconds. */
export const rateLimited = (resource: string, { message, retryAfter }: ExceededLimit, now: number) =>
  new Failure.RateLimited({
    request: "",
    detail: message,
    limit: retryAfter === undefined ? "primary" : "secondary",
    resource,
    until: now + (retryAfter ?? 0) * 1000
  })

/** 500: git failed for a reason unrelated to the request. */
export const gitFailed = () =>
  new Failure.ServiceFailed({ request: "", detail: "Git command failed. See the forge's log for details", status: 500 })

/** Seconds in the `retry-after` header of 503 responses. */
export const RETRY_AFTER = 5

/** 503: the request did not run because of a temporary shortage of resources. */
export const unavailable = (detail: string) =>
  new Failure.ServiceFailed({ request: "", detail, status: 503, retryAfter: RETRY_AFTER })

/** 507: the disk that holds `folder` is full. */
export const storageFull = (folder: string | undefined) =>
  new Failure.ServiceFailed({
    request: "",
    detail: `No space left on the disk of ${folder ?? "the forge"}. Free some space, then retry`,
    status: 507
  })

/** Returns the HTTP status of an error. */
export const status = (apiError: ApiError): number => {
  switch (apiError._tag) {
    case "IssueMoved":
      return 301
    case "BadCredentials":
      return 401
    case "Forbidden":
      return 403
    case "NotFound":
      return 404
    case "Conflict":
      return 409
    case "Gone":
      return 410
    case "RateLimited":
      return apiError.limit === "primary" ? 403 : 429
    case "ValidationFailed":
    case "ServiceFailed":
      return apiError.status
  }
}

/** URL of the API's documentation, sent with every error. */
export const DOCUMENTATION = "https://docs.github.com/rest"

/** Returns the JSON body of an error. `url` is the URL of the documentation. */
export const body = (apiError: ApiError, url = DOCUMENTATION): string =>
  JSON.stringify({
    message: apiError.detail,
    ...(apiError._tag === "ValidationFailed" && apiError.errors.length > 0 ? { errors: apiError.errors } : {}),
    documentation_url: url,
    status: String(status(apiError))
  })

/** Returns the headers of an error: `retry-after`, or the accepted OAuth scopes and permissions. */
export const headers = (apiError: ApiError, dialect: Dialect): Record<string, string> => {
  if (apiError._tag === "ServiceFailed" && apiError.retryAfter !== undefined) {
    return { "retry-after": String(apiError.retryAfter) }
  }
  if (apiError._tag !== "Forbidden") return {}
  return {
    ...(apiError.acceptedScopes.length > 0 ? { "x-accepted-oauth-scopes": apiError.acceptedScopes.join(", ") } : {}),
    ...(apiError.acceptedPermissions.length > 0
      ? { [vocabularies[dialect].acceptedPermissionsHeader]: apiError.acceptedPermissions.join(",") }
      : {})
  }
}
