/** Step: dialect. Requests leave in the forge's own vocabulary; `Answer` reads answers back into the documents' one. */
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { type Dialect, mediaTypeFromService, pathFromService, vocabularies } from "../contract/Dialect.ts"

export const make =
  (dialect: Dialect) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
    dialect === "service" ? client : HttpClient.mapRequest(client, (request) => translate(dialect, request))

const translate = (dialect: Dialect, request: HttpClientRequest.HttpClientRequest) => {
  const { [vocabularies.service.versionHeader]: version, accept } = request.headers
  return HttpClientRequest.setUrl(request, pathFromService(dialect, request.url)).pipe(
    HttpClientRequest.removeHeader(vocabularies.service.versionHeader),
    HttpClientRequest.setHeaders({
      ...(accept === undefined ? {} : { accept: mediaTypeFromService(dialect, accept) }),
      ...(version === undefined ? {} : { [vocabularies[dialect].versionHeader]: version })
    })
  )
}
