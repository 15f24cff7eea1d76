/** Responses of the explorer's API: JSON without caching, and failures that the page can act on. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Failure from "@tongs/core/contract/Failure"
import type * as ExplorerApi from "../ExplorerApi.ts"

export const json = (body: unknown, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: { "cache-control": "no-store" } })

/** The server's own failure, before any request to the forge. */
export const refused = (status: number, kind: string, message: string): HttpServerResponse.HttpServerResponse =>
  json({ kind, message } satisfies ExplorerApi.Failure, status)

/** The response for a failure of the client. */
export const failure = (error: Failure.Failure): HttpServerResponse.HttpServerResponse =>
  json(
    {
      kind: error._tag,
      message: error.message,
      ...(error._tag === "RateLimited" ? { until: error.until } : {})
    } satisfies ExplorerApi.Failure,
    statuses[error._tag]
  )

const statuses: Record<Failure.Failure["_tag"], number> = {
  BadCredentials: 401,
  Forbidden: 403,
  NotFound: 404,
  Conflict: 409,
  Gone: 410,
  Unsupported: 501,
  ValidationFailed: 422,
  RateLimited: 429,
  ServiceFailed: 502,
  UnexpectedResponse: 502,
  UntrustedLink: 502,
  Unreachable: 504
}
