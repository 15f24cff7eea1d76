/** A parsed request. */
import { randomUUID } from "node:crypto"
import * as Option from "effect/Option"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { type Dialect, mediaTypeParameter } from "@tongs/core/contract/Dialect"
import type * as RequestInput from "../api/RequestInput.ts"
import * as RawFileUrl from "../api/RawFileUrl.ts"
import * as WebArchiveUrl from "../features/sourceArchives/WebArchiveUrl.ts"
import * as Urls from "../api/Urls.ts"

/** The parts of Effect's `HttpServerRequest` that the routes of the contract need. */
export interface Request
  extends
    RequestInput.JsonSource,
    Pick<HttpServerRequest.HttpServerRequest, "method" | "url" | "originalUrl" | "remoteAddress"> {}

/** A parsed request, before the first step. */
export interface IncomingRequest {
  readonly id: string
  readonly request: Request
  /** Percent-encoded path, without the prefix `/api/v3` or `/api/uploads` of self-hosted forges. */
  readonly path: string
  readonly query: URLSearchParams
  /** The URL of the request, without the query. For a web address of an archive, the URL of the archive's endpoint. */
  readonly address: string
  readonly origin: string
  readonly urls: Urls.Urls
  /** Parameter of the accepted media type, for example `raw`; `octet-stream` for a file. Undefined for plain JSON. */
  readonly mediaType: string | undefined
  /** True for a request that another process of the cluster has received, identified and counted. */
  readonly isForwarded?: boolean
}

/** Parses a request. */
export const fromRequest = (
  dialect: Dialect,
  request: Request,
  origin = Urls.origin(request.originalUrl, request.headers["x-forwarded-proto"])
): IncomingRequest => {
  // Splits the text, because a `URL` object would resolve dot segments.
  const [raw, query] = split(request.url)
  const file = RawFileUrl.contents(raw)
  const archive = WebArchiveUrl.endpointPath(raw)
  const prefix = Urls.prefixOf(raw)
  return {
    id: randomUUID(),
    request,
    path: file?.path ?? archive ?? (prefix === undefined ? raw : raw.slice(prefix.length) || "/"),
    query: new URLSearchParams(file?.query ?? query),
    address: origin + (archive ?? raw),
    origin,
    urls: Urls.make(origin, prefix !== undefined),
    mediaType:
      file !== undefined
        ? "raw"
        : archive !== undefined
          ? WebArchiveUrl.MEDIA_TYPE
          : mediaTypeOf(dialect, request.headers.accept ?? "")
  }
}

const mediaTypeOf = (dialect: Dialect, accept: string) =>
  mediaTypeParameter(dialect, accept) ?? (accept.startsWith("application/octet-stream") ? "octet-stream" : undefined)

/** Splits a request target into path and query. */
const split = (target: string): readonly [string, string?] => {
  const mark = target.search(/[?#]/)
  if (mark === -1) return [target]
  const end = target.indexOf("#", mark)
  return [target.slice(0, mark), target.slice(mark, end === -1 ? undefined : end)]
}

/** Returns the IP address of the client, or `this process` for a client in the same process. */
export const clientAddress = ({ remoteAddress }: Request) => Option.getOrElse(remoteAddress, () => "this process")

export const isRead = (method: string) => method === "GET" || method === "HEAD"

/** True for a request without a User-Agent, which is refused. */
export const lacksUserAgent = ({ "user-agent": name }: Request["headers"]) => name === undefined || name.trim() === ""
