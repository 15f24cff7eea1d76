/**
 * Lets web pages of other origins use the API (CORS). The pages can read every response, with the headers for paging,
 * revalidation and rate limits. Browsers add no credentials, so a page has only the permissions of the page's token.
 */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Dialect, vocabularies } from "@tongs/core/contract/Dialect"

export interface Cors {
  /** CORS headers of every response. */
  readonly headers: Readonly<Record<string, string>>
  /** The same headers, as alternating names and values. */
  readonly pairs: ReadonlyArray<string>
  /** Creates the response to a preflight request for a path that supports `methods`. */
  readonly preflight: (methods: ReadonlyArray<string>) => HttpServerResponse.HttpServerResponse
}

/** Lifetime of a preflight response, in seconds. */
const MAX_AGE = 24 * 3600

export const make = (dialect: Dialect): Cors => {
  const { acceptedPermissionsHeader, versionHeader, versionSelectedHeader } = vocabularies[dialect]
  const exposed = [
    "ETag",
    "Last-Modified",
    "Link",
    "Location",
    "Retry-After",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Used",
    "X-RateLimit-Reset",
    "X-RateLimit-Resource",
    "X-OAuth-Scopes",
    "X-Accepted-OAuth-Scopes",
    acceptedPermissionsHeader,
    "X-Poll-Interval",
    "X-Request-Id",
    "X-Tongs-Extension",
    versionSelectedHeader
  ]
  const accepted = [
    "Authorization",
    "Content-Type",
    "Accept",
    "Git-Protocol",
    "If-Match",
    "If-Modified-Since",
    "If-None-Match",
    "If-Unmodified-Since",
    "Range",
    "User-Agent",
    "X-Requested-With",
    versionHeader
  ].join(", ")
  const headers = { "access-control-allow-origin": "*", "access-control-expose-headers": exposed.join(", ") }
  return {
    headers,
    pairs: Object.entries(headers).flat(),
    preflight: (methods) =>
      HttpServerResponse.empty({
        status: 204,
        headers: {
          allow: methods.join(", "),
          "access-control-allow-methods": methods.join(", "),
          "access-control-allow-headers": accepted,
          "access-control-max-age": String(MAX_AGE)
        }
      })
  }
}
