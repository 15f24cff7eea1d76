/**
 * Step: redirects. They are followed up to a bound. A credential never goes to another origin (nor comes back to the
 * first after a hop through another), nor where a 302 leads: that is the address of a file, and its own permission
 * (spec part 4, "Artifacts"). What a request would change is changed on its own origin, or not at all.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as UrlParams from "effect/http/UrlParams"
import { CallContext } from "./CallContext.ts"
import * as ResponseBody from "./ResponseBody.ts"

/** Hops of one request; the redirect after them is the answer. */
const MAX_REDIRECTS = 5

export const make = <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> => {
  const follow = (
    request: HttpClientRequest.HttpClientRequest,
    hops: number,
    isDownload: boolean
  ): Effect.Effect<HttpClientResponse.HttpClientResponse, E, R> =>
    Effect.flatMap(client.postprocess(Effect.succeed(request)), (response) => {
      const next = hops > 0 && !(isDownload && response.status === 302) ? nextRequest(request, response) : undefined
      if (next === undefined) return Effect.succeed(response)
      return Effect.andThen(ResponseBody.discard(response), follow(next, hops - 1, isDownload))
    })
  return HttpClient.makeWith(
    (incoming) =>
      Effect.flatMap(incoming, (request) =>
        Effect.flatMap(CallContext, ({ isDownload = false }) => follow(request, MAX_REDIRECTS, isDownload))
      ),
    client.preprocess
  )
}

/** Where an answer redirects to, if it is anywhere that a request can go: over HTTP, and with no password that messages would quote. */
export const locationOf = (response: HttpClientResponse.HttpClientResponse): URL | undefined => {
  const location = REDIRECT_STATUSES.has(response.status) ? response.headers["location"] : undefined
  if (location === undefined || !URL.canParse(location, response.request.url)) return undefined
  const to = new URL(location, response.request.url)
  to.hash = ""
  return /^https?:$/.test(to.protocol) && to.username === "" && to.password === "" ? to : undefined
}

/** The request for what a redirect leads to, if it is one to follow. */
const nextRequest = (
  { body, headers, method }: HttpClientRequest.HttpClientRequest,
  response: HttpClientResponse.HttpClientResponse
) => {
  const to = locationOf(response)
  if (to === undefined) return undefined
  const { status } = response
  const isOwn = to.origin === new URL(response.request.url).origin
  const isRead = method === "GET" || method === "HEAD"
  // A write goes where it is told to be sent again as it is (307, 308), or to what it made (303).
  if (!isRead && (!isOwn || status < 303)) return undefined
  const request = (method: string, sent: HttpBody.HttpBody) =>
    HttpClientRequest.makeWith(
      method,
      to.href,
      UrlParams.empty,
      Option.none(),
      isOwn && !(isRead && status === 302) ? headers : Headers.fromInput({ "user-agent": headers["user-agent"] }),
      sent
    )
  return isRead || status !== 303 ? request(method, body) : request("GET", HttpBody.empty)
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])
