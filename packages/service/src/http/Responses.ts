/** Creates responses from the results and errors of handlers (spec part 1 §1.3-1.4, spec part 4). */
import { hash, randomUUID } from "node:crypto"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Dialect, mediaTypeFromService, vocabularies } from "@tongs/core/contract/Dialect"
import { extensionHeader } from "@tongs/core/contract/Operation"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import * as OperationAccess from "./OperationAccess.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"
import { isScoped } from "../access/Caller.ts"
import type * as Cors from "./Cors.ts"
import type { Enveloped, RawBody, Redirect, WithContent } from "../api/Handlers.ts"
import * as JsonEncoder from "./JsonEncoder.ts"
import * as LastModified from "./LastModified.ts"
import * as Paging from "../base/Paging.ts"
import * as ApiError from "../api/ApiError.ts"
import type * as Routes from "./Routes.ts"
import * as StreamedBody from "../api/StreamedBody.ts"
import * as VersionChanges from "./VersionChanges.ts"

type Response = HttpServerResponse.HttpServerResponse

const common = (
  dialect: Dialect,
  { caller, found, target, version }: IncomingRequest,
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

/** True for a stream of events. Its effects need no services, because the handler has provided them. */
const isEvents = (value: unknown): value is Stream.Stream<unknown, unknown> => Stream.isStream(value)

const isSlice = (value: unknown): value is Paging.Slice<unknown> & Partial<Pick<Enveloped<unknown>, "wrap">> =>
  typeof value === "object" && value !== null && "items" in value && "total" in value

const hasTag = (value: unknown, tag: string) =>
  typeof value === "object" && value !== null && "_tag" in value && value._tag === tag

const isRaw = (value: unknown): value is RawBody => hasTag(value, "Raw")

const isRedirect = (value: unknown): value is Redirect => hasTag(value, "Redirect")

const hasContent = (value: unknown): value is WithContent<unknown> => hasTag(value, "WithContent")

/** Creates the response for the success value of a handler. `conditionalResponse` may later reduce it to a 304. */
export const respond = Effect.fnUntraced(function* (
  dialect: Dialect,
  incoming: IncomingRequest,
  route: Routes.Route,
  page: Paging.PageRequest,
  given: unknown
) {
  const headers = common(dialect, incoming)
  const { pollInterval } = route.entry.operation
  if (pollInterval !== undefined) headers["x-poll-interval"] = String(pollInterval)
  if (given === undefined) return HttpServerResponse.empty({ status: 204, headers })
  if (isRedirect(given)) {
    return HttpServerResponse.empty({ status: route.entry.status, headers: { ...headers, location: given.location } })
  }
  if (isEvents(given)) return events(headers, route, given)
  if (isRaw(given)) return success(incoming, headers, given.body, mediaTypeFromService(dialect, given.contentType), 200)
  const placeholder = hasContent(given) ? randomUUID() : ""
  let value: unknown = hasContent(given) ? given.around(placeholder) : given
  if (isSlice(given)) {
    const link = Paging.linkHeader(incoming.address, incoming.query, page, given.total)
    if (link !== undefined) headers.link = link
    value = given.wrap === undefined ? given.items : given.wrap(given.items)
  }
  const created = route.entry.status === 201 ? locationOf(value) : undefined
  if (created !== undefined) headers.location = created
  const modified = route.entry.readonly ? LastModified.of(value) : undefined
  if (modified !== undefined) headers["last-modified"] = modified
  const projected = VersionChanges.downgrade(route.name, incoming.version, value, incoming.urls.api)
  const renamed = route.rename === undefined ? projected : route.rename(projected)
  const body = hasContent(given)
    ? StreamedBody.embedInJson(JSON.stringify(renamed), placeholder, given.content)
    : yield* JsonEncoder.encode(renamed)
  return success(incoming, headers, body, "application/json; charset=utf-8", route.entry.status)
})

/** Streams events, one JSON text per line. Events that are found together are sent together. */
const events = (headers: Record<string, string>, { rename }: Routes.Route, given: Stream.Stream<unknown, unknown>) =>
  HttpServerResponse.stream(
    Stream.mapArray(given, (events) =>
      Arr.of(Buffer.from(events.map((event) => `${JSON.stringify(rename?.(event) ?? event)}\n`).join("")))
    ),
    { headers: { ...headers, "cache-control": "no-store" }, contentType: "application/x-ndjson" }
  )

/** Creates the JSON response of an endpoint outside the contract. Forbids caching, because it may contain a secret. */
export const jsonResponse = (dialect: Dialect, incoming: IncomingRequest, status: number, value: unknown): Response =>
  HttpServerResponse.text(JSON.stringify(value), {
    status,
    headers: { ...common(dialect, incoming), "cache-control": "no-store" },
    contentType: "application/json; charset=utf-8"
  })

/** Returns the URL of a created resource, for the `location` header. */
const locationOf = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null && "url" in value && typeof value.url === "string" ? value.url : undefined

/** Creates a response. Reads get an ETag that is valid for the caller's token (spec part 4, "Conditional requests"). */
const success = (
  { caller, request }: IncomingRequest,
  headers: Record<string, string>,
  body: string | Uint8Array | StreamedBody.StreamedBody,
  contentType: string,
  status: number
): Response => {
  if (request.method === "GET" || request.method === "HEAD") {
    const owner = caller === undefined || caller.kind === "anonymous" ? "" : caller.tokenHash.slice(0, 8)
    const identity = StreamedBody.isStreamed(body) ? `${contentType}\n${body.identity}` : body
    // The last page of a list can appear or change while the items stay the same.
    const links = headers.link === undefined ? "" : hash("sha1", headers.link).slice(0, 8)
    headers.etag = `W/"${hash("sha1", identity)}${links}${owner}"`
    headers["cache-control"] = "private, max-age=60"
    headers.vary = "Accept, Authorization"
  }
  if (StreamedBody.isStreamed(body)) {
    return HttpServerResponse.stream(body.bytes, { status, headers, contentType, contentLength: body.size })
  }
  return typeof body === "string"
    ? HttpServerResponse.text(body, { status, headers, contentType })
    : HttpServerResponse.uint8Array(body, { status, headers, contentType })
}

/** Replaces a response by a 304 if the request has its ETag, so the caller already has the response. */
export const conditionalResponse = (
  requestHeaders: Readonly<Record<string, string | undefined>>,
  response: Response
): Response => {
  const { etag } = response.headers
  if (etag === undefined || !matches(requestHeaders["if-none-match"], etag)) return response
  const { "content-length": _, "content-type": __, ...headers } = response.headers
  return HttpServerResponse.empty({ status: 304, headers })
}

const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(",").some((candidate) => candidate.trim() === "*" || opaque(candidate.trim()) === opaque(etag))

/** Returns the opaque part of an entity tag, for weak comparison (RFC 9110 §8.8.3.2). */
const opaque = (etag: string) => etag.replace(/^W\//, "")

/** Creates the redirect from the former name of a repository: 301 for reads, 307 for other methods. */
export const redirectResponse = (
  { address, query, request }: IncomingRequest,
  { fullName }: ServedRepository
): Response => {
  const url = address.replace(/\/(repos|raw)\/[^/]+\/[^/]+/, (_, kind: string) => `/${kind}/${fullName}`)
  const location = query.size === 0 ? url : `${url}?${query.toString()}`
  const status = request.method === "GET" || request.method === "HEAD" ? 301 : 307
  const body = { message: status === 301 ? "Moved Permanently" : "Temporary Redirect", url: location }
  return HttpServerResponse.text(JSON.stringify({ ...body, documentation_url: ApiError.documentation }), {
    status,
    headers: { location },
    contentType: "application/json; charset=utf-8"
  })
}

/** Creates the response for an error. */
export const errorResponse = (dialect: Dialect, incoming: IncomingRequest, error: ApiError.ApiError): Response => {
  const status = ApiError.status(error)
  const headers = { ...common(dialect, incoming, status === 404), ...ApiError.headers(error, dialect) }
  return HttpServerResponse.text(ApiError.body(error), {
    status,
    headers,
    contentType: "application/json; charset=utf-8"
  })
}

/** Adds the id of the request and the current rate limits to the headers of a response. */
export const withCommonHeaders = (
  { admission, id }: IncomingRequest,
  response: Response,
  { headers }: Cors.Cors
): Response => {
  const retryAfter = admission?.exceeded?.retryAfter
  return HttpServerResponse.setHeaders(response, {
    ...headers,
    "x-request-id": id,
    ...admission?.headers(),
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) })
  })
}
