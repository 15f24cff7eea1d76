import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as OAuth from "./OAuth.ts"

/** Creates a function that posts forms with the `HttpClient` in the context. */
export const make: Effect.Effect<OAuth.PostForm, never, HttpClient.HttpClient> = Effect.map(
  HttpClient.HttpClient,
  (client) => (url, form) =>
    HttpClientRequest.post(url).pipe(
      HttpClientRequest.setHeaders({ accept: "application/json", "user-agent": "tongs" }),
      HttpClientRequest.bodyUrlParams(form),
      client.execute,
      Effect.flatMap((response) => Effect.orElseSucceed(response.json, () => undefined)),
      Effect.timeout(OAuth.TIMEOUT),
      Effect.withTracerEnabled(false)
    )
)
