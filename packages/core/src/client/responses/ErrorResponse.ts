/** Turns error responses and transport errors into typed failures. */
import type * as HttpClientError from "effect/http/HttpClientError"
import { vocabularies } from "../../contract/Dialect.ts"
import * as Failure from "../../contract/Failure.ts"
import * as OAuthScopes from "../../contract/OAuthScopes.ts"
import { BodyTooLarge } from "./ResponseBody.ts"
import { parseJson } from "./ResponseDecoder.ts"

/** Maximum characters searched for text in an error body without a message. */
const MAX_PARSED = 8192

/** Maximum characters that a failure quotes from an error body without a message. */
const MAX_QUOTED = 200

/** The used members of an error body. Elements of `errors` can be objects or texts. */
interface ErrorBody {
  readonly message: string
  readonly errors: ReadonlyArray<Failure.FieldError>
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Parses an error body: JSON in any variant, an HTML page, or nothing. */
const parseErrorBody = (text: string): ErrorBody => {
  const value = parseJson(text)
  if (!isRecord(value) || typeof value["message"] !== "string" || value["message"] === "")
    return { message: excerpt(text), errors: [] }
  return { message: value["message"], errors: fieldErrors(value["errors"]) }
}

/** Returns the field errors, or none if any has an unknown form. Some forges send plain strings. */
const fieldErrors = (value: unknown): ReadonlyArray<Failure.FieldError> => {
  if (!Array.isArray(value)) return []
  const errors = value.map(fieldError)
  return errors.every((error) => error !== undefined) ? errors : []
}

const texts = ["resource", "field", "code", "message"] as const

const fieldError = (value: unknown): Failure.FieldError | undefined => {
  if (typeof value === "string") return { message: value }
  if (!isRecord(value)) return undefined
  const error: { -readonly [Name in keyof Failure.FieldError]: Failure.FieldError[Name] } = {}
  for (const name of texts) {
    const member = value[name]
    if (member === undefined) continue
    if (typeof member !== "string") return undefined
    error[name] = member
  }
  if ("value" in value) error.value = value["value"]
  return error
}

/** Returns the beginning of a text without markup. */
const excerpt = (text: string) =>
  text
    .slice(0, MAX_PARSED)
    .replace(/<(script|style)\b[\s\S]*?<\/\1/gi, "<")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_QUOTED)

const acceptedScopes = (headers: ErrorHead["headers"]) => OAuthScopes.parse(headers["x-accepted-oauth-scopes"])

const acceptedPermissions = (headers: ErrorHead["headers"]) =>
  OAuthScopes.parse(
    headers[vocabularies.service.acceptedPermissionsHeader] ?? headers[vocabularies.github.acceptedPermissionsHeader]
  )

/**
 * Returns the scopes or permissions that a hidden resource may need, without scopes if the token has one of the scopes.
 */
const missing = (headers: ErrorHead["headers"]) => {
  const accepted = acceptedScopes(headers)
  const granted = OAuthScopes.parse(headers["x-oauth-scopes"])
  return {
    acceptedScopes: OAuthScopes.suffice(granted, accepted) ? [] : accepted,
    acceptedPermissions: acceptedPermissions(headers)
  }
}

/** Response bodies by failure. */
const bodies = new WeakMap<Failure.Failure, string>()

/** Returns the body of the response that caused a failure, with secrets masked. May contain control characters. */
export const bodyOf = (failure: Failure.Failure): string | undefined => bodies.get(failure)

/** Assigns the response body of one failure to the failure that replaces the first. */
export const copyBody = (from: Failure.Failure, to: Failure.Failure): void => {
  const body = bodies.get(from)
  if (body !== undefined) bodies.set(to, body)
}

interface ErrorHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Returns the forge's id of a request, for reports to the operators of the forge. */
export const requestId = (headers: ErrorHead["headers"]): string | undefined =>
  headers["x-request-id"] ?? headers["x-github-request-id"]

/**
 * Creates the failure for an error status. A 404, 409 or 410 that the endpoint does not declare is an
 * `UnexpectedResponse`.
 */
export const toFailure = (
  request: string,
  response: ErrorHead,
  text: string,
  declares: (status: number) => boolean
): Failure.Failure => {
  const failure = classify(request, response, text, declares)
  bodies.set(failure, text)
  return failure
}

const classify = (
  request: string,
  response: ErrorHead,
  text: string,
  declares: (status: number) => boolean
): Failure.Failure => {
  const body = parseErrorBody(text)
  const { status } = response
  const headers = textHeaders(response.headers)
  const common = {
    request,
    detail: body.message === "" ? `status ${status}` : body.message,
    status,
    requestId: requestId(headers),
    headers
  }
  switch (status) {
    case 401:
      return new Failure.BadCredentials(common)
    case 403:
      return new Failure.Forbidden({
        ...common,
        acceptedScopes: acceptedScopes(headers),
        acceptedPermissions: acceptedPermissions(headers)
      })
    case 404:
      if (declares(status)) return new Failure.NotFound({ ...common, ...missing(headers) })
      break
    case 405:
      if (declares(status)) return new Failure.ValidationFailed({ ...common, errors: body.errors })
      break
    case 409:
      if (declares(status)) return new Failure.Conflict(common)
      break
    case 410:
      if (declares(status)) return new Failure.Gone(common)
      break
    case 501:
      if (declares(status)) return new Failure.Unsupported(common)
      break
    case 400:
    case 413:
    case 415:
    case 422:
      return new Failure.ValidationFailed({ ...common, errors: body.errors })
  }
  return status >= 500 ? new Failure.ServiceFailed(common) : new Failure.UnexpectedResponse(common)
}

const textHeaders = (headers: ErrorHead["headers"]): Readonly<Record<string, string>> => {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) texts[name] = value
  return texts
}

/** Creates the failure for a transport error. */
export const transportFailure = (request: string, { reason }: HttpClientError.HttpClientError): Failure.Failure => {
  switch (reason._tag) {
    case "DecodeError":
      // The body is too large, or the connection broke during the transfer. The transport decodes nothing else.
      return reason.cause instanceof BodyTooLarge
        ? new Failure.UnexpectedResponse({ request, detail: reason.cause.message, status: reason.response.status })
        : unreachable(request, reason)
    case "TransportError":
    case "EmptyBodyError":
      return unreachable(request, reason)
    case "InvalidUrlError":
    case "EncodeError":
      return new Failure.ValidationFailed({ request, detail: reason.message, status: 400, errors: [] })
    case "StatusCodeError":
      return new Failure.UnexpectedResponse({ request, detail: reason.message, status: reason.response.status })
  }
}

const unreachable = (request: string, { _tag, cause, request: { url } }: HttpClientError.HttpClientErrorReason) =>
  new Failure.Unreachable({
    request,
    detail: rootMessage(cause) ?? _tag,
    host: URL.canParse(url) ? new URL(url).host : undefined
  })

/** Returns the innermost cause, because platforms wrap socket errors in general ones. */
export const rootCause = (error: unknown): unknown => {
  let current = error
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error && current.cause !== undefined; depth++)
    current = current.cause
  return current
}

const rootMessage = (error: unknown): string | undefined => {
  const root = rootCause(error)
  if (!(root instanceof Error)) return undefined
  return root.message !== "" ? root.message : "code" in root ? String(root.code) : root.name
}

/** Maximum depth to which causes are followed. */
const MAX_CAUSES = 10
