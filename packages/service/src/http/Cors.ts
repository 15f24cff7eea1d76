/**
 * What lets a page of another origin use the API: every answer may be read by it, with the headers by which a client
 * pages, revalidates and waits. Browsers send no credentials of their own along, so a page gets what its token gets.
 */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Dialect, vocabularies } from "@tongs/core/contract/Dialect"

export interface Cors {
  /** On every answer. */
  readonly headers: Readonly<Record<string, string>>
  /** The answer to a browser that asks before it sends a request to a path which has these methods. */
  readonly preflight: (methods: ReadonlyArray<string>) => HttpServerResponse.HttpServerResponse
}

/** How long a browser need not ask again, in seconds. */
const maxAge = 24 * 3600

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
    versionSelectedHeader
  ]
  const accepted = [
    "Authorization",
    "Content-Type",
    "Accept",
    "If-Match",
    "If-Modified-Since",
    "If-None-Match",
    "If-Unmodified-Since",
    "Range",
    "User-Agent",
    "X-Requested-With",
    versionHeader
  ].join(", ")
  return {
    headers: { "access-control-allow-origin": "*", "access-control-expose-headers": exposed.join(", ") },
    preflight: (methods) =>
      HttpServerResponse.empty({
        status: 204,
        headers: {
          allow: methods.join(", "),
          "access-control-allow-methods": methods.join(", "),
          "access-control-allow-headers": accepted,
          "access-control-max-age": String(maxAge)
        }
      })
  }
}
