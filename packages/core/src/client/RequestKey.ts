/** What makes two GETs the same request: whose it is, where it goes, and in which form the answer is wanted. */
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import { vocabularies } from "../contract/Dialect.ts"

export const make = (scope: string, request: HttpClientRequest.HttpClientRequest): string => {
  const version =
    request.headers[vocabularies.service.versionHeader] ?? request.headers[vocabularies.github.versionHeader] ?? ""
  const query = request.urlParams.params.map(([name, value]) => `${name}=${value}`).join("&")
  return `${scope} ${request.url}?${query} ${request.headers.accept ?? ""} ${version} ${request.headers.range ?? ""}`
}
