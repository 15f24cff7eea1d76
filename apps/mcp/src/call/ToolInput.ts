/** The input of tools: JSON Schemas for clients, and decoding with errors that name every problem. */
import * as Effect from "effect/Effect"
import { isObject } from "effect/Predicate"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import type { Arguments } from "../answer/Answer.ts"
import * as ArgumentAlias from "./ArgumentAlias.ts"
import { ToolError } from "./ToolError.ts"

export interface JsonObjectSchema {
  readonly type: "object"
  readonly properties: Readonly<Record<string, unknown>>
  readonly required?: ReadonlyArray<string>
}

/** A repository, which most tools take. */
export const repo = Schema.optionalKey(Schema.String)

/** A branch, tag or commit. */
export const ref = Schema.optionalKey(Schema.String)

/** The number of items to return, up to `maximum`. */
export const limit = (maximum: number) =>
  Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum })))

const ObjectSchema = Schema.Struct({
  properties: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  required: Schema.optionalKey(Schema.Array(Schema.String))
})

/** Members of a JSON Schema that agents do not need: bounds of safe integers and of lengths, and lower bounds. */
const isImplied = ([name, value]: readonly [string, unknown]): boolean =>
  name === "minimum" ||
  name === "minItems" ||
  name === "maxItems" ||
  (name === "maximum" && value === Number.MAX_SAFE_INTEGER) ||
  (name === "additionalProperties" && value === true)

/** Removes the implied members, also of nested schemas, because an agent pays for each token of the list of tools. */
const concise = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(concise)
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap((member) => (isImplied(member) ? [] : [[member[0], concise(member[1])]]))
  )
}

/** Returns the JSON Schema of a tool's input. A list also takes `cursor`. */
export const jsonSchema = (schema: Schema.Top, isList: boolean): JsonObjectSchema => {
  const document = Schema.toJsonSchemaDocument(schema, { referencePolicy: () => undefined })
  const { properties = {}, required = [] } = Schema.decodeSync(ObjectSchema)(document.schema)
  return {
    type: "object",
    properties: {
      ...Record.map(properties, concise),
      ...(isList ? { cursor: { type: "string" } } : {})
    },
    ...(required.length === 0 ? {} : { required })
  }
}

/** Maximum number of characters of a text. Longer ones match nothing, but would cost the forge time. */
const MAX_LENGTH = 10_000

/** Maximum number of characters of an argument's name in an error. */
const MAX_QUOTE = 60

/** The message of an issue about a missing argument. */
const MISSING = "Missing key"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Creates a decoder, which fails with a `ToolError` that lists every unknown, missing and invalid argument. */
export const decoder = <A, E>(schema: Schema.Codec<A, E>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  const { properties = {} } = Schema.decodeSync(ObjectSchema)(Schema.toJsonSchemaDocument(schema).schema)
  const names = Object.keys(properties)
  const invalid = (problems: ReadonlyArray<string>) =>
    new ToolError({
      detail: `Invalid arguments. ${problems.join("; ")}. Its arguments: ${names.length === 0 ? "none" : names.join(", ")}.`
    })
  return (given: Arguments): Effect.Effect<A, ToolError> => {
    const args = ArgumentAlias.resolve(given, names)
    // Before decoding: a schema without properties accepts all, and long names would be quoted in full.
    const problems = Object.keys(args).flatMap((name) => {
      if (!names.includes(name)) return [`${JSON.stringify(name.slice(0, MAX_QUOTE))} is unknown`]
      return isTooLong(args[name]) ? [`${name}: ${TOO_LONG}`] : []
    })
    if (problems.length > 0) return Effect.fail(invalid(problems))
    return Effect.mapError(decode(args), ({ issue }) =>
      invalid(
        format(issue).issues.map(({ message, path }) => {
          const name = (path ?? []).map(String).join(".")
          return message === MISSING ? `${name} is missing` : `${name}: ${message}`
        })
      )
    )
  }
}

/** The problem of a text that is too long. */
export const TOO_LONG = `Expected at most ${MAX_LENGTH} characters`

/** Returns true for a text that is too long. */
export const isTooLong = (value: unknown): boolean => typeof value === "string" && value.length > MAX_LENGTH
