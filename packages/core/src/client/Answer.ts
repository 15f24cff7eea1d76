/** From an answer to a value or a typed failure: the last step of every call. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { type Dialect, jsonToService, vocabularies } from "../contract/Dialect.ts"
import * as Failure from "../contract/Failure.ts"

const decodeErrorBody = Schema.decodeUnknownExit(Failure.ErrorBody)

const list = (header: string | undefined) =>
  (header ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

/** How much of a body that is not JSON is quoted. */
const maxQuote = 200

/** What the forge said, whatever it sent: JSON in any of its variants, a page of HTML, or nothing. */
const readErrorBody = (text: string): Failure.ErrorBody => {
  try {
    const exit = decodeErrorBody(JSON.parse(text))
    if (Exit.isSuccess(exit)) return exit.value
  } catch {
    // not JSON: quoted below
  }
  return { message: text.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim().slice(0, maxQuote) }
}

/** The failure that an answer with an error status is. */
export const failure = (
  request: string,
  response: { readonly status: number; readonly headers: Readonly<Record<string, string | undefined>> },
  text: string
): Failure.Failure => {
  const body = readErrorBody(text)
  const { status, headers } = response
  const said = { request, detail: body.message === "" ? `status ${status}` : body.message }
  switch (status) {
    case 401:
      return new Failure.BadCredentials(said)
    case 403:
      return new Failure.Forbidden({
        ...said,
        acceptedScopes: list(headers["x-accepted-oauth-scopes"]),
        acceptedPermissions: list(
          headers[vocabularies.service.acceptedPermissionsHeader] ?? headers[vocabularies.github.acceptedPermissionsHeader]
        )
      })
    case 404:
      return new Failure.NotFound(said)
    case 409:
      return new Failure.Conflict(said)
    case 410:
      return new Failure.Gone(said)
    case 400:
    case 413:
    case 415:
    case 422:
      return new Failure.ValidationFailed({ ...said, status, errors: body.errors ?? [] })
  }
  if (status >= 500) {
    const requestId = headers["x-request-id"] ?? headers["x-github-request-id"]
    return new Failure.ServiceFailed({ ...said, status, ...(requestId === undefined ? {} : { requestId }) })
  }
  return new Failure.UnexpectedResponse({ ...said, status })
}

/** Failures of the transport, as the two that a caller can act on. */
export const transportFailure = (request: string, error: HttpClientError.HttpClientError): Failure.Failure => {
  switch (error.reason._tag) {
    case "TransportError":
      return new Failure.Unreachable({ request, detail: rootMessage(error.reason.cause) ?? error.reason._tag })
    case "InvalidUrlError":
    case "EncodeError":
      return new Failure.ValidationFailed({ request, detail: error.message, status: 400, errors: [] })
    case "StatusCodeError":
    case "DecodeError":
    case "EmptyBodyError":
      return new Failure.UnexpectedResponse({ request, detail: error.reason._tag, status: error.reason.response.status })
  }
}

/** Sockets fail with errors in errors: the innermost says what happened. */
const rootMessage = (error: unknown): string | undefined => {
  let current = error
  while (current instanceof Error && current.cause !== undefined) current = current.cause
  if (!(current instanceof Error)) return undefined
  return current.message !== "" ? current.message : "code" in current ? String(current.code) : current.name
}

/** A body as text in the documents' vocabulary. */
export const text = (dialect: Dialect, response: HttpClientResponse.HttpClientResponse) =>
  Effect.map(response.text, (body) => jsonToService(dialect, body))

/** A success, decoded; what does not decode says where. */
export const decode = <A>(
  request: string,
  decoder: (value: unknown) => Exit.Exit<A, Schema.SchemaError>,
  status: number,
  body: string
): Effect.Effect<A, Failure.UnexpectedResponse> => {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return Effect.fail(new Failure.UnexpectedResponse({ request, detail: "the body is not JSON", status }))
  }
  const exit = decoder(value)
  if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
  const detail = String(Cause.squash(exit.cause)).replace(/^SchemaError:?\s*/, "")
  return Effect.fail(new Failure.UnexpectedResponse({ request, detail, status }))
}
