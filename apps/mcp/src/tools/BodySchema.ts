/** What is in the lists and objects of an operation's body, as JSON Schema: without it an agent can only guess. */
import * as Schema from "effect/Schema"
import { type Entry, payloadSchema } from "@tongs/core/contract/Catalog"

const JsonSchema = Schema.Record(Schema.String, Schema.Unknown)

/** The part of a field's JSON Schema that says what is within it. */
export const NestedSchema = Schema.Struct({
  /** Of an array. */
  items: Schema.optionalKey(JsonSchema),
  /** Of an object. */
  properties: Schema.optionalKey(Schema.Record(Schema.String, JsonSchema)),
  /** Those of the properties that must be there. */
  required: Schema.optionalKey(Schema.Array(Schema.String))
})
export type NestedSchema = typeof NestedSchema.Type

const decode = Schema.decodeUnknownSync(
  Schema.Struct({ properties: Schema.Record(Schema.String, Schema.Union([NestedSchema, Schema.Struct({})])) })
)

/** The shapes of the body's fields by name; nothing where no field has any. */
export const nestedSchemas = ({ endpoint, fields }: Entry): Readonly<Record<string, NestedSchema>> => {
  const payload = payloadSchema(endpoint)
  const isNested = fields.some((field) => field.in === "body" && (field.kind === "strings" || field.kind === "object"))
  if (payload === undefined || !isNested) return {}
  const { schema } = Schema.toJsonSchemaDocument(payload, { referencePolicy: () => undefined })
  return decode(brief(schema)).properties
}

/** JSON Schema without what says nothing: that more members are allowed, and the bounds of every integer. */
const brief = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(brief)
  if (typeof schema !== "object" || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !(name === "additionalProperties" && value === true) && !isEveryInteger(value))
      .map(([name, value]) => [name, brief(value)])
  )
}

const isEveryInteger = (bound: unknown) => bound === Number.MAX_SAFE_INTEGER || bound === Number.MIN_SAFE_INTEGER
