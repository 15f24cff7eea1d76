/**
 * Sends a request through the pipeline and returns the response, or the failure for an error status or transport error.
 */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { type Dialect, mediaTypeFromService } from "../contract/Dialect.ts"
import * as Failure from "../contract/Failure.ts"
import { extensionHeader } from "../contract/Operation.ts"
import { CallContext } from "./CallContext.ts"
import type { RawOptions } from "./CallOptions.ts"
import * as ErrorResponse from "./responses/ErrorResponse.ts"

export interface SenderOptions {
  /** Base URL of the API, without a trailing slash. */
  readonly baseUrl: string
  readonly dialect: Dialect
  /** Masks secrets in the body of an error response. */
  readonly mask: (text: string) => string
  readonly pipeline: HttpClient.HttpClient.With<Failure.Always | HttpClientError.HttpClientError>
}

/** Identifies a request for the rate-limit budget and in failures. */
export interface RequestTarget extends Pick<CallContext, "endpoint" | "resource" | "points" | "isDownload"> {
  /** Method and path, for the `request` member of failures. */
  readonly name: string
  /** True if the contract declares this error status for the endpoint. */
  readonly declares: (status: number) => boolean
  /** For an extension: creates the failure for a forge that does not know the path. */
  readonly unsupported?: ((request: string) => Failure.Unsupported) | undefined
}

export type RequestSender = ReturnType<typeof make>

/** Returns the route without the query, which can contain secrets that failures must not show. */
export const withoutQuery = (route: string) => route.replace(/[?#].*$/s, "")

export const make = ({ baseUrl, dialect, mask, pipeline }: SenderOptions) => {
  let grantedScopes: string | undefined

  const execute = (
    target: RequestTarget,
    request: HttpClientRequest.HttpClientRequest,
    { headers, mediaType, priority = "normal", ...options }: RawOptions
  ) => {
    const hasHeaders = headers !== undefined && Object.keys(headers).length > 0
    const accepting =
      mediaType === undefined
        ? request
        : HttpClientRequest.setHeader(request, "accept", mediaTypeFromService(dialect, acceptHeader(mediaType)))
    const withHeaders = hasHeaders ? HttpClientRequest.setHeaders(accepting, headers) : accepting
    const { url } = withHeaders
    const base = url === "/graphql" ? graphQlBase(baseUrl) : baseUrl
    const absolute = url.startsWith("/") ? HttpClientRequest.prependUrl(withHeaders, base) : withHeaders
    return pipeline.execute(absolute).pipe(
      Effect.provideService(CallContext, { ...options, ...target, priority, hasHeaders }),
      Effect.map((response) => {
        grantedScopes = response.headers["x-oauth-scopes"] ?? grantedScopes
        return response
      }),
      Effect.mapError((error) => toFailure(target.name, error))
    )
  }

  const textOf = (name: string, response: HttpClientResponse.HttpClientResponse) =>
    response.status === 204
      ? Effect.succeed("")
      : Effect.mapError(response.text, (error) => ErrorResponse.transportFailure(name, error))

  const errorResponse = (target: RequestTarget, response: HttpClientResponse.HttpClientResponse, body: string) =>
    target.unsupported !== undefined && response.status === 404 && response.headers[extensionHeader] === undefined
      ? target.unsupported(target.name)
      : ErrorResponse.toFailure(target.name, response, mask(body), target.declares)

  /** Returns the response and its body. Fails for an error status. */
  const sendForText = Effect.fnUntraced(function* (
    target: RequestTarget,
    request: HttpClientRequest.HttpClientRequest,
    options: RawOptions
  ) {
    const response = yield* execute(target, request, options)
    const body = yield* textOf(target.name, response)
    if (isSuccess(response)) return { response, body }
    return yield* errorResponse(target, response, body)
  })

  /**
   * Returns the response with an unread body: a file, a redirect to a file (302), or a stream of events. Fails for an
   * error status.
   */
  const sendForStream = Effect.fnUntraced(function* (
    target: RequestTarget,
    request: HttpClientRequest.HttpClientRequest,
    options: RawOptions
  ) {
    const response = yield* execute({ ...target, isDownload: true }, request, options)
    if (isSuccess(response) || response.status === 302) return response
    const body = yield* textOf(target.name, response)
    return yield* errorResponse(target, response, body)
  })

  return { sendForText, sendForStream, grantedScopes: () => grantedScopes }
}

/** Returns the base of the GraphQL endpoint: on GitHub Enterprise Server, `/api` instead of `/api/v3`. */
const graphQlBase = (baseUrl: string) => baseUrl.replace(/\/api\/v3$/, "/api")

const isSuccess = ({ status }: HttpClientResponse.HttpClientResponse) => status >= 200 && status < 300

/**
 * Returns the `Accept` header of a response form, for example `application/vnd.service.raw+json`. Diffs, patches and
 * object ids are not JSON.
 */
const acceptHeader = (form: NonNullable<RawOptions["mediaType"]>) =>
  form === "diff" || form === "patch" || form === "sha"
    ? `application/vnd.service.${form}`
    : `application/vnd.service.${form}+json`

/** Converts a pipeline error to a failure that names the caller's request. */
const toFailure = (request: string, error: Failure.Always | HttpClientError.HttpClientError): Failure.Failure => {
  switch (error._tag) {
    case "HttpClientError":
      return ErrorResponse.transportFailure(request, error)
    case "BadCredentials":
      return new Failure.BadCredentials({ ...membersOf(error), cause: error.cause, request })
    case "RateLimited": {
      const { limit, resource, until } = error
      return new Failure.RateLimited({ ...membersOf(error), limit, resource, until, request })
    }
    case "Forbidden":
    case "ServiceFailed":
    case "Unreachable":
    case "UnexpectedResponse":
      return error // keeps its request, the one that refreshes the credential
  }
}

/** Returns the members of every failure, of which `headers` is not enumerable. */
const membersOf = ({ detail, headers, requestId, status }: Failure.Failure) => ({ detail, headers, requestId, status })
