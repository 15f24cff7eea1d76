/**
 * Pipeline step: conditional cache. Sends `If-None-Match` with a GET whose cached response has an ETag. A 304 is a
 * cache hit and does not count against the primary limit. Credentials share no
 * cached responses.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { CallContext } from "../CallContext.ts"
import * as RequestKey from "./RequestKey.ts"
import { type ResponseStore, type CachedResponse, toResponse } from "../ResponseStore.ts"

export const make =
  (scope: string, store: ResponseStore) =>
  <E, R>(
    client: HttpClient.HttpClient.With<E, R>
  ): HttpClient.HttpClient.With<E | HttpClientError.HttpClientError, R> => {
    const update = Effect.fnUntraced(function* (
      key: string,
      known: CachedResponse | undefined,
      response: HttpClientResponse.HttpClientResponse
    ) {
      if (response.status === 304 && known !== undefined) {
        yield* store.confirm(key, known, yield* Clock.currentTimeMillis)
        // The headers of the 304 are newer than the cached ones, for example the rate limit headers.
        return toResponse(response.request, known, { ...response.headers, "x-tongs-cache": "hit" })
      }
      const { "set-cookie": _, ...headers } = response.headers
      if (response.status !== 200 || headers["etag"] === undefined || headers["cache-control"]?.includes("no-store"))
        return response
      const body = new Uint8Array(yield* response.arrayBuffer)
      yield* store.set(key, { etag: headers["etag"], headers, body, at: yield* Clock.currentTimeMillis })
      return response
    })

    const revalidate = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
      const key = RequestKey.make(scope, request)
      const known = yield* store.get(key)
      const conditional =
        known === undefined ? request : HttpClientRequest.setHeader(request, "if-none-match", known.etag)
      return yield* update(key, known, yield* client.postprocess(Effect.succeed(conditional)))
    })

    return HttpClient.makeWith(
      (incoming) =>
        Effect.flatMap(incoming, (request) =>
          Effect.flatMap(CallContext, ({ hasHeaders, isDownload }) =>
            request.method === "GET" && hasHeaders !== true && isDownload !== true
              ? revalidate(request)
              : client.postprocess(Effect.succeed(request))
          )
        ),
      client.preprocess
    )
  }
