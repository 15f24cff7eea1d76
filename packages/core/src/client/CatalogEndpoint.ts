/** Describes the endpoints of the contract for the engine of the client. */
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  type CatalogEntry,
  entriesOfGroup,
  groups,
  isStream,
  payloadSchema,
  successSchema
} from "../contract/CatalogEntry.ts"
import { type Dialect, pathOf } from "../contract/Dialect.ts"
import * as FileRedirect from "../contract/FileRedirect.ts"
import * as Operation from "../contract/Operation.ts"
import * as SchemaShape from "../contract/SchemaShape.ts"
import * as ClientEndpoint from "./ClientEndpoint.ts"
import type { EndpointDescription, MethodKind, Methods } from "./EndpointDescription.ts"
import type * as RouteMatcher from "./RouteMatcher.ts"

/** Returns an endpoint of the contract as data. */
export const describe = ({ endpoint, failures, group, name, operation, status }: CatalogEntry): EndpointDescription => {
  const payload = payloadSchema(endpoint)
  const success = successSchema(endpoint)
  const isEmpty = HttpApiSchema.isNoContent(success.ast)
  const mayBeEmpty = [...endpoint.success].some(({ ast }) => HttpApiSchema.isNoContent(ast))
  return {
    group,
    name,
    method: endpoint.method,
    path: endpoint.path,
    ...(endpoint.query === undefined ? {} : { query: SchemaShape.ofType(endpoint.query) }),
    ...(payload === undefined ? {} : { payload: SchemaShape.ofType(payload) }),
    ...(isEmpty ? {} : { success: SchemaShape.of(success) }),
    ...(mayBeEmpty && !isEmpty ? { mayBeEmpty } : {}),
    ...(status === FileRedirect.status ? { isFile: true } : {}),
    ...(isStream(endpoint) ? { isStream: true } : {}),
    ...(operation.rest === false ? {} : { rest: operation.rest }),
    ...(operation.extension ? { extension: Operation.toKebabCase(group).replaceAll("-", " ") } : {}),
    ...(operation.resource === "core" ? {} : { resource: operation.resource }),
    ...(operation.paging === undefined ? {} : { paging: operation.paging }),
    ...(operation.points === undefined ? {} : { points: operation.points }),
    ...(operation.bytesBody === undefined ? {} : { bytesBody: operation.bytesBody }),
    ...(operation.textBody === undefined ? {} : { textBody: operation.textBody }),
    failures
  }
}

/** Returns the encoders and decoders of an endpoint of the contract. */
export const make = (entry: CatalogEntry, dialect?: Dialect): ClientEndpoint.ClientEndpoint =>
  ClientEndpoint.make(describe(entry), dialect)

/** Returns the form of the result of an endpoint's client method. */
const kindOf = ({ endpoint, operation }: CatalogEntry): MethodKind => {
  if (isStream(endpoint)) return "stream"
  return operation.paging === undefined ? "call" : "list"
}

/** The methods of the client. */
export const methods: Methods<CatalogEntry> = {
  groups,
  entriesOf: (group) =>
    groups
      .filter((name) => name === group)
      .flatMap(entriesOfGroup)
      .map((entry) => [entry.name, kindOf(entry), entry] as const) // a triple
}

/** Returns the route of an endpoint. */
export const routeOf = ({ endpoint, operation: { rest } }: CatalogEntry): RouteMatcher.Route => {
  const { method, path } = endpoint
  const githubPath = pathOf("github", { endpoint })
  return { method, path, ...(githubPath === path ? {} : { githubPath }), ...(rest === false ? {} : { rest }) }
}
