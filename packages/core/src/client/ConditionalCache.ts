/**
 * Step: conditional cache. A GET whose answer had an ETag is asked for again with `If-None-Match`; a 304 is a hit, and
 * costs nothing of the primary limit (spec part 4, "Conditional requests"). An answer belongs to the credential that got it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { CallContext } from "./CallContext.ts"
import * as RequestKey from "./RequestKey.ts"
import { type ResponseStore, type CachedResponse, toResponse } from "./ResponseStore.ts"

export const make =
  (scope: string, store: ResponseStore) =>
  <E, R>(
    client: HttpClient.HttpClient.With<E, R>
  ): HttpClient.HttpClient.With<E | HttpClientError.HttpClientError, R> => {
    const settle = Effect.fnUntraced(function* (
      key: string,
      known: CachedResponse | undefined,
      response: HttpClientResponse.HttpClientResponse
    ) {
      if (response.status === 304 && known !== undefined) {
        yield* store.confirm(key, known, yield* Clock.currentTimeMillis)
        // With the headers (of the budget, among others) that came with the 304.
        return toResponse(response.request, known, { ...response.headers, "x-tongs-cache": "hit" })
      }
      const { "set-cookie": _, ...headers } = response.headers
      if (response.status !== 200 || headers["etag"] === undefined || headers["cache-control"]?.includes("no-store"))
        return response
      const body = new Uint8Array(yield* response.arrayBuffer)
      yield* store.set(key, { etag: headers["etag"], headers, body, at: yield* Clock.currentTimeMillis })
      return response
    })

    const ask = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
      const key = RequestKey.make(scope, request)
      const known = yield* store.get(key)
      const asked = known === undefined ? request : HttpClientRequest.setHeader(request, "if-none-match", known.etag)
      return yield* settle(key, known, yield* client.postprocess(Effect.succeed(asked)))
    })

    return HttpClient.makeWith(
      (incoming) =>
        Effect.flatMap(incoming, (request) =>
          Effect.flatMap(CallContext, ({ hasHeaders, isDownload }) =>
            request.method === "GET" && hasHeaders !== true && isDownload !== true
              ? ask(request)
              : client.postprocess(Effect.succeed(request))
          )
        ),
      client.preprocess
    )
  }
