/**
 * An endpoint of the contract as the client calls it: encodes the flat input, knows the declared error statuses and
 * decodes successful responses. Built when the endpoint is first called.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpMethod from "effect/http/HttpMethod"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { type Dialect, pathOf, valueFromService } from "../contract/Dialect.ts"
import { type CatalogEntry, memberNames, payloadSchema, successSchema } from "../contract/CatalogEntry.ts"
import * as Failure from "../contract/Failure.ts"
import * as Operation from "../contract/Operation.ts"
import * as FileRedirect from "../contract/FileRedirect.ts"
import * as Renaming from "../contract/Renaming.ts"
import * as LenientDecoder from "./LenientDecoder.ts"
import type { RawInput } from "./RawCall.ts"
import * as RawRequest from "./RawRequest.ts"
import { schemaErrorMessage } from "./ResponseDecoder.ts"
import * as SchemaDecoder from "./SchemaDecoder.ts"

/** An endpoint of the contract with its encoders and decoders. */
export interface ClientEndpoint {
  /** Method and path, for example `GET /repos/:owner/:repo`. */
  readonly route: string
  readonly operation: Operation.Operation
  /** Names of the query parameters. */
  readonly query: ReadonlyArray<string>
  /** True if a successful response with this status has a body. */
  readonly hasBody: (status: number) => boolean
  /** True if a successful response redirects to a file, which is then the result. */
  readonly isFile: boolean
  /**
   * Name of the extension that the endpoint belongs to, for example `code search`; undefined for a documented endpoint.
   */
  readonly extension: string | undefined
  /** True if the contract declares this error status for the endpoint. */
  readonly declares: (status: number) => boolean
  readonly toRequest: (input: RawInput) => Effect.Effect<HttpClientRequest.HttpClientRequest, Failure.ValidationFailed>
  readonly decode: (body: unknown) => Exit.Exit<unknown, Schema.SchemaError>
  /** Decodes a successful response that `decode` rejected. */
  readonly decodeLeniently: LenientDecoder.LenientDecoder
}

/** HTTP status of a response without a body. */
const NO_CONTENT = 204

type PureCodec = Schema.Codec<unknown, unknown>
const pureCodec = (schema: Schema.Top): PureCodec => schema as PureCodec // oxlint-disable-line typescript/no-unsafe-type-assertion -- declarations do no I/O, but an Entry does not carry that in its type

const pick = (input: RawInput, names: ReadonlyArray<string>) => {
  const picked: Record<string, unknown> = {}
  for (const name of names) if (input[name] !== undefined) picked[name] = encodeDates(input[name])
  return picked
}

/** Replaces `Date` objects with timestamps in the format of the API. */
const encodeDates = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (value instanceof Date) return RawRequest.timestamp(value) ?? value
  if (Array.isArray(value)) return value.map(encodeDates)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, encodeDates(member)]))
}

const encoder = (schema: Schema.Top | undefined) =>
  schema === undefined ? undefined : Schema.encodeUnknownExit(pureCodec(schema))

export const make = (entry: CatalogEntry, dialect: Dialect = "service"): ClientEndpoint => {
  const { endpoint, operation, status } = entry
  const route = `${endpoint.method} ${endpoint.path}`
  const params = memberNames(endpoint.params)
  const query = memberNames(endpoint.query)
  const payloadCodec = payloadSchema(endpoint)
  const payload = memberNames(payloadCodec)
  const encodeQuery = encoder(endpoint.query)
  const encodePayload = encoder(payloadCodec)
  const request = HttpClientRequest.make(endpoint.method)
  const template = pathOf(dialect, entry).split("/").slice(1)

  const invalid = (detail: string) =>
    Effect.fail(new Failure.ValidationFailed({ request: route, detail, status: 400, errors: [] }))

  const toRequest = (input: RawInput) => {
    let path = ""
    for (const segment of template) {
      if (!segment.startsWith(":")) {
        path += `/${segment}`
        continue
      }
      const param = segment.slice(1)
      const value = valueFromService(dialect, param, input[param])
      if ((value === undefined || value === "") && operation.rest === "optional" && param === params.at(-1)) continue
      const filled = RawRequest.encodeSegment(param, value)
      if (Result.isFailure(filled)) return invalid(filled.failure)
      path += `/${filled.success}`
    }
    const urlParams = encodeQuery === undefined ? Exit.succeed({}) : encodeQuery(pick(input, query))
    if (Exit.isFailure(urlParams)) return invalid(schemaErrorMessage(urlParams.cause))
    const built = request(path, { urlParams: urlParams.value as Record<string, string> }) // oxlint-disable-line typescript/no-unsafe-type-assertion -- a string tree, by its codec
    if (encodePayload === undefined || !HttpMethod.hasBody(endpoint.method)) return Effect.succeed(built)
    const body = encodePayload(pick(input, payload))
    if (Exit.isFailure(body)) return invalid(schemaErrorMessage(body.cause))
    return Effect.succeed(HttpClientRequest.setBody(built, HttpBody.jsonUnsafe(body.value)))
  }

  const success = successSchema(endpoint)
  const decode = SchemaDecoder.make(pureCodec(success))
  const decodeLeniently = LenientDecoder.make(success)
  const rename = Renaming.toService(dialect, success)
  const declared = new Set([...endpoint.error].map(({ ast }) => ast.context?.annotations?.httpApiStatus))
  const mayBeEmpty = [...endpoint.success].some(({ ast }) => HttpApiSchema.isNoContent(ast))
  return {
    route,
    operation,
    query,
    hasBody: (status) => !HttpApiSchema.isNoContent(success.ast) && !(mayBeEmpty && status === NO_CONTENT),
    isFile: status === FileRedirect.status,
    extension: operation.extension ? Operation.toKebabCase(entry.group).replaceAll("-", " ") : undefined,
    declares: (status) => declared.has(status),
    toRequest,
    decode: rename === undefined ? decode : (body) => decode(rename(body)),
    decodeLeniently: rename === undefined ? decodeLeniently : (body) => decodeLeniently(rename(body))
  }
}
