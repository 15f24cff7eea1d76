/**
 * The HTTP transport: `fetch`, which reuses connections and closes idle connections after 4 s. The scheduler limits the
 * number of connections.
 *
 * Do not replace it by Node's `http.Agent`: if a faulty server sends bytes after the end of a response, the agent reads
 * them as the start of the next response.
 */
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

/** Provides an `HttpClient` that does not follow redirects. The API client follows them, and chooses their headers. */
export const layer = Layer.provide(
  FetchHttpClient.layer,
  Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" })
)
