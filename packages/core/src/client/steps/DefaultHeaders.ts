/**
 * Pipeline step: default headers. Sets the API version, the accepted media type, and the user agent, which forges
 * require.
 */
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { type Dialect, mediaTypeFromService, vocabularies } from "../../contract/Dialect.ts"

const ACCEPT = "application/vnd.service+json"

export const make =
  (options: { readonly dialect: Dialect; readonly version: string; readonly userAgent: string }) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> => {
    const headers = {
      accept: mediaTypeFromService(options.dialect, ACCEPT),
      [vocabularies[options.dialect].versionHeader]: options.version,
      "user-agent": options.userAgent
    }
    return HttpClient.mapRequest(client, (request) =>
      HttpClientRequest.setHeaders(request, { ...headers, ...request.headers })
    )
  }
