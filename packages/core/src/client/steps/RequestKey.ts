/**
 * The key of a GET for caching and sharing: rate-limit scope, URL, and the headers that select a form of the response.
 */
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as UrlParams from "effect/http/UrlParams"
import { vocabularies } from "../../contract/Dialect.ts"

/**
 * Creates a key that two requests share only if one response can serve both. Newlines join the parts, which contain
 * none.
 */
export const make = (scope: string, { headers, url, urlParams }: HttpClientRequest.HttpClientRequest): string =>
  [
    scope,
    url,
    UrlParams.toString(urlParams),
    headers["accept"],
    headers[vocabularies.service.versionHeader] ?? headers[vocabularies.github.versionHeader],
    headers["range"]
  ].join("\n")
