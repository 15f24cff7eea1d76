/**
 * Step: redirects. They are followed up to a bound, and a credential never goes to another origin
 * (nor comes back to the first after a hop through another), nor to a signed URL.
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Call } from "./Call.ts"

/** Hops of one request; the redirect after them is the answer. */
const maxRedirects = 5

export const make = <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> => {
  const follow = HttpClient.followRedirects(client, maxRedirects)
  const followSigned = HttpClient.followRedirects(client, maxRedirects - 1)
  return HttpClient.makeWith(
    (incoming) =>
      Effect.flatMap(incoming, (request) => {
        const sent = Effect.succeed(request)
        return Effect.flatMap(Call, ({ toSigned }) => {
          if (toSigned !== true) return follow.postprocess(sent)
          return Effect.flatMap(client.postprocess(sent), (response) => {
            const signed = target(request, response)
            if (signed === undefined) return Effect.succeed(response)
            // What is not read keeps its connection.
            return Effect.andThen(Effect.ignore(response.arrayBuffer), followSigned.postprocess(Effect.succeed(signed)))
          })
        })
      }),
    client.preprocess
  )
}

/** The request for what a redirect leads to. Of the first one only who asks goes along. */
const target = (
  { headers, url }: HttpClientRequest.HttpClientRequest,
  response: HttpClientResponse.HttpClientResponse
) => {
  const { location } = response.headers
  if (response.status !== 302 || location === undefined || !URL.canParse(location, url)) return undefined
  const userAgent = headers["user-agent"]
  const request = HttpClientRequest.get(new URL(location, url).href)
  return userAgent === undefined ? request : HttpClientRequest.setHeader(request, "user-agent", userAgent)
}
