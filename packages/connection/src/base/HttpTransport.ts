/**
 * The HTTP transport: `fetch`, which reuses connections and closes idle connections after 4 s. The scheduler limits the
 * number of connections. Node's `http.Agent` is unsuitable: if a faulty server sends bytes after the end of a response,
 * the agent reads the bytes as the start of the next response.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { LateRequests } from "./LateRequests.ts"

/**
 * Provides an `HttpClient` that does not follow redirects and whose requests `LateRequests` watches. The API client
 * follows redirects, and chooses the headers of redirected requests.
 */
export const layer = Layer.effect(
  HttpClient.HttpClient,
  Effect.zipWith(HttpClient.HttpClient, LateRequests, (client, { watch }) => watch(client))
).pipe(
  Layer.provide(
    Layer.provide(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
  ),
  Layer.provideMerge(LateRequests.layer)
)
