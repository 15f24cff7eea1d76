/** What makes two GETs the same request: whose it is, where it goes, and in which form the answer is wanted. */
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as UrlParams from "effect/http/UrlParams"
import { vocabularies } from "../contract/Dialect.ts"

/** Joined by line ends: no header and no encoded query can hold one. */
export const make = (scope: string, { headers, url, urlParams }: HttpClientRequest.HttpClientRequest): string =>
  [
    scope,
    url,
    UrlParams.toString(urlParams),
    headers["accept"],
    headers[vocabularies.service.versionHeader] ?? headers[vocabularies.github.versionHeader],
    headers["range"]
  ].join("\n")
