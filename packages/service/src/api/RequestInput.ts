/** Decodes a request into the flat input of the endpoint, or fails with the matching 4xx error. */
import * as ByteSize from "effect/ByteSize"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpMethod from "effect/http/HttpMethod"
import { type CatalogEntry, memberNames, payloadSchema } from "@tongs/core/contract/CatalogEntry"
import type { FieldError } from "@tongs/core/contract/Failure"
import * as ApiError from "./ApiError.ts"

/** Maximum size of a request body, in bytes. */
const MAX_BODY = 10 * 1024 * 1024

/** Shorter than the server's own limit, which allows large pushes. */
const bodyDeadline = Duration.minutes(5)

/** Types a schema of the contract as one that needs no services to decode. */
const pure = (schema: Schema.Top) => schema as Schema.Codec<unknown, unknown> // oxlint-disable-line typescript/no-unsafe-type-assertion -- the contract's own test decodes each

const decoder = (schema: Schema.Top | undefined) =>
  schema === undefined ? undefined : Schema.decodeUnknownExit(pure(schema), { errors: "all" })

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

/** Returns the invalid fields of an input, each with a code and a message. */
const fieldErrors = (cause: Cause.Cause<unknown>, resource: string): ReadonlyArray<FieldError> => {
  const error = Cause.squash(cause)
  if (!(error instanceof Schema.SchemaError)) return []
  return formatIssue(error.issue).issues.map(({ message, path = [] }) => ({
    resource,
    field: path.map((key) => String(typeof key === "object" ? key.key : key)).join("."),
    code: /^missing key/i.test(message) ? "missing_field" : "invalid",
    message
  }))
}

/** Creates the error for an invalid input, with the status that the operation declares. */
export const invalidInput = (cause: Cause.Cause<unknown>, resource: string, status: 400 | 422 = 422) => {
  const errors = fieldErrors(cause, resource)
  const [first] = errors
  const detail =
    first === undefined
      ? "Validation Failed"
      : `Validation Failed: ${first.field} ${first.code === "missing_field" ? "is missing" : "is invalid"}`
  return ApiError.invalid(detail, errors, status)
}

const isJsonType = (contentType: string): boolean =>
  // Without an explicit header, curl labels JSON as form encoding, and `fetch` as plain text.
  /^(application\/([\w.+-]*\+)?json|application\/x-www-form-urlencoded|text\/plain)\b/i.test(contentType)

const decodeUtf8 = new TextDecoder("utf-8", { fatal: true })

/** The parts of a request from which the JSON body is read. */
export interface JsonSource extends Pick<HttpServerRequest.HttpServerRequest, "arrayBuffer"> {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body of a request with a file. Absent without a body, and for calls of other protocols. */
  readonly stream?: HttpServerRequest.HttpServerRequest["stream"]
}

/** Creates a source with a JSON body, for an operation that another protocol calls. */
export const jsonSource = (body: unknown): JsonSource => ({
  headers: {},
  arrayBuffer: Effect.sync(() => new TextEncoder().encode(JSON.stringify(body)).buffer)
})

/** Reads the request body. Fails with 400 or 413, and with 415 for a body of another type than expected. */
const readBytes = Effect.fnUntraced(function* (
  request: JsonSource,
  { isType, name }: { readonly isType: (contentType: string) => boolean; readonly name: string },
  maxBytes: number
) {
  const type = request.headers["content-type"]
  const wrongType =
    type === undefined || isType(type)
      ? undefined
      : ApiError.unreadableRequest(415, `The body must be ${name}, not ${type.slice(0, 100)}`)
  const length = Number(request.headers["content-length"] ?? 0)
  if (wrongType !== undefined && length > 0) return yield* wrongType
  const tooLarge = ApiError.unreadableRequest(413, `The body is larger than ${maxBytes} bytes`)
  if (length > maxBytes) return yield* tooLarge
  const bytes = yield* request.arrayBuffer.pipe(
    Effect.mapError(({ reason }) =>
      reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
        ? tooLarge
        : ApiError.unreadableRequest(400, "Request body is incomplete")
    ),
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(maxBytes)),
    Effect.timeoutOrElse({
      duration: bodyDeadline,
      orElse: () => Effect.fail(ApiError.unreadableRequest(400, "Request body is incomplete after five minutes"))
    })
  )
  if (bytes.byteLength > maxBytes) return yield* tooLarge
  if (wrongType !== undefined && bytes.byteLength > 0) return yield* wrongType
  return bytes
})

const json = { isType: isJsonType, name: "JSON (application/json)" }

const plainText = {
  isType: (contentType: string) => /^text\/(plain|x-markdown)\b/i.test(contentType),
  name: "text (text/plain or text/x-markdown)"
}

/** Reads the request body as text in UTF-8. Fails with 400, 413 or 415. */
const readText = Effect.fnUntraced(function* (request: JsonSource) {
  const bytes = yield* readBytes(request, plainText, MAX_BODY)
  return yield* Effect.try({
    try: () => decodeUtf8.decode(bytes),
    catch: () => ApiError.unreadableRequest(400, "The body is not UTF-8")
  })
})

const form = {
  isType: (contentType: string) => /^application\/x-www-form-urlencoded\b/i.test(contentType),
  name: "a form (application/x-www-form-urlencoded)"
}

/** Reads the request body as the fields of a form. Fails with 400, 413 or 415. */
export const readForm = Effect.fnUntraced(function* (request: JsonSource, maxBytes: number) {
  return new URLSearchParams(new TextDecoder().decode(yield* readBytes(request, form, maxBytes)))
})

/**
 * Reads the request body as a JSON object; an empty body of any type and `null` count as `{}`, and an array as the
 * member `listBody`. Fails with 400, 413 or 415.
 */
export const readJson = Effect.fnUntraced(function* (request: JsonSource, listBody?: string, maxBytes = MAX_BODY) {
  const bytes = yield* readBytes(request, json, maxBytes)
  if (bytes.byteLength === 0) return {}
  const value = yield* Effect.try({
    try: (): unknown => JSON.parse(decodeUtf8.decode(bytes)),
    catch: () => ApiError.unreadableRequest(400, "Problems parsing JSON")
  })
  if (value === null) return {} // go-github's body without options
  const given: unknown = listBody !== undefined && Array.isArray(value) ? { [listBody]: value } : value
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return yield* ApiError.unreadableRequest(400, "Body should be a JSON object")
  }
  return given
})

/** Creates the decoder of an endpoint's input, without a file in the body. Compiles the schemas once. */
export const makeDecoder = ({ endpoint, failures, fields, group, operation }: CatalogEntry) => {
  const status = failures.includes(400) && !failures.includes(422) ? 400 : 422
  const decodeParams = decoder(endpoint.params)
  const decodeQuery = decoder(endpoint.query)
  const hasFields = HttpMethod.hasBody(endpoint.method) && operation.bytesBody === undefined
  const decodePayload = hasFields ? decoder(payloadSchema(endpoint)) : undefined
  const queryNames = memberNames(endpoint.query)
  const lists = new Set(
    fields.flatMap(({ in: place, kind, name }) => (place === "query" && kind === "strings" ? [name] : []))
  )

  return Effect.fnUntracedEager(function* (
    request: JsonSource,
    params: Readonly<Record<string, string | undefined>>,
    query: URLSearchParams
  ) {
    const input: Record<string, unknown> = {}
    const take = (exit: Exit.Exit<unknown, unknown>) => {
      if (Exit.isFailure(exit)) return invalidInput(exit.cause, group, status)
      Object.assign(input, exit.value)
      return undefined
    }
    if (decodeParams !== undefined) {
      // A resource with an invalid id cannot exist, so this is a 404.
      const exit = decodeParams(params)
      if (Exit.isFailure(exit)) return yield* ApiError.notFound()
      Object.assign(input, exit.value)
    }
    if (decodeQuery !== undefined) {
      const given: Record<string, string | ReadonlyArray<string>> = {}
      // Skips parameters of paging: `Paging.request` replaces invalid values by defaults.
      for (const name of queryNames) {
        const value = query.get(name)
        if (value === null || name === "page" || name === "per_page") continue
        given[name] = lists.has(name) ? query.getAll(name) : value
      }
      const wrong = take(decodeQuery(given))
      if (wrong !== undefined) return yield* wrong
    }
    if (decodePayload !== undefined) {
      const { listBody, textBody } = operation
      const body =
        textBody === undefined ? yield* readJson(request, listBody) : { [textBody]: yield* readText(request) }
      // Some clients send no body with DELETE. GitHub then reads the members of the body from the query.
      const isInQuery = endpoint.method === "DELETE" && Object.keys(body).length === 0
      const wrong = take(decodePayload(isInQuery ? Object.fromEntries(query) : body))
      if (wrong !== undefined) return yield* wrong
    }
    return input
  })
}
