/**
 * The client's form of a declared endpoint: encodes the flat input, knows the declared error statuses and decodes
 * successful responses. Built when the endpoint is first called.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Base64 from "effect/encoding/Base64"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpMethod from "effect/http/HttpMethod"
import { type Dialect, pathOf, valueFromService } from "../contract/Dialect.ts"
import * as Failure from "../contract/Failure.ts"
import * as Renaming from "../contract/Renaming.ts"
import { membersOf, type Shape } from "../contract/Shape.ts"
import type { EndpointDescription } from "./EndpointDescription.ts"
import * as LenientDecoder from "./responses/LenientDecoder.ts"
import type { RawInput } from "./RawCall.ts"
import * as RawRequest from "./RawRequest.ts"
import * as ShapeReader from "./responses/ShapeReader.ts"

/** An endpoint of the contract with encoders and decoders. */
export interface ClientEndpoint {
  /** Method and path, for example `GET /repos/:owner/:repo`. */
  readonly route: string
  /** Rate limit resource that counts the request. */
  readonly resource: string
  /** Points of the secondary limit, if not the default of the HTTP method. */
  readonly points: number | undefined
  /** Name of the extension that the endpoint belongs to; undefined for a documented endpoint. */
  readonly extension: string | undefined
  /** Names of the query parameters. */
  readonly query: ReadonlyArray<string>
  /** True if a successful response with this status has a body. */
  readonly hasBody: (status: number) => boolean
  /** True if a successful response redirects to a file, which is then the result. */
  readonly isFile: boolean
  /** True if the contract declares this error status for the endpoint. */
  readonly declares: (status: number) => boolean
  readonly toRequest: (input: RawInput) => Effect.Effect<HttpClientRequest.HttpClientRequest, Failure.ValidationFailed>
  readonly decode: ShapeReader.Reader
  /** Decodes a successful response that `decode` rejected. */
  readonly decodeLeniently: LenientDecoder.LenientDecoder
}

/** HTTP status of a response without a body. */
const NO_CONTENT = 204

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

const namesOf = (shape: Shape | undefined): ReadonlyArray<string> =>
  typeof shape === "object" && "object" in shape ? membersOf(shape.object).map(({ name }) => name) : []

/** Creates the validation of inputs, which omits undeclared members. */
const validator = (shape: Shape | undefined): ((input: RawInput) => ShapeReader.Decoded) => {
  if (shape === undefined) return () => ({ value: {} })
  const names = namesOf(shape)
  const read = ShapeReader.make(shape)
  return (input) => read(pick(input, names))
}

export const make = (description: EndpointDescription, dialect: Dialect = "service"): ClientEndpoint => {
  const { bytesBody, extension, failures, method, path, points, resource = "core", success = "any" } = description
  const { textBody } = description
  const route = `${method} ${path}`
  const query = validator(description.query)
  const payload = validator(description.payload)
  const request = HttpClientRequest.make(method)
  const template = pathOf(dialect, { endpoint: { path } }).split("/").slice(1)
  const optional = description.rest === "optional" ? template.findLast((segment) => segment.startsWith(":")) : undefined

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
      if ((value === undefined || value === "") && segment === optional) continue
      const filled = RawRequest.encodeSegment(param, value)
      if (Result.isFailure(filled)) return invalid(filled.failure)
      path += `/${filled.success}`
    }
    const urlParams = query(input)
    if ("mismatch" in urlParams) return invalid(urlParams.mismatch())
    const built = request(path, { urlParams: urlParams.value as Record<string, string> }) // oxlint-disable-line typescript/no-unsafe-type-assertion -- texts, numbers and lists of texts, by the shape
    if (description.payload === undefined || !HttpMethod.hasBody(method)) return Effect.succeed(built)
    const body = payload(input)
    if ("mismatch" in body) return invalid(body.mismatch())
    if (textBody !== undefined) {
      return Effect.succeed(HttpClientRequest.setBody(built, HttpBody.text(String(input[textBody]), "text/plain")))
    }
    if (bytesBody !== undefined) {
      const decoded = Base64.decode(String(input[bytesBody]))
      if (Result.isFailure(decoded)) return invalid(`${bytesBody} is not Base64`)
      const type = "application/octet-stream"
      return Effect.succeed(HttpClientRequest.setBody(built, HttpBody.uint8Array(decoded.success, type)))
    }
    return Effect.succeed(HttpClientRequest.setBody(built, HttpBody.jsonUnsafe(body.value)))
  }

  const decode = ShapeReader.make(success)
  const decodeLeniently = LenientDecoder.make(success)
  const rename = Renaming.toService(dialect, success)
  const declared = new Set(failures)
  return {
    route,
    resource,
    points,
    extension,
    query: namesOf(description.query),
    hasBody: (status) => description.success !== undefined && !(description.mayBeEmpty && status === NO_CONTENT),
    isFile: description.isFile === true,
    declares: (status) => declared.has(status),
    toRequest,
    decode: rename === undefined ? decode : (body) => decode(rename(body)),
    decodeLeniently: rename === undefined ? decodeLeniently : (body) => decodeLeniently(rename(body))
  }
}
