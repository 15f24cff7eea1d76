/**
 * Pipeline step: redirects. Never sends the credential to another origin (nor to the first origin after a hop through
 * another), nor to the target of a 302: a file whose URL grants access. Never redirects writes to another origin, nor a
 * forge on the internet to an address of this machine or the local network, which only this client may reach.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as UrlParams from "effect/http/UrlParams"
import { CallContext } from "../CallContext.ts"
import * as ResponseBody from "../responses/ResponseBody.ts"

/**
 * False for calls whose writes are not repeated at another address. A caller that may write only to some repositories
 * sets this reference to false, because the forge redirects a write from the former name of a repository to the present
 * one.
 */
export const FollowsWrites = Context.Reference<boolean>("@tongs/core/client/steps/Redirect/FollowsWrites", {
  defaultValue: () => true
})

/** Maximum number of redirects per request. One more is returned as the response. */
const MAX_REDIRECTS = 5

export const make = <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> => {
  const follow = (
    request: HttpClientRequest.HttpClientRequest,
    hops: number,
    isDownload: boolean,
    followsWrites: boolean
  ): Effect.Effect<HttpClientResponse.HttpClientResponse, E, R> =>
    Effect.flatMap(client.postprocess(Effect.succeed(request)), (response) => {
      const found = hops > 0 && !(isDownload && response.status === 302) ? nextRequest(request, response) : undefined
      const next = followsWrites || found === undefined || isRead(found.method) ? found : undefined
      if (next === undefined) return Effect.succeed(response)
      return Effect.andThen(ResponseBody.discard(response), follow(next, hops - 1, isDownload, followsWrites))
    })
  return HttpClient.makeWith(
    (incoming) =>
      Effect.flatMap(incoming, (request) =>
        Effect.flatMap(FollowsWrites, (followsWrites) =>
          Effect.flatMap(CallContext, ({ isDownload = false }) =>
            follow(request, MAX_REDIRECTS, isDownload, followsWrites)
          )
        )
      ),
    client.preprocess
  )
}

/**
 * Returns the target of a redirect. Undefined unless the target is an HTTP URL without a password, which messages would
 * quote.
 */
export const locationOf = (response: HttpClientResponse.HttpClientResponse): URL | undefined => {
  const location = redirectStatuses.has(response.status) ? response.headers["location"] : undefined
  if (location === undefined || !URL.canParse(location, response.request.url)) return undefined
  const to = new URL(location, response.request.url)
  to.hash = ""
  return /^https?:$/.test(to.protocol) && to.username === "" && to.password === "" ? to : undefined
}

/** Returns the request that follows a redirect, or undefined if the client must not follow the redirect. */
const nextRequest = (
  { body, headers, method }: HttpClientRequest.HttpClientRequest,
  response: HttpClientResponse.HttpClientResponse
) => {
  const to = locationOf(response)
  if (to === undefined) return undefined
  const { status } = response
  const from = new URL(response.request.url)
  if (isInternal(to) && !isInternal(from)) return undefined
  const isOwn = to.origin === from.origin
  const reads = isRead(method)
  // For a write, a 307 or 308 repeats the write and a 303 reads the result of the write. Other redirects of writes are
  // not followed.
  if (!reads && (!isOwn || status < 303)) return undefined
  const request = (method: string, sent: HttpBody.HttpBody) =>
    HttpClientRequest.makeWith(
      method,
      to.href,
      UrlParams.empty,
      Option.none(),
      isOwn && !(reads && status === 302) ? headers : Headers.fromInput({ "user-agent": headers["user-agent"] }),
      sent
    )
  return reads || status !== 303 ? request(method, body) : request("GET", HttpBody.empty)
}

const isRead = (method: string): boolean => method === "GET" || method === "HEAD"

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/**
 * Returns true for an address of this machine or of a private network. A name that resolves to one is not detected.
 * `URL` has normalized other spellings of the numbers.
 */
const isInternal = ({ hostname }: URL): boolean =>
  /^(?:localhost|.*\.localhost|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|169\.254\..*|0\.0\.0\.0)$/.test(
    hostname
  ) || /^\[(?:::1?|f[cd].*|fe[89ab].*|::ffff:.*)\]$/.test(hostname)
