/**
 * The HTTP client of programs on this machine: `fetch`, which uses connections again. The scheduler bounds how many there
 * are, and an idle one is closed after 4 s.
 *
 * Node's own agent is no substitute: it reads what a broken server sends after the end of a response as the beginning of
 * the next one.
 */
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

export const layer = Layer.provide(
  FetchHttpClient.layer,
  // The client follows redirects itself, and decides which headers go along.
  Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" })
)
