/** The input of a control operation: fields with descriptions, which are also the error messages. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"

/** The fields of an input. */
export type Fields = Readonly<Record<string, Schema.ConstraintDecoder<unknown>>>

/** A required field, described by the allowed values. */
export const field = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })

/** An optional field, described by the allowed values. */
export const optional = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }))

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * Creates a function that decodes an input. The function throws a `TypeError` with the field and the allowed values.
 */
export const decoder = <const F extends Fields>(fields: F): ((input: unknown) => Schema.Struct<F>["Type"]) => {
  const decode = Schema.decodeUnknownResult(Schema.Struct(fields), { errors: "all" })
  return (input) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) {
      throw new TypeError(`Invalid body: a JSON object with ${listOf(fields)}`)
    }
    const unknown = Object.keys(input).filter((name) => !Object.hasOwn(fields, name))
    const result = decode(input)
    if (unknown.length === 0 && Result.isSuccess(result)) return result.success
    const issues = Result.isSuccess(result) ? [] : issuesOf(result.failure.issue).issues
    const invalid = Object.keys(fields).filter((name) => issues.some(({ path = [] }) => path[0] === name))
    const wrong = [...unknown, ...invalid]
    throw new TypeError(wrong.map((name) => sentence(fields, name, input)).join(". "))
  }
}

const sentence = (fields: Fields, name: string, input: object): string => {
  const known = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (known === undefined) return `Unknown field ${JSON.stringify(name)}: use ${listOf(fields)}`
  const allowed = SchemaAST.resolveDescription(known.ast) ?? ""
  return Object.hasOwn(input, name)
    ? `Invalid ${name} ${JSON.stringify(Reflect.get(input, name)).slice(0, 200)}: ${allowed}`
    : `Missing ${name}: ${allowed}`
}

const listOf = (fields: Fields): string => Object.keys(fields).join(", ") || "no fields"

/** Describes the fields of an input, by name. */
export const describe = (fields: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { ast }]) => [
      name,
      `${SchemaAST.isOptional(ast) ? "optional: " : ""}${SchemaAST.resolveDescription(ast) ?? ""}`
    ])
  )
