/** Creates responses from the results and errors of handlers. */
import { hash, randomUUID } from "node:crypto"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Dialect, mediaTypeFromService, vocabularies, wrapResult } from "@tongs/core/contract/Dialect"
import * as FileRedirect from "@tongs/core/contract/FileRedirect"
import { extensionHeader } from "@tongs/core/contract/Operation"
import { defaultVersion } from "@tongs/core/contract/Versions"
import * as OperationAccess from "../api/OperationAccess.ts"
import type { AnsweredRequest, KnownRequest, TargetedRequest } from "./RequestStages.ts"
import { isRead } from "./IncomingRequest.ts"
import { isScoped } from "../access/Caller.ts"
import type * as Cors from "./Cors.ts"
import type { Enveloped, RawBody, Redirect, WithContent, WithPages, WithStatus } from "../api/Handlers.ts"
import * as ReadyEffects from "../base/ReadyEffects.ts"
import type * as ItemCache from "./ItemCache.ts"
import * as JsonEncoder from "./JsonEncoder.ts"
import * as LastModified from "./LastModified.ts"
import * as Paging from "../base/Paging.ts"
import * as ApiError from "../api/ApiError.ts"
import type * as Routes from "./Routes.ts"
import * as StreamedBody from "../api/StreamedBody.ts"
import * as VersionChanges from "./VersionChanges.ts"

type Response = HttpServerResponse.HttpServerResponse

/** A response in the form that Node writes. `headers` alternates names and values. */
export interface ReadyResponse {
  readonly status: number
  readonly headers: Array<string>
  /** Text and headers take one write, bytes and headers two. */
  readonly body: Uint8Array | string | undefined
}

/**
 * Converts the response to a read to the form that Node writes, with the common headers. Returns `undefined` for a
 * streamed one. `onEvery` has the headers of every response.
 */
export const readyResponse = (
  { request, response: { body, headers, status } }: AnsweredRequest,
  onEvery: ReadonlyArray<string>
): ReadyResponse | undefined => {
  if (body._tag !== "Uint8Array" && body._tag !== "Empty") return undefined
  const isSent = body._tag === "Uint8Array" && request.request.method !== "HEAD"
  const pairs = pairsOf(headers)
  for (const text of onEvery) pairs.push(text)
  return {
    status,
    headers: pairsOf(ownHeaders(request), pairs),
    body: isSent ? (body.text ?? body.body) : undefined
  }
}

/**
 * Appends headers to `pairs`, which alternates names and values. Takes a fifth of the time of
 * `Object.entries().flat()`.
 */
export const pairsOf = (headers: Readonly<Record<string, string>>, pairs: Array<string> = []): Array<string> => {
  for (const name of Object.keys(headers)) pairs.push(name, headers[name] ?? "")
  return pairs
}

/** Converts a response back to the form of Effect's HTTP server. */
export const fromReady = ({ body = "", headers, status }: ReadyResponse): Response =>
  HttpServerResponse.uint8Array(typeof body === "string" ? Buffer.from(body) : body, {
    status,
    headers: Object.fromEntries(
      headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1] ?? ""] as const] : [])) // pairs
    )
  })

/** Returns the id of a request and the current rate limits as headers. */
const ownHeaders = ({ admission, id }: KnownRequest): Record<string, string> => {
  if (admission === undefined) return { "x-request-id": id }
  const retryAfter = admission.exceeded?.retryAfter
  return {
    "x-request-id": id,
    ...admission.headers(),
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) })
  }
}

const common = (
  dialect: Dialect,
  { caller, found, target, version = defaultVersion }: KnownRequest,
  isNotFound = false
): Record<string, string> => {
  const { acceptedPermissionsHeader, versionSelectedHeader } = vocabularies[dialect]
  const selected = {
    [versionSelectedHeader]: version,
    ...(found?.route.entry.operation.extension === true ? { [extensionHeader]: "true" } : {})
  }
  if (caller === undefined || caller.kind === "anonymous") return selected
  return {
    ...selected,
    ...(isScoped(caller) ? { "x-oauth-scopes": caller.scopes.join(", ") } : {}),
    ...(found === undefined || (target === undefined && !isNotFound)
      ? {}
      : OperationAccess.acceptedHeaders(found.route.entry.operation, caller, target, acceptedPermissionsHeader))
  }
}

/**
 * True for a stream of events. The effects of the stream need no services, because the handler has provided all
 * services.
 */
const isEvents = (value: unknown): value is Stream.Stream<unknown, unknown> => Stream.isStream(value)

const isSlice = (value: unknown): value is Paging.Slice<unknown> & Partial<Pick<Enveloped<unknown>, "wrap">> =>
  typeof value === "object" && value !== null && "items" in value && "total" in value

const isKeyed = (value: unknown): value is Paging.KeyedSlice<unknown> =>
  typeof value === "object" && value !== null && "keyed" in value

const hasTag = (value: unknown, tag: string) =>
  typeof value === "object" && value !== null && "_tag" in value && value._tag === tag

const isRaw = (value: unknown): value is RawBody => hasTag(value, "Raw")

/** HTTP status of a success without a body, after which a client reads again. */
const RESET_CONTENT = 205

const isRedirect = (value: unknown): value is Redirect => hasTag(value, "Redirect")

const hasPages = (value: unknown): value is WithPages<unknown> => hasTag(value, "WithPages")

const hasStatus = (value: unknown): value is WithStatus<unknown> => hasTag(value, "WithStatus")

const hasContent = (value: unknown): value is WithContent<unknown> => hasTag(value, "WithContent")

/**
 * Creates the response for the success value of a handler. `conditionalResponse` may later reduce the response to a
 * 304.
 */
export const respond = (
  dialect: Dialect,
  request: TargetedRequest,
  page: Paging.PageRequest,
  given: unknown,
  items: ItemCache.ItemCache
): Effect.Effect<Response> => {
  const { route } = request.found
  const headers = common(dialect, request)
  const { pollInterval } = route.entry.operation
  if (pollInterval !== undefined) headers["x-poll-interval"] = String(pollInterval)
  if (given === undefined) {
    const status = route.entry.status === RESET_CONTENT ? RESET_CONTENT : 204
    return Effect.succeed(HttpServerResponse.empty({ status, headers }))
  }
  if (isRedirect(given)) {
    return Effect.succeed(
      HttpServerResponse.empty({ status: FileRedirect.status, headers: { ...headers, location: given.location } })
    )
  }
  if (isEvents(given)) return Effect.succeed(events(headers, route, given))
  if (isRaw(given)) {
    if (given.etag !== undefined) headers.etag = given.etag
    const contentType = mediaTypeFromService(dialect, given.contentType)
    return Effect.succeed(success(request, headers, given.body, contentType, 200))
  }
  const project = (value: unknown) => {
    const projected = VersionChanges.downgrade(route.name, request.version, value, request.urls.api)
    return wrapResult(dialect, route.name, route.rename === undefined ? projected : route.rename(projected))
  }
  const json = "application/json; charset=utf-8"
  if (isSlice(given) || isKeyed(given) || hasPages(given)) {
    const link = Paging.linkHeader(request.address, request.query, page, given.total)
    if (link !== undefined) headers.link = link
  }
  if (isSlice(given) && given.modifiedAt !== undefined)
    headers["last-modified"] = new Date(given.modifiedAt).toUTCString()
  if (isKeyed(given)) {
    const scope = `${route.name}\n${request.version}\n${request.urls.api}`
    const { body, identity } = items.encode(scope, given, project)
    return Effect.succeed(success(request, headers, body, json, route.entry.status, identity))
  }
  const placeholder = hasContent(given) ? randomUUID() : ""
  const status = hasStatus(given) ? given.status : route.entry.status
  let value: unknown = hasContent(given)
    ? given.around(placeholder)
    : hasStatus(given) || hasPages(given)
      ? given.value
      : given
  if (isSlice(given)) value = given.wrap === undefined ? given.items : given.wrap(given.items)
  const created = status === 201 ? locationOf(value) : undefined
  if (created !== undefined) headers.location = created
  const modified = route.entry.readonly ? LastModified.of(value) : undefined
  if (modified !== undefined) headers["last-modified"] = modified
  const renamed = project(value)
  const finish = (body: string | Uint8Array | StreamedBody.StreamedBody) =>
    success(request, headers, body, json, status)
  return hasContent(given)
    ? Effect.succeed(finish(StreamedBody.embedInJson(JSON.stringify(renamed), placeholder, given.content)))
    : ReadyEffects.map(JsonEncoder.encode(renamed), finish)
}

/** Streams events, one JSON text per line. Events that are found together are sent together. */
const events = (headers: Record<string, string>, { rename }: Routes.Route, given: Stream.Stream<unknown, unknown>) =>
  HttpServerResponse.stream(
    Stream.mapArray(given, (events) =>
      Arr.of(Buffer.from(events.map((event) => `${JSON.stringify(rename?.(event) ?? event)}\n`).join("")))
    ),
    { headers: { ...headers, "cache-control": "no-store" }, contentType: "application/x-ndjson" }
  )

/**
 * Creates the JSON response of an endpoint outside the contract. Forbids caching, because the response may contain a
 * secret.
 */
export const jsonResponse = (dialect: Dialect, request: KnownRequest, status: number, value: unknown): Response =>
  HttpServerResponse.text(JSON.stringify(value), {
    status,
    headers: { ...common(dialect, request), "cache-control": "no-store" },
    contentType: "application/json; charset=utf-8"
  })

/** Creates the JSON response to a read outside the contract, with an ETag. `total` is the size of a list. */
export const readResponse = (
  dialect: Dialect,
  request: KnownRequest,
  value: unknown,
  total?: Paging.Slice<unknown>["total"]
): Response => {
  const headers = common(dialect, request)
  const { address, query } = request
  const link = total === undefined ? undefined : Paging.linkHeader(address, query, Paging.request(query), total)
  if (link !== undefined) headers.link = link
  return success(request, headers, JSON.stringify(value), "application/json; charset=utf-8", 200)
}

/** Returns the URL of a created resource, for the `location` header. */
const locationOf = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null && "url" in value && typeof value.url === "string" ? value.url : undefined

/** Creates a response. Reads get an ETag that is valid for the caller's token. */
const success = (
  { caller, request }: KnownRequest,
  headers: Record<string, string>,
  body: string | Uint8Array | StreamedBody.StreamedBody,
  contentType: string,
  status: number,
  identity: string | Uint8Array = StreamedBody.isStreamed(body) ? `${contentType}\n${body.identity}` : body
): Response => {
  if (isRead(request.method)) {
    const owner = caller === undefined || caller.kind === "anonymous" ? "" : caller.tokenHash.slice(0, 8)
    // The last page of a list can appear or change while the items stay the same.
    const links = headers.link === undefined ? "" : hash("sha1", headers.link).slice(0, 8)
    headers.etag ??= `W/"${hash("sha1", identity)}${links}${owner}"`
    headers["cache-control"] = "private, max-age=60"
    headers.vary = "Accept, Authorization, Accept-Encoding"
  }
  if (StreamedBody.isStreamed(body)) {
    return HttpServerResponse.stream(body.bytes, { status, headers, contentType, contentLength: body.size })
  }
  const response =
    typeof body === "string"
      ? HttpServerResponse.text(body, { status, contentType })
      : HttpServerResponse.uint8Array(body, { status, contentType })
  // No other response shares these headers yet. As an option, `headers` would be copied twice.
  Object.assign(response.headers, headers)
  return response
}

/** Answers a request. The response becomes a 304 if the client already has the content. */
export const answered = (request: KnownRequest, whole: Response): AnsweredRequest => ({
  request,
  response: conditionalResponse(request.request.headers, whole)
})

/**
 * Replaces a response by a 304 if the request has the response's ETag or date, so the caller already has the content.
 */
export const conditionalResponse = (
  requestHeaders: Readonly<Record<string, string | undefined>>,
  response: Response
): Response => {
  if (!isCurrent(requestHeaders, response)) return response
  const { "content-length": _, "content-type": __, ...headers } = response.headers
  return HttpServerResponse.empty({ status: 304, headers })
}

/** True if the client has this version of the response. An ETag decides if there is one (RFC 9110 §13.1.3). */
const isCurrent = (requestHeaders: Readonly<Record<string, string | undefined>>, { headers, status }: Response) => {
  const { etag, "last-modified": modified } = headers
  const { "if-modified-since": since, "if-none-match": candidates } = requestHeaders
  if (candidates !== undefined) return etag !== undefined && matches(candidates, etag)
  return since !== undefined && modified !== undefined && status === 200 && Date.parse(modified) <= Date.parse(since)
}

const matches = (header: string, etag: string): boolean =>
  header.split(",").some((candidate) => candidate.trim() === "*" || opaque(candidate.trim()) === opaque(etag))

/** Returns the opaque part of an entity tag, for weak comparison (RFC 9110 §8.8.3.2). */
const opaque = (etag: string) => etag.replace(/^W\//, "")

/** Creates the redirect to the present place of a repository or of an issue: 301 for reads, 307 for other methods. */
export const redirectResponse = (
  { address, query, request }: KnownRequest,
  { fullName, number }: { readonly fullName: string; readonly number?: number }
): Response => {
  const renamed = address.replace(/\/(repos|raw)\/[^/]+\/[^/]+/, (_, kind: string) => `/${kind}/${fullName}`)
  const url = number === undefined ? renamed : renamed.replace(/\/issues\/\d+/, `/issues/${number}`)
  const location = query.size === 0 ? url : `${url}?${query.toString()}`
  const status = isRead(request.method) ? 301 : 307
  const body = { message: status === 301 ? "Moved Permanently" : "Temporary Redirect", url: location }
  return HttpServerResponse.text(JSON.stringify({ ...body, documentation_url: ApiError.DOCUMENTATION }), {
    status,
    headers: { location },
    contentType: "application/json; charset=utf-8"
  })
}

/**
 * Creates the response for an error. `documentation` is the URL of the documentation, if there is a page for the
 * endpoint.
 */
export const errorResponse = (
  dialect: Dialect,
  request: KnownRequest,
  error: ApiError.ApiError,
  documentation?: string
): Response => {
  if (error._tag === "IssueMoved") return redirectResponse(request, error)
  const status = ApiError.status(error)
  const headers = { ...common(dialect, request, status === 404), ...ApiError.headers(error, dialect) }
  return HttpServerResponse.text(ApiError.body(error, documentation), {
    status,
    headers,
    contentType: "application/json; charset=utf-8"
  })
}

/** Adds the id of the request and the current rate limits to the headers of a response. */
export const withCommonHeaders = ({ request, response }: AnsweredRequest, { headers }: Cors.Cors): Response =>
  HttpServerResponse.setHeaders(response, { ...headers, ...ownHeaders(request) })
