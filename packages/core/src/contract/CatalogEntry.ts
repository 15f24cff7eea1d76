/** Endpoints of the contract as data without static types: input fields, statuses, schemas. */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as Struct from "effect/Struct"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { groups as declared } from "./Api.ts"
import * as Operation from "./Operation.ts"
import * as Presentation from "./Presentation.ts"

/** A field of the flat input of an operation. */
export interface InputField {
  readonly name: string
  readonly in: "path" | "query" | "body"
  readonly required: boolean
  readonly description: string
  readonly kind: "string" | "integer" | "boolean" | "strings" | "object"
  /** Allowed values; empty if any value is allowed. */
  readonly values: ReadonlyArray<string>
  /** Smallest and largest value of an integer, if declared. */
  readonly minimum?: number
  readonly maximum?: number
  /** True for a text of bytes in Base64. */
  readonly isBase64?: true
  /** Name of the field that is `base64` if this text is Base64. Undefined if the text is always Base64. */
  readonly encodingField?: string
}

type GroupName = keyof typeof declared

/** The names of the groups, in the order of the contract. */
export const groups: ReadonlyArray<GroupName> = Struct.keys(declared)

/** An endpoint of the contract as data, with its operation, names, fields and statuses. */
export interface CatalogEntry {
  /** Name of the group, for example `gitRefs`. */
  readonly group: GroupName
  /** Name of the endpoint in the group, for example `get`. */
  readonly name: string
  /** The words of the command after `tongs`, for example `keys mine`. */
  readonly command: string
  /** The name of the agent tool, for example `keys_mine`. */
  readonly tool: string
  readonly endpoint: HttpApiEndpoint.Top
  readonly operation: Operation.Operation
  /** Fields of the flat input, path fields first. Without page parameters, because paging is an option of the call. */
  readonly fields: ReadonlyArray<InputField>
  /** True for GET endpoints. */
  readonly readonly: boolean
  /** HTTP status of a successful response. */
  readonly status: number
  /** HTTP statuses of the failures that the endpoint declares. */
  readonly failures: ReadonlyArray<number>
}

const pageFields = new Set(["per_page", "page", "cursor"])

/** Returns the schema of a successful response's body without headers; for a stream of events, that of one event. */
export const successSchema = (endpoint: HttpApiEndpoint.Top): Schema.Top => {
  const [schema = HttpApiSchema.NoContent] = endpoint.success
  if (isEvents(schema)) return schema.schema
  return HttpApiSchema.isWithHeaders(schema) ? schema.schema : schema
}

/** Returns the schemas of a successful response's body. A stream of events counts as a list. */
export const resultSchemas = ({ endpoint }: Pick<CatalogEntry, "endpoint">): Presentation.Schemas => {
  const success = successSchema(endpoint)
  return Presentation.schemasOf(isStream(endpoint) ? Schema.Array(success).ast : success.ast)
}

/** Returns whether a successful response is a stream of events, one JSON text per line. */
export const isStream = ({ success: [schema] }: HttpApiEndpoint.Top): boolean =>
  schema !== undefined && isEvents(schema)

const isEvents = (schema: Schema.Top): schema is HttpApiSchema.StreamNdjson<Schema.Top> =>
  "mode" in schema && schema.mode === "ndjson"

/** Returns the schema of the request body; undefined without a body. */
export const payloadSchema = (endpoint: HttpApiEndpoint.Top): Schema.Top | undefined => {
  const [payload] = endpoint.payload.values()
  return payload?.schemas[0]
}

/** Returns the member names of a struct. */
export const memberNames = (schema: Schema.Top | undefined): ReadonlyArray<string> =>
  members(schema).map((member) => String(member.name))

const members = (schema: Schema.Top | undefined): ReadonlyArray<SchemaAST.PropertySignature> =>
  schema?.ast._tag === "Objects" ? schema.ast.propertySignatures : []

const kind = (ast: SchemaAST.AST): InputField["kind"] => {
  switch (ast._tag) {
    case "Number":
      return "integer"
    case "Boolean":
      return "boolean"
    case "Arrays":
      return "strings"
    case "Objects":
      return "object"
    case "Union":
      // A member that may be null, too.
      return kind(ast.types.find(({ _tag }) => _tag !== "Null" && _tag !== "Undefined") ?? SchemaAST.string)
    default:
      return "string"
  }
}

const values = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (ast._tag === "Literal") return [String(ast.literal)]
  return ast._tag === "Union" ? ast.types.flatMap(values) : []
}

/** Returns the bounds of an integer with checks. */
const bounds = (ast: SchemaAST.AST): Pick<InputField, "minimum" | "maximum"> => {
  // One check is that the number is an integer.
  if (kind(ast) !== "integer" || (ast.checks?.length ?? 0) < 2) return {}
  const { schema } = Schema.toJsonSchemaDocument(Schema.toType(Schema.make(ast)))
  const parts: ReadonlyArray<unknown> = [schema, ...(Array.isArray(schema["allOf"]) ? schema["allOf"] : [])]
  const all = Object.assign({}, ...parts.filter(Predicate.isObject))
  return {
    ...(typeof all.minimum === "number" ? { minimum: all.minimum } : {}),
    ...(typeof all.maximum === "number" ? { maximum: all.maximum } : {})
  }
}

/** The description of a type, also of the type beside null. */
const descriptionOf = (ast: SchemaAST.AST): string | undefined => {
  const own = ast.annotations?.description ?? ast.checks?.at(-1)?.annotations?.description
  if (typeof own === "string" || ast._tag !== "Union") return typeof own === "string" ? own : undefined
  return ast.types.map(descriptionOf).find((text) => text !== undefined)
}

const fields = (schema: Schema.Top | undefined, place: InputField["in"]): ReadonlyArray<InputField> =>
  members(schema).map((member): InputField => {
    const ast = member.type
    const description = descriptionOf(ast)
    const encodingField = Presentation.encodingMember([ast])
    return {
      name: String(member.name),
      in: place,
      required: place === "path" || ast.context?.isOptional !== true,
      description: description ?? "",
      kind: kind(ast),
      values: values(ast),
      ...bounds(ast),
      ...(Presentation.isBase64([ast]) ? { isBase64: true } : {}),
      ...(encodingField === undefined ? {} : { encodingField })
    }
  })

/** Derives the fields and statuses on first use: a start needs them of few endpoints. */
const entry = (group: GroupName, endpoint: HttpApiEndpoint.Top): CatalogEntry => {
  const operation = Operation.of(endpoint)
  let fields: CatalogEntry["fields"] | undefined
  let statuses: Statuses | undefined
  return {
    group,
    name: endpoint.identifier,
    command: `${Operation.toKebabCase(group)} ${operation.command}`.trimEnd(),
    tool: operation.tool ?? Operation.toSnakeCase(`${group}_${operation.command}`),
    endpoint,
    operation,
    get fields() {
      return (fields ??= fieldsOf(endpoint, operation))
    },
    readonly: endpoint.method === "GET",
    get status() {
      return (statuses ??= statusesOf(group, endpoint)).status
    },
    get failures() {
      return (statuses ??= statusesOf(group, endpoint)).failures
    }
  }
}

const fieldsOf = (endpoint: HttpApiEndpoint.Top, { paging, rest }: Operation.Operation) => [
  ...fields(endpoint.params, "path").map((field, index, path) =>
    rest === "optional" && index === path.length - 1 ? { ...field, required: false } : field
  ),
  ...fields(endpoint.query, "query").filter((field) => paging === undefined || !pageFields.has(field.name)),
  ...fields(payloadSchema(endpoint), "body")
]

type Statuses = Pick<CatalogEntry, "failures" | "status">

const statusesOf = (group: GroupName, endpoint: HttpApiEndpoint.Top): Statuses => {
  let statuses: Statuses = { status: 200, failures: [] }
  HttpApi.reflect(HttpApi.make(group).add(declared[group]), {
    predicate: (one) => one.endpoint === endpoint,
    onGroup: () => {},
    onEndpoint: ({ errors, successes }) => {
      const [status = 200] = successes.keys()
      statuses = { status, failures: [...errors.keys()] }
    }
  })
  return statuses
}

const made = new Map<string, ReadonlyArray<CatalogEntry>>()

/** Returns the endpoints of a group, in declaration order. The first call creates and caches the entries. */
export const entriesOfGroup = (name: GroupName): ReadonlyArray<CatalogEntry> => {
  const known = made.get(name)
  if (known !== undefined) return known
  const endpoints: ReadonlyArray<HttpApiEndpoint.Top> = Object.values(declared[name].endpoints)
  const all = endpoints.map((endpoint) => entry(name, endpoint))
  made.set(name, all)
  return all
}

/** Returns the endpoint with an id such as `commits.list`. Creates only the entries of the group. */
export const findEntry = (id: string): CatalogEntry | undefined => {
  const group = groups.find((name) => id.startsWith(`${name}.`))
  return group && entriesOfGroup(group).find(({ name }) => id === `${group}.${name}`)
}

/**
 * Returns the endpoints of every group, in the order of the contract. The first call creates and caches the entries.
 */
export const allEntries = (): ReadonlyArray<CatalogEntry> => {
  every ??= groups.flatMap(entriesOfGroup)
  return every
}

let every: ReadonlyArray<CatalogEntry> | undefined
