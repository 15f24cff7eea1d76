/** From an answer to a value or a typed failure: the last step of every call. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as HttpClientError from "effect/http/HttpClientError"
import { vocabularies } from "../contract/Dialect.ts"
import * as Failure from "../contract/Failure.ts"
import { BodyTooLarge } from "./ResponseBody.ts"
import { parseJson } from "./ResponseDecoder.ts"

const decodeErrorBody = Schema.decodeUnknownOption(Failure.ErrorBody)

/** Bounds of what is read of a body that is not the forge's JSON, and of what is quoted of it (characters). */
const MAX_PARSED = 8192
const MAX_QUOTED = 200

/** What the forge said, whatever it sent: JSON in any of its variants, a page of HTML, or nothing. */
const parseErrorBody = (text: string): Failure.ErrorBody => {
  const value = parseJson(text)
  return decodeErrorBody(value).pipe(
    // Its sentence counts, also where the rest of it has another shape.
    Option.orElse(() =>
      typeof value === "object" && value !== null && "message" in value
        ? decodeErrorBody({ message: value.message })
        : Option.none()
    ),
    Option.filter((body) => body.message !== ""),
    Option.getOrElse(() => ({ message: excerpt(text) }))
  )
}

/** The beginning of a text that is shown to a person, without its markup. */
const excerpt = (text: string) =>
  text
    .slice(0, MAX_PARSED)
    .replace(/<(script|style)\b[\s\S]*?<\/\1/gi, "<")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_QUOTED)

const splitList = (header: string | undefined) =>
  (header ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

/** Bodies of the responses that failures come from. */
const bodies = new WeakMap<Failure.Failure, string>()

/** The body of the response that a failure comes from, without secrets. It can hold control characters. */
export const bodyOf = (failure: Failure.Failure): string | undefined => bodies.get(failure)

/** Lets a failure that replaces another have its body. */
export const copyBody = (from: Failure.Failure, to: Failure.Failure): void => {
  const body = bodies.get(from)
  if (body !== undefined) bodies.set(to, body)
}

interface ErrorHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** The forge's own name for a request. */
export const requestId = (headers: ErrorHead["headers"]): string | undefined =>
  headers["x-request-id"] ?? headers["x-github-request-id"]

/** The failure that an answer with an error status is, to a request that `declares` which of them it can meet. */
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
  const { status, headers } = response
  const said = { request, detail: body.message === "" ? `status ${status}` : body.message }
  switch (status) {
    case 401:
      return new Failure.BadCredentials(said)
    case 403:
      return new Failure.Forbidden({
        ...said,
        acceptedScopes: splitList(headers["x-accepted-oauth-scopes"]),
        acceptedPermissions: splitList(
          headers[vocabularies.service.acceptedPermissionsHeader] ??
            headers[vocabularies.github.acceptedPermissionsHeader]
        )
      })
    case 404:
      if (declares(status)) return new Failure.NotFound(said)
      break
    case 409:
      if (declares(status)) return new Failure.Conflict(said)
      break
    case 410:
      if (declares(status)) return new Failure.Gone(said)
      break
    case 400:
    case 413:
    case 415:
    case 422:
      return new Failure.ValidationFailed({ ...said, status, errors: body.errors ?? [] })
  }
  if (status >= 500) {
    const id = requestId(headers)
    return new Failure.ServiceFailed({ ...said, status, ...(id === undefined ? {} : { requestId: id }) })
  }
  return new Failure.UnexpectedResponse({ ...said, status })
}

/** Failures of the transport, as the ones that a caller can act on. */
export const transportFailure = (request: string, { reason }: HttpClientError.HttpClientError): Failure.Failure => {
  switch (reason._tag) {
    case "DecodeError":
      // Nothing is decoded at this level: the body is too large, or the connection broke while it came.
      return reason.cause instanceof BodyTooLarge
        ? new Failure.UnexpectedResponse({ request, detail: reason.cause.message, status: reason.response.status })
        : new Failure.Unreachable({ request, detail: rootMessage(reason.cause) ?? reason._tag })
    case "TransportError":
    case "EmptyBodyError":
      return new Failure.Unreachable({ request, detail: rootMessage(reason.cause) ?? reason._tag })
    case "InvalidUrlError":
    case "EncodeError":
      return new Failure.ValidationFailed({ request, detail: reason.message, status: 400, errors: [] })
    case "StatusCodeError":
      return new Failure.UnexpectedResponse({ request, detail: reason.message, status: reason.response.status })
  }
}

/** Sockets fail with errors in errors: the innermost says what happened. */
const rootMessage = (error: unknown): string | undefined => {
  let current = error
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error && current.cause !== undefined; depth++)
    current = current.cause
  if (!(current instanceof Error)) return undefined
  return current.message !== "" ? current.message : "code" in current ? String(current.code) : current.name
}

/** How deep an error is looked into. */
const MAX_CAUSES = 10
