/**
 * Protects the explorer from requests of other websites, and restricts what the page can load.
 *
 * **Details**
 *
 * The server reads private repositories with the user's token, and every page in the browser can reach the port. So the
 * server responds only under a host name that an attacker cannot point at this machine (DNS rebinding), and only to
 * requests from the explorer's own page or from outside any page (`Origin`, `Sec-Fetch-Site`). Saved searches are the
 * only data that the page can change, and only with the page's own `Origin`. The page can load only the explorer's own
 * resources. `Access` protects the explorer from other accounts on the machine.
 */
import * as Net from "node:net"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as RequestUrl from "./RequestUrl.ts"
import * as Responses from "./Responses.ts"

/** Headers of every response, including failures. */
export const headers = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
} as const // tests name single headers

/** Creates a middleware that refuses requests of other origins and adds `headers`. The server listens on `host`. */
export const make =
  (host: string, port: number) =>
  <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const response = refusal(request, host, port) ?? (yield* app)
      // A raw file has a separate, stricter policy.
      const policy = response.headers["content-security-policy"] ?? headers["content-security-policy"]
      return HttpServerResponse.setHeaders(response, { ...headers, "content-security-policy": policy })
    })

const refusal = (request: HttpServerRequest.HttpServerRequest, host: string, port: number) => {
  const address = RequestUrl.parse(request)
  const hostHeader = request.headers["host"] ?? ""
  if (!isOurs(hostHeader, host, port)) {
    return Responses.refused(421, "Refused", "This server answers only at its own address.")
  }
  const origin = request.headers["origin"]
  if (origin !== undefined && origin !== `http://${hostHeader}`) {
    return Responses.refused(403, "Refused", "Other sites cannot use this server.")
  }
  // A link on another site can open the page, but not call the API.
  const site = request.headers["sec-fetch-site"]
  const navigates =
    request.headers["sec-fetch-mode"] === "navigate" && address !== undefined && !RequestUrl.isApi(address)
  if (site !== undefined && site !== "same-origin" && site !== "none" && !navigates) {
    return Responses.refused(403, "Refused", "Other sites cannot use this server.")
  }
  const isRead = request.method === "GET" || request.method === "HEAD"
  if (!isRead && !(origin !== undefined && address !== undefined && RequestUrl.isSavedSearch(address))) {
    return HttpServerResponse.setHeader(
      Responses.refused(405, "Refused", "The explorer is read-only. Use GET or HEAD."),
      "allow",
      "GET, HEAD"
    )
  }
  return undefined
}

/** True for an IP address, `localhost` or `host` at our port. An attacker could own any other name. */
const isOurs = (hostHeader: string, host: string, port: number): boolean => {
  const match = /^(.+?)(?::(\d+))?$/.exec(hostHeader)
  if (match === null || Number(match[2] ?? 80) !== port) return false
  const name = (match[1] ?? "").toLowerCase()
  return name === "localhost" || name === host.toLowerCase() || Net.isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0
}
