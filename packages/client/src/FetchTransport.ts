/**
 * The transport of the client. Smaller than `FetchHttpClient`, because the client sends no streams and has no spans.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"

/** Creates a transport. Interruption aborts the request. The pipeline reads or cancels the body of each response. */
export const make = (fetch: typeof globalThis.fetch): HttpClient.HttpClient =>
  HttpClient.makeWith<HttpClientError.HttpClientError, never, HttpClientError.HttpClientError, never>(
    Effect.flatMap((request) => send(fetch, request)),
    Effect.succeed
  )

const send = (fetch: typeof globalThis.fetch, request: HttpClientRequest.HttpClientRequest) =>
  Option.match(HttpClientRequest.toUrl(request), {
    onNone: () =>
      Effect.fail(
        new HttpClientError.HttpClientError({
          reason: new HttpClientError.InvalidUrlError({ request, description: "the URL is invalid" })
        })
      ),
    onSome: (url) =>
      Effect.map(
        Effect.tryPromise({
          try: (signal) =>
            fetch(url, {
              method: request.method,
              headers: Headers.remove(request.headers, "content-length"), // `fetch` sets this header
              ...bodyOf(request),
              redirect,
              signal
            }),
          catch: (cause) =>
            new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
        }),
        (response) => HttpClientResponse.fromWeb(request, response)
      )
  })

/** The engine sends no other bodies than bytes. */
const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest) =>
  body._tag === "Uint8Array" ? { body: new Uint8Array(body.body) } : {}

/** Browsers hide redirects from scripts, follow redirects automatically, and drop the token for another origin. */
const redirect = "document" in globalThis || "WorkerGlobalScope" in globalThis ? "follow" : "manual"
