/** Step: the headers that every request carries: which version of the API, who asks, what is understood (spec part 1 §1.2). */
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { vocabularies } from "../contract/Dialect.ts"

export const accept = "application/vnd.service+json"

export const make =
  (options: { readonly version: string; readonly userAgent: string }) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
    HttpClient.mapRequest(client, (request) =>
      HttpClientRequest.setHeaders(request, {
        accept,
        [vocabularies.service.versionHeader]: options.version,
        "user-agent": options.userAgent,
        ...request.headers
      })
    )
