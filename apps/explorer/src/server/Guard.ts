/**
 * Who may talk to the explorer, and what its page may do.
 *
 * **Details**
 *
 * The server reads private repositories with a person's token, and listens where every page in their browser can reach
 * it. So it answers only under a name that no stranger can point at this machine (DNS rebinding), only to its own page
 * or to nobody's (`Origin`, `Sec-Fetch-Site`), and only to reads. The page in turn may load nothing but itself. Other
 * accounts of the machine are `Access`'s business.
 */
import * as Net from "node:net"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Address from "./Address.ts"
import * as Answer from "./Answer.ts"

/** Sent with every answer, refusals included. */
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
} as const // the names are what tests and readers look for

/** The application behind the guard. `host` is the name that the server was told to listen on. */
export const make =
  (host: string, port: number) =>
  <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const response = refusal(request, host, port) ?? (yield* app)
      // A file as it is has a policy of its own, which allows it less.
      const policy = response.headers["content-security-policy"] ?? headers["content-security-policy"]
      return HttpServerResponse.setHeaders(response, { ...headers, "content-security-policy": policy })
    })

const refusal = (request: HttpServerRequest.HttpServerRequest, host: string, port: number) => {
  const address = Address.of(request)
  const asked = request.headers["host"] ?? ""
  if (!isOurs(asked, host, port)) {
    return Answer.refused(421, "Refused", "This server answers only under its own address.")
  }
  const origin = request.headers["origin"]
  if (origin !== undefined && origin !== `http://${asked}`) {
    return Answer.refused(403, "Refused", "Another site may not read what this server reads.")
  }
  // A link from elsewhere may open the page; nothing from elsewhere may call what the page calls.
  const site = request.headers["sec-fetch-site"]
  const navigates = request.headers["sec-fetch-mode"] === "navigate" && address !== undefined && !Address.isApi(address)
  if (site !== undefined && site !== "same-origin" && site !== "none" && !navigates) {
    return Answer.refused(403, "Refused", "Another site may not read what this server reads.")
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return HttpServerResponse.setHeader(
      Answer.refused(405, "Refused", "The explorer only reads."),
      "allow",
      "GET, HEAD"
    )
  }
  return undefined
}

/** An address, `localhost` or the name that was asked for, at our port. Any other name could be a stranger's. */
const isOurs = (asked: string, host: string, port: number): boolean => {
  const match = /^(.+?)(?::(\d+))?$/.exec(asked)
  if (match === null || Number(match[2] ?? 80) !== port) return false
  const name = (match[1] ?? "").toLowerCase()
  return name === "localhost" || name === host.toLowerCase() || Net.isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0
}
