/** A request through the pipeline: its answer as text or as what leads to a file, or the failure that it means. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { type Dialect, mediaTypeFromService } from "../contract/Dialect.ts"
import * as Failure from "../contract/Failure.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import { CallContext } from "./CallContext.ts"
import type { RawOptions } from "./CallOptions.ts"

export interface SenderOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly dialect: Dialect
  /** Masks secrets in the body of a failure, before any of it is quoted. */
  readonly mask: (text: string) => string
  readonly pipeline: HttpClient.HttpClient.With<Failure.Always | HttpClientError.HttpClientError>
}

/** Where a request goes, as the budget and the failures know it. */
export interface RequestTarget extends Pick<CallContext, "endpoint" | "resource" | "points" | "isDownload"> {
  /** The request as failures call it. */
  readonly name: string
  readonly declares: (status: number) => boolean
}

export type RequestSender = ReturnType<typeof make>

/** Method and path: what a query holds may be secret, and is nobody's business who reads a failure. */
export const withoutQuery = (route: string) => route.replace(/[?#].*$/s, "")

export const make = ({ baseUrl, dialect, mask, pipeline }: SenderOptions) => {
  const execute = (
    to: RequestTarget,
    request: HttpClientRequest.HttpClientRequest,
    { headers, mediaType, priority = "normal", ...options }: RawOptions
  ) => {
    const hasHeaders = headers !== undefined && Object.keys(headers).length > 0
    const inForm =
      mediaType === undefined
        ? request
        : HttpClientRequest.setHeader(request, "accept", mediaTypeFromService(dialect, acceptHeader(mediaType)))
    const asked = hasHeaders ? HttpClientRequest.setHeaders(inForm, headers) : inForm
    const absolute = asked.url.startsWith("/") ? HttpClientRequest.prependUrl(asked, baseUrl) : asked
    return pipeline.execute(absolute).pipe(
      Effect.provideService(CallContext, { ...options, ...to, priority, hasHeaders }),
      Effect.mapError((error) => toFailure(to.name, error))
    )
  }

  const textOf = (name: string, response: HttpClientResponse.HttpClientResponse) =>
    response.status === 204
      ? Effect.succeed("")
      : Effect.mapError(response.text, (error) => ErrorResponse.transportFailure(name, error))

  /** Sends, and fails with what an error status means. */
  const text = Effect.fnUntraced(function* (
    to: RequestTarget,
    request: HttpClientRequest.HttpClientRequest,
    options: RawOptions
  ) {
    const response = yield* execute(to, request, options)
    const body = yield* textOf(to.name, response)
    if (isSuccess(response)) return { response, body }
    return yield* ErrorResponse.toFailure(to.name, response, mask(body), to.declares)
  })

  /** The same where the success is a file: the answer that leads to it (302), or that holds it. */
  const lead = Effect.fnUntraced(function* (
    to: RequestTarget,
    request: HttpClientRequest.HttpClientRequest,
    options: RawOptions
  ) {
    const response = yield* execute({ ...to, isDownload: true }, request, options)
    if (isSuccess(response) || response.status === 302) return response
    return yield* ErrorResponse.toFailure(to.name, response, mask(yield* textOf(to.name, response)), to.declares)
  })

  return { text, lead }
}

const isSuccess = ({ status }: HttpClientResponse.HttpClientResponse) => status >= 200 && status < 300

/** Spec part 1 §1.3. A difference, a patch and an object id are texts of their own. */
const acceptHeader = (form: NonNullable<RawOptions["mediaType"]>) =>
  form === "diff" || form === "patch" || form === "sha"
    ? `application/vnd.service.${form}`
    : `application/vnd.service.${form}+json`

/** Failures of the steps, as those of the request that the caller made. */
const toFailure = (request: string, error: Failure.Always | HttpClientError.HttpClientError): Failure.Failure => {
  switch (error._tag) {
    case "HttpClientError":
      return ErrorResponse.transportFailure(request, error)
    case "BadCredentials":
      return new Failure.BadCredentials({ detail: error.detail, request })
    case "RateLimited":
      return new Failure.RateLimited({
        detail: error.detail,
        limit: error.limit,
        resource: error.resource,
        until: error.until,
        request
      })
    case "Forbidden":
    case "ServiceFailed":
    case "Unreachable":
    case "UnexpectedResponse":
      return error // of the request that renews the credential
  }
}
