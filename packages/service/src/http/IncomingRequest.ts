/** A parsed request, before any decision about it. */
import { randomUUID } from "node:crypto"
import * as Option from "effect/Option"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { type Dialect, mediaTypeParameter } from "@tongs/core/contract/Dialect"
import { defaultVersion, type Version } from "@tongs/core/contract/Versions"
import type { Caller } from "../access/Caller.ts"
import type { RateLimitDecision } from "../access/RateLimits.ts"
import * as RawFileUrl from "../api/RawFileUrl.ts"
import type * as Routes from "./Routes.ts"
import type * as RequestTarget from "./RequestTarget.ts"
import * as Urls from "../api/Urls.ts"

type Request = HttpServerRequest.HttpServerRequest

/** A request. The steps of the pipeline set the last five fields. */
export interface IncomingRequest {
  readonly id: string
  readonly request: Request
  /** Without the self-hosted prefix, percent-encoded. */
  readonly path: string
  readonly query: URLSearchParams
  /** The URL of the request, without the query. */
  readonly address: string
  readonly urls: Urls.Urls
  /** The PARAM of the accepted media type, for example `raw`; undefined for plain JSON. */
  readonly mediaType: string | undefined
  version: Version
  caller: Caller | undefined
  found: Routes.MatchedRoute | undefined
  admission: RateLimitDecision | undefined
  target: RequestTarget.RequestTarget | undefined
}

/** Parses a request. */
export const fromRequest = (dialect: Dialect, request: Request): IncomingRequest => {
  // The raw path, because a URL object would resolve dot segments.
  const [raw, query] = split(request.url)
  const origin = Urls.origin(request.originalUrl, request.headers["x-forwarded-proto"])
  const file = RawFileUrl.contents(raw)
  const prefixed = raw === Urls.prefix || raw.startsWith(`${Urls.prefix}/`)
  return {
    id: randomUUID(),
    request,
    path: file?.path ?? (prefixed ? raw.slice(Urls.prefix.length) || "/" : raw),
    query: new URLSearchParams(file?.query ?? query),
    address: origin + raw,
    urls: Urls.make(origin, prefixed),
    mediaType: file === undefined ? mediaTypeParameter(dialect, request.headers.accept ?? "") : "raw",
    version: defaultVersion,
    caller: undefined,
    found: undefined,
    admission: undefined,
    target: undefined
  }
}

/** Path and query of a request target. */
const split = (target: string): readonly [string, string?] => {
  const mark = target.search(/[?#]/)
  if (mark === -1) return [target]
  const end = target.indexOf("#", mark)
  return [target.slice(0, mark), target.slice(mark, end === -1 ? undefined : end)]
}

/** The IP address of the client. */
export const clientAddress = ({ remoteAddress }: Request) => Option.getOrElse(remoteAddress, () => "this process")
