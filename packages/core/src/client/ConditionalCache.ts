/**
 * Step: conditional cache. A GET whose answer had an ETag is asked for again with `If-None-Match`; a 304 is a hit, and
 * costs nothing of the primary limit (spec part 4, "Conditional requests"). An answer belongs to the credential that got it.
 */
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as RequestKey from "./RequestKey.ts"

/** Bounds of the memory that answers may take: how many, and how large a body is still kept (bytes). */
const maxEntries = 500
const maxBody = 512 * 1024

interface Entry {
  readonly etag: string
  readonly headers: Headers.Headers
  readonly body: Uint8Array<ArrayBuffer>
}

export const make =
  (scope: string) =>
  <E, R>(
    client: HttpClient.HttpClient.With<E, R>
  ): HttpClient.HttpClient.With<E | HttpClientError.HttpClientError, R> => {
    const entries = new Map<string, Entry>()

    const remember = (key: string, entry: Entry) => {
      entries.delete(key)
      entries.set(key, entry)
      const oldest = entries.keys().next()
      if (entries.size > maxEntries && oldest.done === false) entries.delete(oldest.value)
    }

    const settle = Effect.fnUntraced(function* (key: string, response: HttpClientResponse.HttpClientResponse) {
      const known = entries.get(key)
      if (response.status === 304 && known !== undefined) {
        remember(key, known)
        return fresh(response, known)
      }
      const { etag, "content-length": length } = response.headers
      if (response.status !== 200 || etag === undefined || Number(length ?? 0) > maxBody) return response
      const body = new Uint8Array(yield* response.arrayBuffer)
      if (body.byteLength <= maxBody) remember(key, { etag, headers: response.headers, body })
      return response
    })

    return HttpClient.makeWith(
      (incoming) =>
        Effect.flatMap(incoming, (request) => {
          if (request.method !== "GET") return client.postprocess(Effect.succeed(request))
          const key = RequestKey.make(scope, request)
          const known = entries.get(key)
          const asked =
            known === undefined ? request : HttpClientRequest.setHeader(request, "if-none-match", known.etag)
          return Effect.flatMap(client.postprocess(Effect.succeed(asked)), (response) => settle(key, response))
        }),
      client.preprocess
    )
  }

/** The answer that was kept, with the headers (of the budget, among others) that came with the 304. */
const fresh = (notModified: HttpClientResponse.HttpClientResponse, known: Entry) => {
  const headers = { ...known.headers, ...notModified.headers, "x-tongs-cache": "hit" }
  return HttpClientResponse.fromWeb(notModified.request, new Response(known.body, { status: 200, headers }))
}
