/** From an answer to a value or a typed failure: the last step of every call. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as HttpClientError from "effect/http/HttpClientError"
import { vocabularies } from "../contract/Dialect.ts"
import * as Failure from "../contract/Failure.ts"
import { TooLarge } from "./Body.ts"
import type { LenientDecoder } from "./LenientDecoder.ts"

const decodeErrorBody = Schema.decodeUnknownOption(Failure.ErrorBody)

/** Bounds of what is read of a body that is not the forge's JSON, and of what is quoted of it (characters). */
const maxRead = 8192
const maxQuote = 200

/** What the forge said, whatever it sent: JSON in any of its variants, a page of HTML, or nothing. */
const readErrorBody = (text: string): Failure.ErrorBody => {
  const value = parsed(text)
  return decodeErrorBody(value).pipe(
    // Its sentence counts, also where the rest of it has another shape.
    Option.orElse(() =>
      typeof value === "object" && value !== null && "message" in value
        ? decodeErrorBody({ message: value.message })
        : Option.none()
    ),
    Option.filter((body) => body.message !== ""),
    Option.getOrElse(() => ({ message: quote(text) }))
  )
}

/** The beginning of a text that is shown to a person, without its markup. */
const quote = (text: string) =>
  text
    .slice(0, maxRead)
    .replace(/<(script|style)\b[\s\S]*?<\/\1/gi, "<")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxQuote)

/** A body's value where it is JSON, its text where it is not. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const list = (header: string | undefined) =>
  (header ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

/** Bodies of the responses that failures come from. */
const bodies = new WeakMap<Failure.Failure, string>()

/** The body of the response that a failure comes from, without secrets. It can hold control characters. */
export const bodyOf = (failure: Failure.Failure): string | undefined => bodies.get(failure)

/** Lets a failure that replaces another have its body. */
export const carryBody = (from: Failure.Failure, to: Failure.Failure): void => {
  const body = bodies.get(from)
  if (body !== undefined) bodies.set(to, body)
}

interface Refused {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** The forge's own name for a request. */
export const requestId = (headers: Refused["headers"]): string | undefined =>
  headers["x-request-id"] ?? headers["x-github-request-id"]

/** The failure that an answer with an error status is, to a request that `declares` which of them it can meet. */
export const failure = (
  request: string,
  response: Refused,
  text: string,
  declares: (status: number) => boolean
): Failure.Failure => {
  const failure = read(request, response, text, declares)
  bodies.set(failure, text)
  return failure
}

const read = (
  request: string,
  response: Refused,
  text: string,
  declares: (status: number) => boolean
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
      return reason.cause instanceof TooLarge
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
  for (let depth = 0; depth < maxDepth && current instanceof Error && current.cause !== undefined; depth++)
    current = current.cause
  if (!(current instanceof Error)) return undefined
  return current.message !== "" ? current.message : "code" in current ? String(current.code) : current.name
}

/** How deep an error is looked into. */
const maxDepth = 10

export interface Decoders {
  readonly decode: (value: unknown) => Exit.Exit<unknown, Schema.SchemaError>
  /** Reads what `decode` refused; without it, that is a failure. */
  readonly decodeLeniently?: LenientDecoder | undefined
}

/** A success, decoded; what does not decode says where. */
export const decode = (
  request: string,
  { decode, decodeLeniently }: Decoders,
  status: number,
  body: string
): Effect.Effect<unknown, Failure.UnexpectedResponse> => {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return Effect.fail(new Failure.UnexpectedResponse({ request, detail: "the body is not JSON", status }))
  }
  const exit = decode(value)
  if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
  const lenient = decodeLeniently?.(value)
  if (lenient !== undefined && "value" in lenient) return Effect.as(report(request, lenient.unexpected), lenient.value)
  const detail =
    lenient === undefined || lenient.missing === ""
      ? problem(exit.cause)
      : `the identifying member is missing or wrong at ${lenient.missing}`
  return Effect.fail(new Failure.UnexpectedResponse({ request, detail, status }))
}

/** Notes which members of a response were not as the contract declares. */
const report = (request: string, unexpected: ReadonlyArray<string>) =>
  Effect.andThen(
    Effect.annotateCurrentSpan("tongs.unexpected_members", unexpected),
    Effect.logDebug(`${request}: UnexpectedMember ${unexpected.join(", ")}`)
  )

/** What a schema says of a value, in one line, as `Expected string at ["object"]["sha"]`. */
export const problem = (cause: Cause.Cause<Schema.SchemaError>) => {
  const error = Cause.squash(cause)
  return (error instanceof Error ? error.message : String(error)).replace(/\n\s*/g, " ")
}
