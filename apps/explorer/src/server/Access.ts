/**
 * Restricts the explorer to browsers that have opened the explorer's link. Every account of this machine can connect to
 * the port, but only the user that started the explorer sees the link.
 *
 * **Details**
 *
 * The link contains a secret, which the first request exchanges for a cookie. The assets of the built page are public
 * and need no cookie.
 */
import { createHash, createHmac } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ServerSecret from "@tongs/connection/base/ServerSecret"
import * as RequestUrl from "./RequestUrl.ts"
import * as Responses from "./Responses.ts"

/** Query parameter that contains the secret. */
const PARAMETER = "token"

/** The link that gives a browser access to the explorer at this URL. */
export const link = (url: string, token: Redacted.Redacted): string => {
  const address = new URL(url)
  address.searchParams.set(PARAMETER, Redacted.value(token))
  return address.href
}

/** Wraps an application. The cookie's name contains the port, because all ports of a host share cookies. */
export const make = (token: Redacted.Redacted, port: number) => {
  const name = `tongs-explore-${port}`
  // The cookie does not contain the link's secret.
  const value = createHmac("sha256", Redacted.value(token)).update(name).digest("base64url")
  const cookie = `${name}=${value}; Path=/; HttpOnly; SameSite=Strict`

  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const address = RequestUrl.parse(request)
      if (address !== undefined && RequestUrl.isAsset(address)) return yield* app
      const hasAccess = ServerSecret.equals(request.cookies[name] ?? "", value)
      const given = address === undefined || RequestUrl.isApi(address) ? null : address.searchParams.get(PARAMETER)
      if (address !== undefined && given !== null && (hasAccess || ServerSecret.equals(given, Redacted.value(token)))) {
        return HttpServerResponse.empty({
          status: 303,
          headers: { location: withoutToken(address), "set-cookie": cookie, "cache-control": "no-store" }
        })
      }
      return hasAccess ? yield* app : unauthorized(request, address)
    })
}

/**
 * Returns the path and query without the secret. Reduces leading slashes to one, because a URL that starts with two
 * slashes refers to another host.
 */
const withoutToken = ({ pathname, searchParams }: URL): string => {
  const rest = new URLSearchParams(searchParams)
  rest.delete(PARAMETER)
  return `${pathname.replace(/^\/+/, "/")}${rest.size === 0 ? "" : `?${rest}`}`
}

const MESSAGE = "Open the link that `tongs explore` printed when it started."

const unauthorized = (request: HttpServerRequest.HttpServerRequest, address: URL | undefined) => {
  if (address === undefined || RequestUrl.isApi(address)) return Responses.refused(401, "LinkNeeded", MESSAGE)
  return HttpServerResponse.text(isCrossSite(request) ? reloadPage(address) : page, {
    status: 401,
    contentType: "text/html; charset=utf-8",
    headers: { "cache-control": "no-store", "content-security-policy": policy }
  })
}

/**
 * True for a navigation from another site. The request lacks the cookie (`SameSite=Strict`), but a reload by our own
 * page has the cookie.
 */
const isCrossSite = ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
  const site = headers["sec-fetch-site"]
  return headers["sec-fetch-mode"] === "navigate" && (site === "cross-site" || site === "same-site")
}

const reloadPage = ({ pathname, search }: URL): string =>
  `${HEAD}<meta http-equiv="refresh" content="0;url=${escaped(pathname.replace(/^\/+/, "/") + search)}">`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const HEAD = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Tongs</title>'

const style = [
  ":root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}",
  "body{margin:20vh auto 0;max-width:34rem;padding:0 1.5rem}",
  "h1{font-size:1.25rem}"
].join("")

const page = [
  HEAD,
  '<meta name="viewport" content="width=device-width,initial-scale=1">',
  `<style>${style}</style>`,
  "<main><h1>This page needs its link</h1>",
  "<p>Open the link that <code>tongs explore</code> printed when it started. It holds until the explorer ends.</p></main>"
].join("")

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")
