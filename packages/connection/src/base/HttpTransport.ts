/**
 * The HTTP transport: `fetch`, which reuses connections and closes an idle one after 4 s. The scheduler bounds their
 * number.
 *
 * Node's own agent is no substitute: it reads bytes that a broken server sends after the end of a response as the start
 * of the next one.
 */
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

/** An `HttpClient` that leaves redirects to the client, which decides the headers that follow. */
export const layer = Layer.provide(
  FetchHttpClient.layer,
  Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" })
)
