/** The metadata of the protected resource (RFC 9728), which names the endpoint and how to send the token. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"

const WELL_KNOWN = "/.well-known/oauth-protected-resource"
const ENDPOINT = "/mcp"

/** Returns the URL of the metadata on a host, for `WWW-Authenticate`. */
export const urlOf = (host: string): string => `http://${host}${WELL_KNOWN}${ENDPOINT}`

/**
 * Responds to a request for the metadata, or returns undefined for another request. The resource has the host of the
 * request, because clients compare the resource with the URL in use. There is no authorization server: users paste a
 * token.
 */
export const respond = (
  { method, url }: HttpServerRequest.HttpServerRequest,
  host: string
): HttpServerResponse.HttpServerResponse | undefined => {
  const path = url.split("?", 1)[0]
  if (method !== "GET" || (path !== WELL_KNOWN && path !== `${WELL_KNOWN}${ENDPOINT}`)) return undefined
  return HttpServerResponse.jsonUnsafe({
    resource: `http://${host}${ENDPOINT}`,
    resource_name: "Tongs",
    bearer_methods_supported: ["header"]
  })
}
