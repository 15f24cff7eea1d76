/**
 * One endpoint of the contract, made ready to call: how its flat input becomes a request, which statuses are its own,
 * and how its success is read. All of it is worked out once, when the client is made.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpMethod from "effect/http/HttpMethod"
import { type Entry, memberNames, payloadSchema, successSchema } from "../contract/Catalog.ts"
import * as Failure from "../contract/Failure.ts"
import type * as Operation from "../contract/Operation.ts"

export interface Endpoint {
  /** The group and operation, as `gitRefs.get`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operation: Operation.Operation
  /** Names of the flat input's parts. */
  readonly params: ReadonlyArray<string>
  readonly query: ReadonlyArray<string>
  readonly payload: ReadonlyArray<string>
  readonly isPaged: boolean
  readonly toRequest: (input: Input) => Effect.Effect<HttpClientRequest.HttpClientRequest, Failure.ValidationFailed>
  readonly decode: (body: unknown) => Exit.Exit<unknown, Schema.SchemaError>
}

export type Input = Readonly<Record<string, unknown>>

/** The schemas of one endpoint need no services: declarations do no I/O. */
type Pure = Schema.Codec<unknown, unknown>
const pure = (schema: Schema.Top): Pure => schema as Pure // the Catalog forgets that there are none

const pick = (input: Input, names: ReadonlyArray<string>) => {
  const picked: Record<string, unknown> = {}
  for (const name of names) if (input[name] !== undefined) picked[name] = input[name]
  return picked
}

const encoder = (schema: Schema.Top | undefined) =>
  schema === undefined ? undefined : Schema.encodeUnknownExit(pure(schema))

export const make = ({ endpoint, group, operation }: Entry): Endpoint => {
  const name = `${group}.${endpoint.identifier}`
  const params = memberNames(endpoint.params)
  const query = memberNames(endpoint.query)
  const payloadCodec = payloadSchema(endpoint)
  const payload = memberNames(payloadCodec)
  const encodeQuery = encoder(endpoint.query)
  const encodePayload = encoder(payloadCodec)
  const request = HttpClientRequest.make(endpoint.method)
  const template = endpoint.path.split("/").slice(1)

  const invalid = (detail: string) =>
    Effect.fail(
      new Failure.ValidationFailed({ request: `${endpoint.method} ${endpoint.path}`, detail, status: 400, errors: [] })
    )

  const toRequest = (input: Input) => {
    let path = ""
    for (const segment of template) {
      if (!segment.startsWith(":")) {
        path += `/${segment}`
        continue
      }
      const param = segment.slice(1)
      const value = String(input[param] ?? "")
      if (value === "" && operation.rest === "optional" && param === params.at(-1)) continue
      if (value === "") return invalid(`${param} is missing`)
      // A dot segment would be resolved away and lead elsewhere.
      if (value === "." || value === "..") return invalid(`${param} cannot be "${value}"`)
      path += `/${encodeURIComponent(value)}`
    }
    const urlParams = encodeQuery === undefined ? Exit.succeed({}) : encodeQuery(pick(input, query))
    if (Exit.isFailure(urlParams)) return invalid(problem(urlParams.cause))
    const built = request(path, { urlParams: urlParams.value as Record<string, string> }) // a string tree, by its codec
    if (encodePayload === undefined || !HttpMethod.hasBody(endpoint.method)) return Effect.succeed(built)
    const body = encodePayload(pick(input, payload))
    if (Exit.isFailure(body)) return invalid(problem(body.cause))
    return Effect.succeed(HttpClientRequest.setBody(built, HttpBody.jsonUnsafe(body.value)))
  }

  const success = successSchema(endpoint)
  return {
    name,
    method: endpoint.method,
    path: endpoint.path,
    operation,
    params,
    query,
    payload,
    isPaged: operation.paging !== undefined,
    toRequest,
    decode: Schema.decodeUnknownExit(pure(success))
  }
}

const problem = (cause: Cause.Cause<unknown>) => String(Cause.squash(cause)).replace(/^SchemaError:?\s*/, "")
