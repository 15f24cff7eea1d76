/** The contract as an OpenAPI 3.1 document. */
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpMethod from "effect/http/HttpMethod"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "./Api.ts"
import { allEntries, type CatalogEntry, type InputField, isStream, resultSchemas } from "./CatalogEntry.ts"
import { type Dialect, pathOf, vocabularies } from "./Dialect.ts"
import * as Presentation from "./Presentation.ts"

/** An OpenAPI document. */
export type Document = OpenApi.OpenAPISpec

/** Servers and dialect of the document. */
export interface Options {
  /** Base URLs of the forge. */
  readonly servers?: ReadonlyArray<string>
  /** Dialect of the document. Default: `service`. */
  readonly dialect?: Dialect
}

/** Creates the document with the names of the dialect. */
export const make = (options: Options = {}): Document => inDialect(options.dialect ?? "service", describeAll(options))

const describeAll = (options: Options): Document => {
  const document = OpenApi.fromApi(Api)
  const paths = { ...document.paths }
  const extensions = new Set<string>()
  for (const entry of allEntries()) {
    if (entry.operation.extension) extensions.add(entry.group)
    const path = template(entry.endpoint.path)
    const item = paths[path]
    const method = methodName(entry.endpoint)
    const found = item?.[method]
    if (found === undefined) continue
    const operation = complete(found, entry)
    paths[path] = { ...item, [method]: operation }
    const { alsoAt } = entry.operation
    if (alsoAt !== undefined)
      paths[template(alsoAt)] = { ...paths[template(alsoAt)], [method]: alias(operation, alsoAt) }
  }
  return {
    ...document,
    info: {
      title: "Forge REST API",
      version: "2026-03-10",
      description: "Repositories, their git data and code search, over HTTP."
    },
    paths,
    components: {
      ...document.components,
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "A personal access token, or a token of an app or a workflow."
        }
      }
    },
    tags: document.tags.map((tag) => ({
      ...tag,
      ...(extensions.has(tag.name)
        ? { description: "An extension of the embedded forge, which is not part of the documents." }
        : {}),
      "x-displayName": tag.name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    })),
    ...(options.servers === undefined ? {} : { servers: options.servers.map((url) => ({ url })) })
  }
}

/**
 * Translates a document to the dialect. Declared members are the keys of `properties` and the names in `required`;
 * nothing else is renamed.
 */
const inDialect = (dialect: Dialect, document: Document): Document => {
  const { members } = vocabularies[dialect]
  if (Object.keys(members).length === 0) return document
  const name = (declared: string) => members[declared] ?? declared
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, part]: [string, unknown]) => {
        if (key === "required" && Array.isArray(part)) return [key, part.map(String).map(name)]
        if (key !== "properties" || typeof part !== "object" || part === null) return [key, rename(part)]
        return [key, Object.fromEntries(Object.entries(part).map(([own, inner]) => [name(own), rename(inner)]))]
      })
    )
  }
  const paths = new Map(allEntries().map((entry) => [template(entry.endpoint.path), template(pathOf(dialect, entry))]))
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries(document.paths).map(([path, item]) => [paths.get(path) ?? path, rename(item) as typeof item]) // oxlint-disable-line typescript/no-unsafe-type-assertion -- the same document with other names
    ),
    components: rename(document.components) as Document["components"] // oxlint-disable-line typescript/no-unsafe-type-assertion -- the same document with other names
  }
}

const template = (path: string) => path.replace(/:(\w+)/g, "{$1}")

/** Creates the operation for the second path of an endpoint. That path may lack a parameter of the first. */
const alias = (operation: Operation, path: string): Operation => ({
  ...operation,
  operationId: `${operation.operationId}.alias`,
  parameters: operation.parameters.filter(({ in: place, name }) => place !== "path" || path.includes(`:${name}`))
})

interface Operation extends OpenApi.OpenAPISpecOperation {
  /** Every annotation of the operation, and the presentation of the resource. */
  readonly "x-tongs": CatalogEntry["operation"] & { readonly presentation?: Presentation.Declaration }
}

/**
 * Adds to the operation that `OpenApi` generated: the summary, the types of query values, the credentials, and the
 * responses that every operation can give.
 */
const complete = (found: OpenApi.OpenAPISpecOperation, entry: CatalogEntry): Operation => ({
  ...found,
  summary: entry.operation.summary,
  ...description(entry.operation),
  "x-tongs": { ...entry.operation, ...presentation(entry) },
  ...(entry.operation.textBody === undefined ? {} : { requestBody: textBody }),
  ...(entry.operation.bytesBody === undefined ? {} : { requestBody: bytesBody }),
  parameters: found.parameters.map((parameter) => describe(parameter, entry)),
  security: entry.operation.public ? [{}, { bearer: [] }] : [{ bearer: [] }],
  responses: Object.fromEntries(
    Object.entries({ ...general(entry), ...found.responses }).map(([status, response]) => [
      status,
      response.description === "<No Content>" ? { ...response, description: "No content" } : response
    ])
  )
})

const plain = { schema: { type: "string" } } as const // OpenAPI's name of the type

/** The request body of an operation that takes text instead of JSON. */
const textBody: OpenApi.OpenAPISpecRequestBody = {
  required: true,
  content: { "text/plain": plain, "text/x-markdown": plain }
}

/** The request body of an operation that takes a file. */
const bytesBody: OpenApi.OpenAPISpecRequestBody = {
  required: true,
  content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } }
}

const description = ({ description, extension }: CatalogEntry["operation"]) => {
  const parts = [description, extension ? "An extension: forges without it answer 404 or 501." : undefined]
  const text = parts.filter((part) => part !== undefined).join(" ")
  return text === "" ? {} : { description: text }
}

const presentation = (entry: CatalogEntry) => {
  const declared = Presentation.ofResult(resultSchemas(entry))
  return declared === undefined ? {} : { presentation: declared }
}

const describe = (
  parameter: OpenApi.OpenAPISpecParameter,
  { fields, operation }: CatalogEntry
): OpenApi.OpenAPISpecParameter => {
  const hasPages = operation.paging !== undefined || operation.perPage !== undefined
  const paging =
    parameter.in === "query" && hasPages
      ? pageParameters(operation.perPage ?? 30, operation.maxPerPage ?? 100)[parameter.name]
      : undefined
  if (paging !== undefined) return { ...parameter, ...paging }
  const at = fields.findIndex((field) => field.name === parameter.name && field.in === parameter.in)
  const field = fields[at]
  if (field === undefined) return parameter
  const isRest = operation.rest !== false && field.in === "path" && fields[at + 1]?.in !== "path"
  const description = [field.description, isRest ? restNote(operation.rest) : ""]
    .filter((text) => text !== "")
    .join(" ")
  return {
    ...parameter,
    schema: schema(parameter.schema, field),
    ...(description === "" ? {} : { description })
  }
}

/**
 * Returns the schema of a field. The codec of a query value describes text; the document describes the type that the
 * text encodes.
 */
const schema = (found: object, field: InputField): object => {
  if (field.in !== "query") return withoutDescription(found)
  if (field.kind === "integer") {
    const { maximum, minimum } = field
    return {
      type: "integer",
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum })
    }
  }
  return field.kind === "boolean" ? { type: "boolean" } : withoutDescription(found)
}

const withoutDescription = (found: object): object =>
  Object.fromEntries(Object.entries(found).filter(([name]) => name !== "description"))

const restNote = (rest: boolean | "optional") =>
  rest === "optional"
    ? "May contain slashes, raw or encoded. Optional, with the slash before it."
    : "May contain slashes, raw or encoded."

type PageParameter = Pick<OpenApi.OpenAPISpecParameter, "description" | "schema">

/** Declares no bounds, because the service accepts all values. */
const pageParameters = (perPage: number, max: number): Readonly<Record<string, PageParameter>> => ({
  per_page: {
    description: `Items per page. A value above ${max} counts as ${max}, one below 1 and an invalid one as ${perPage}.`,
    schema: { type: "integer", default: perPage }
  },
  page: {
    description: "Page number, from 1. A value below 1 and an invalid one count as 1.",
    schema: { type: "integer", default: 1 }
  }
})

const refusal = (description: string) => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } }
})

const moved = {
  description: "The repository was renamed; `location` contains its URL",
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: { message: { type: "string" }, url: { type: "string" }, documentation_url: { type: "string" } },
        required: ["message", "url"]
      }
    }
  }
} as const

/**
 * Returns the responses that the service can give for any endpoint: bad credentials, missing permissions, rate limits,
 * defects.
 */
const general = ({ endpoint, operation, readonly }: CatalogEntry) => ({
  ...(readonly && !isStream(endpoint)
    ? { 304: { description: "Not modified since the response with the ETag of the request" } }
    : {}),
  ...(operation.hasFile === true
    ? { 302: { description: "Found: the file is at `Location`, for the media type `application/octet-stream`" } }
    : {}),
  ...(operation.notModified === true
    ? { 304: { description: "Not modified. The embedded forge never sends it." } }
    : {}),
  ...(/^(\/tongs)?\/repos\/:owner\/:repo/.test(endpoint.path) ? { [readonly ? 301 : 307]: moved } : {}),
  400: refusal("The body is not a JSON object, or the API version is not supported"),
  401: refusal("The credential is missing or invalid"),
  403: refusal("The token lacks a scope or a permission, or a rate limit is reached"),
  ...(HttpMethod.hasBody(endpoint.method)
    ? {
        413: refusal("The body is too large"),
        415: refusal(operation.textBody === undefined ? "The body is not JSON" : "The body is not plain text")
      }
    : {}),
  429: refusal("A rate limit is reached"),
  500: refusal("The service failed"),
  503: refusal("The service is overloaded; `retry-after` contains the seconds to wait")
})

const methodName = ({ method }: HttpApiEndpoint.Top): OpenApi.OpenAPISpecMethodName => {
  switch (method) {
    case "GET":
      return "get"
    case "PUT":
      return "put"
    case "POST":
      return "post"
    case "DELETE":
      return "delete"
    case "PATCH":
      return "patch"
    case "HEAD":
      return "head"
    case "OPTIONS":
      return "options"
    default:
      return "trace"
  }
}
