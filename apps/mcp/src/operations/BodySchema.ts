/** JSON Schemas for the arrays and objects in request bodies, so that agents know the members. */
import * as Schema from "effect/Schema"
import { type CatalogEntry, payloadSchema } from "@tongs/core/contract/CatalogEntry"

const JsonSchema = Schema.Record(Schema.String, Schema.Unknown)

/** The keywords of a field's JSON Schema that describe items or properties. */
export const NestedSchema = Schema.Struct({
  /** Schema of the items of an array. */
  items: Schema.optionalKey(JsonSchema),
  /** Schemas of the properties of an object. */
  properties: Schema.optionalKey(Schema.Record(Schema.String, JsonSchema)),
  /** Names of the required properties. */
  required: Schema.optionalKey(Schema.Array(Schema.String))
})
export type NestedSchema = typeof NestedSchema.Type

const decode = Schema.decodeUnknownSync(
  Schema.Struct({ properties: Schema.Record(Schema.String, Schema.Union([NestedSchema, Schema.Struct({})])) })
)

/** Returns the nested schemas of a request body, by field name. Empty if the body has no arrays or objects. */
export const nestedSchemas = ({ endpoint, fields }: CatalogEntry): Readonly<Record<string, NestedSchema>> => {
  const payload = payloadSchema(endpoint)
  const isNested = fields.some((field) => field.in === "body" && (field.kind === "strings" || field.kind === "object"))
  if (payload === undefined || !isNested) return {}
  const { schema } = Schema.toJsonSchemaDocument(payload, { referencePolicy: () => undefined })
  return decode(withoutDefaults(schema)).properties
}

/** Removes keywords that add no constraint: `additionalProperties: true`, and the bounds of safe integers. */
const withoutDefaults = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutDefaults)
  if (typeof schema !== "object" || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !(name === "additionalProperties" && value === true) && !isSafeIntegerBound(value))
      .map(([name, value]) => [name, withoutDefaults(value)])
  )
}

const isSafeIntegerBound = (bound: unknown) => bound === Number.MAX_SAFE_INTEGER || bound === Number.MIN_SAFE_INTEGER
