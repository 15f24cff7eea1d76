/** Failures as answers: every one has the error body (spec part 4, "Errors"). */
import type { Dialect } from "@tongs/core/contract/Dialect"
import { vocabularies } from "@tongs/core/contract/Dialect"
import * as Failure from "@tongs/core/contract/Failure"
import type { ExceededLimit } from "../access/RateLimits.ts"

/** What handlers may fail with. The request's name is filled in on the way out. */
export type ApiError =
  | Failure.BadCredentials
  | Failure.Forbidden
  | Failure.NotFound
  | Failure.Conflict
  | Failure.Gone
  | Failure.ValidationFailed
  | Failure.RateLimited
  | Failure.ServiceFailed

export const unauthenticated = () => new Failure.BadCredentials({ request: "", detail: "Requires authentication" })

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

export const archived = () => forbidden("The repository was archived and can only be read")

export const notFound = (detail = "Not Found") => new Failure.NotFound({ request: "", detail })

export const conflict = (detail: string) => new Failure.Conflict({ request: "", detail })

export const gone = (detail: string) => new Failure.Gone({ request: "", detail })

/** A request with wrong values. `status` is the one that the documents name for the operation. */
export const invalid = (detail: string, errors: ReadonlyArray<Failure.FieldError> = [], status: 400 | 422 = 422) =>
  new Failure.ValidationFailed({ request: "", detail, status, errors })

/** 400, 405, 413, 415: the request itself cannot be read. */
export const unreadableRequest = (status: 400 | 405 | 413 | 415, detail: string) =>
  new Failure.ValidationFailed({ request: "", detail, status, errors: [] })

/** A defect: the caller learns an id to quote, and nothing of the inside. */
export const defect = (requestId: string) =>
  new Failure.ServiceFailed({
    request: "",
    detail: `Something went wrong inside the forge; quote request id ${requestId} to whoever runs it`,
    status: 500,
    requestId
  })

/** A limit that is exceeded: 403 for the primary one, 429 for a secondary one. */
export const rateLimited = (resource: string, { message, retryAfter }: ExceededLimit, now: number) =>
  new Failure.RateLimited({
    request: "",
    detail: message,
    limit: retryAfter === undefined ? "primary" : "secondary",
    resource,
    until: now + (retryAfter ?? 0) * 1000
  })

/** Git did not do what nothing in the request explains. */
export const gitFailed = () =>
  new Failure.ServiceFailed({ request: "", detail: "git failed; the forge's log says how", status: 500 })

/** Seconds to wait before a request that found the forge short of something is sent again. */
export const retryAfter = 5

/** 503: the request did not run, because the forge is short of something that others will release. */
export const unavailable = (detail: string) =>
  new Failure.ServiceFailed({ request: "", detail, status: 503, retryAfter })

/** 507: the disk of a folder is full. */
export const storageFull = (folder: string | undefined) =>
  new Failure.ServiceFailed({
    request: "",
    detail: `No space is left on the disk of ${folder ?? "the forge"}. Free some there, then send the request again`,
    status: 507
  })

export const status = (apiError: ApiError): number => {
  switch (apiError._tag) {
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

/** Where the API is described: errors, and answers that are none, say so. */
export const documentation = "https://docs.github.com/rest"

export const body = (apiError: ApiError): string =>
  JSON.stringify({
    message: apiError.detail,
    ...(apiError._tag === "ValidationFailed" && apiError.errors.length > 0 ? { errors: apiError.errors } : {}),
    documentation_url: documentation,
    status: String(status(apiError))
  })

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
