/** The fields of an operation's form, from the schemas of the input. Nested objects become fields with dotted names. */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as RawRequest from "@tongs/core/client/RawRequest"
import { type CatalogEntry, type InputField, payloadSchema } from "@tongs/core/contract/CatalogEntry"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as TextContent from "@tongs/core/contract/TextContent"

/** How a field is edited. `list` is separated by commas, `json` is any value that has no better editor. */
export type Kind = "text" | "multiline" | "integer" | "boolean" | "choice" | "list" | "json"

/** A field of a form without its value. */
export interface FieldSchema {
  /** Names of the members from the input to the value, for example `config` and `url`. */
  readonly path: ReadonlyArray<string>
  /** The path with dots. */
  readonly name: string
  readonly in: InputField["in"]
  readonly kind: Kind
  /** True if the containing object requires the value. */
  readonly required: boolean
  /**
   * Dotted name of the nearest optional object that contains the value. The field is required only if this object is
   * set.
   */
  readonly optionalParent: string | undefined
  /** True if null is a value, which removes the current value. */
  readonly nullable: boolean
  readonly isSecret: boolean
  /** True for the text of a file, which keeps a final newline. */
  readonly isFileText: boolean
  readonly description: string
  /** Allowed values of a choice. */
  readonly choices: ReadonlyArray<string>
  /** Kind of the elements of a list. */
  readonly element: "text" | "integer"
  /** Returns the problem of a value in one sentence; undefined for a valid value. */
  readonly check: (value: unknown) => string | undefined
}

const cache = new WeakMap<CatalogEntry, ReadonlyArray<FieldSchema>>()

/** Returns the fields of an operation, in the order of the contract: path, query, body. */
export const fieldsOf = (entry: CatalogEntry): ReadonlyArray<FieldSchema> => {
  const known = cache.get(entry)
  if (known !== undefined) return known
  const { endpoint } = entry
  const schemas = { path: endpoint.params, query: endpoint.query, body: payloadSchema(endpoint) }
  const made = entry.fields.flatMap((field) => {
    const member = members(schemas[field.in]?.ast).find(({ name }) => name === field.name)
    if (member === undefined) return []
    const context = { in: field.in, path: [field.name], required: field.required, optionalParent: undefined }
    const type = SchemaAST.toType(member.type)
    // Bytes are written as text, which is mostly that of a file.
    return field.isBase64 === true
      ? expand(type, { ...context, description: TextContent.DESCRIPTION }).map((one): FieldSchema =>
          one.kind === "text" ? { ...one, kind: "multiline", isFileText: true } : one
        )
      : expand(type, { ...context, description: field.description })
  })
  cache.set(entry, made)
  return made
}

type Context = Pick<FieldSchema, "in" | "path" | "required" | "optionalParent" | "description">

/** Maximum depth of nested objects that become fields. Deeper objects are JSON. */
const MAX_DEPTH = 4

/** Creates a field for each value in a schema. */
const expand = (ast: SchemaAST.AST, context: Context): ReadonlyArray<FieldSchema> => {
  const variants = Presentation.schemasOf(ast).filter(({ _tag }) => _tag !== "Null" && _tag !== "Undefined")
  const [only] = variants
  const inside = variants.length === 1 ? members(only) : []
  if (inside.length === 0 || context.path.length >= MAX_DEPTH) return [field(ast, variants, context)]
  const optionalParent = context.required ? context.optionalParent : context.path.join(".")
  return inside.flatMap(({ name, type }) =>
    expand(type, {
      in: context.in,
      path: [...context.path, String(name)],
      required: type.context?.isOptional !== true,
      optionalParent,
      description: describe(type)
    })
  )
}

const members = (ast: SchemaAST.AST | undefined): ReadonlyArray<SchemaAST.PropertySignature> =>
  ast?._tag === "Objects" && ast.indexSignatures.length === 0 ? ast.propertySignatures : []

const describe = (ast: SchemaAST.AST): string => {
  const description = ast.annotations?.description ?? ast.checks?.at(-1)?.annotations?.description
  return typeof description === "string" ? description : ""
}

const field = (ast: SchemaAST.AST, variants: Presentation.Schemas, context: Context): FieldSchema => {
  const name = context.path.at(-1) ?? ""
  const choices = variants.flatMap((variant) => (variant._tag === "Literal" ? [String(variant.literal)] : []))
  const [element] = Presentation.elementSchemas(variants)
  const kind = kindOf(name, variants)
  return {
    ...context,
    name: context.path.join("."),
    kind,
    nullable: Presentation.schemasOf(ast).some(({ _tag }) => _tag === "Null"),
    isFileText: false,
    isSecret: kind === "text" && secret.test(name),
    choices: kind === "choice" ? choices : [],
    element: element?._tag === "Number" ? "integer" : "text",
    check: checkOf(ast, context)
  }
}

const secret = /(^|_)(secret|password|passphrase|token)$/

/** Names of texts that usually have several lines. The contract does not distinguish these texts from names. */
const multiline = new Set(["body", "description", "message", "key", "signature"])

const kindOf = (name: string, variants: Presentation.Schemas): Kind => {
  const is = (tag: SchemaAST.AST["_tag"]) => variants.length > 0 && variants.every(({ _tag }) => _tag === tag)
  if (is("Literal")) return "choice"
  if (is("Boolean")) return "boolean"
  // A number that may also be given as text.
  const [first, ...rest] = variants
  if (first?._tag === "Number" && rest.every(({ _tag }) => _tag === "Number" || _tag === "String")) return "integer"
  if (variants.some(({ _tag }) => _tag === "String")) return multiline.has(name) ? "multiline" : "text"
  const elements = Presentation.elementSchemas(variants)
  const isList =
    is("Arrays") &&
    (elements.every(({ _tag }) => _tag === "String" || _tag === "Literal") ||
      elements.every(({ _tag }) => _tag === "Number"))
  return isList ? "list" : "json"
}

const checkOf = (ast: SchemaAST.AST, context: Context): FieldSchema["check"] => {
  const decode = Schema.decodeUnknownExit(Schema.make<Schema.Codec<unknown>>(ast))
  return (value) => {
    const exit = decode(value)
    if (Exit.isFailure(exit)) return sentence(exit.cause)
    if (context.in !== "path") return undefined
    const segment = RawRequest.encodeSegment("This", value)
    return Result.isFailure(segment) ? `${segment.failure}.` : undefined
  }
}

/** Formats a schema error as one sentence, for example `rules[0].type: must be text.` */
const sentence = (cause: Cause.Cause<Schema.SchemaError>): string => {
  const error = Cause.squash(cause)
  const [first = "", place = ""] = (error instanceof Error ? error.message : String(error)).split(/\n\s*at /)
  const at = place.replaceAll(/\["(\w+)"\]/g, ".$1").replace(/^\./, "")
  const words = first.replace(/^Expected (an )?/, "must be $1").replace(/^Missing key$/, "is missing")
  const plain = words.replace("be an integer", "be a whole number").replace(/be string$/, "be text")
  const said = plain
    .replace(/be number$/, "be a number")
    .replaceAll('"', "")
    .replaceAll(" | ", " or ")
  return at === "" ? `${said.charAt(0).toUpperCase()}${said.slice(1)}.` : `${at} ${said}.`
}
