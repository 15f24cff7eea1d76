/**
 * Step: conditional cache. A GET whose answer had an ETag is asked for again with `If-None-Match`; a 304 is a hit, and
 * costs nothing of the primary limit (spec part 4, "Conditional requests"). An answer belongs to the credential that got it.
 */
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as RequestKey from "./RequestKey.ts"

/** Bounds of the memory that answers may take: how many, how large a body is still kept, and all together (bytes). */
const maxEntries = 500
const maxBody = 512 * 1024
const maxTotal = 32 * 1024 * 1024

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
    /** The one used last stands last. */
    const entries = new Map<string, Entry>()
    let total = 0

    const forget = (key: string) => {
      total -= entries.get(key)?.body.byteLength ?? 0
      entries.delete(key)
    }

    const remember = (key: string, entry: Entry) => {
      forget(key)
      entries.set(key, entry)
      total += entry.body.byteLength
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && total <= maxTotal) return
        forget(oldest)
      }
    }

    const settle = Effect.fnUntraced(function* (
      key: string,
      known: Entry | undefined,
      response: HttpClientResponse.HttpClientResponse
    ) {
      if (response.status === 304 && known !== undefined) {
        remember(key, known)
        return fresh(response, known)
      }
      const { headers } = response
      const mayKeep =
        headers["cache-control"]?.includes("no-store") !== true && !(Number(headers["content-length"]) > maxBody)
      if (response.status !== 200 || headers["etag"] === undefined || !mayKeep) return response
      const body = new Uint8Array(yield* response.arrayBuffer)
      if (body.byteLength <= maxBody) remember(key, { etag: headers["etag"], headers, body })
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
          return Effect.flatMap(client.postprocess(Effect.succeed(asked)), (response) => settle(key, known, response))
        }),
      client.preprocess
    )
  }

/** The answer that was kept, with the headers (of the budget, among others) that came with the 304. */
const fresh = (notModified: HttpClientResponse.HttpClientResponse, known: Entry) => {
  const headers = { ...known.headers, ...notModified.headers, "x-tongs-cache": "hit" }
  return HttpClientResponse.fromWeb(notModified.request, new Response(known.body, { status: 200, headers }))
}
