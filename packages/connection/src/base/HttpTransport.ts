/**
 * The HTTP transport: `fetch`, which reuses connections and closes idle connections after 4 s. The scheduler limits the
 * number of connections.
 *
 * Do not replace it by Node's `http.Agent`: if a faulty server sends bytes after the end of a response, the agent reads
 * them as the start of the next response.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { LateRequests } from "./LateRequests.ts"

/**
 * Provides an `HttpClient` that does not follow redirects, and watches its requests. The API client follows redirects,
 * and chooses the headers of redirected requests.
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
