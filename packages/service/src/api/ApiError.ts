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

export const status = (refusal: ApiError): number => {
  switch (refusal._tag) {
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
      return refusal.limit === "primary" ? 403 : 429
    case "ValidationFailed":
    case "ServiceFailed":
      return refusal.status
  }
}

/** Where the API is described: errors, and answers that are none, say so. */
export const documentation = "https://docs.github.com/rest"

export const body = (refusal: ApiError): string =>
  JSON.stringify({
    message: refusal.detail,
    ...(refusal._tag === "ValidationFailed" && refusal.errors.length > 0 ? { errors: refusal.errors } : {}),
    documentation_url: documentation,
    status: String(status(refusal))
  })

export const headers = (refusal: ApiError, dialect: Dialect): Record<string, string> => {
  if (refusal._tag === "ServiceFailed" && refusal.retryAfter !== undefined) {
    return { "retry-after": String(refusal.retryAfter) }
  }
  if (refusal._tag !== "Forbidden") return {}
  return {
    ...(refusal.acceptedScopes.length > 0 ? { "x-accepted-oauth-scopes": refusal.acceptedScopes.join(", ") } : {}),
    ...(refusal.acceptedPermissions.length > 0
      ? { [vocabularies[dialect].acceptedPermissionsHeader]: refusal.acceptedPermissions.join(",") }
      : {})
  }
}
