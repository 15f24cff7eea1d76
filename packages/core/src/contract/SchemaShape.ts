/** Derives the shapes of values from the schemas of the contract. */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { type Composite, expectedOf, type Scalar, type Shape } from "./Shape.ts"

declare module "effect/Schema" {
  namespace Annotations {
    interface Annotations {
      /** Schemas of the resources inside a free-form object. */
      readonly "tongs/contains"?: SchemaAST.AST | undefined
    }
  }
}

/** Creates the annotation of a free-form object that contains resources: `contains({ sender: UserSummary })`. */
export const contains = (members: Schema.Struct.Fields) => ({ "tongs/contains": Schema.Struct(members).ast })

/** Returns the shape of a value as the forge sends the value, which decodes to a value of the schema. */
export const of = (schema: Schema.Top): Shape => shapeOf(schema.ast)

/** Returns the shape of a value of the schema, without the encoding. */
export const ofType = (schema: Schema.Top): Shape => shapeOf(SchemaAST.toType(schema.ast))

/** Shapes by schema, because endpoints share schemas. */
const shapes = new WeakMap<SchemaAST.AST, Shape>()

const shapeOf = (ast: SchemaAST.AST): Shape => {
  let shape = shapes.get(ast)
  if (shape === undefined) shapes.set(ast, (shape = derive(ast)))
  return shape
}

const derive = (ast: SchemaAST.AST): Shape => {
  const shape = ast.encoding === undefined ? plain(ast) : encoded(ast)
  if (typeof shape === "string") return shape
  const expected = expectedBySchema(ast)
  const contained = ast.annotations?.["tongs/contains"]
  return {
    ...shape,
    ...(expected === undefined || expected === expectedOf(shape) ? {} : { expected }),
    ...(contained === undefined ? {} : { contains: shapeOf(contained) })
  }
}

const plain = (ast: SchemaAST.AST): Scalar | Composite => {
  switch (ast._tag) {
    case "Any":
    case "Unknown":
      return "any"
    case "Boolean":
      return "boolean"
    case "Null":
      return "null"
    case "String":
      return text(ast)
    case "Number":
      return number(ast)
    case "Literal":
      return typeof ast.literal === "bigint" ? unsupported(ast) : { literal: ast.literal }
    case "Union":
      return { union: ast.types.map(shapeOf) }
    case "Arrays":
      return array(ast)
    case "Objects":
      return object(ast)
    default:
      return unsupported(ast)
  }
}

/** Returns the shape of a value with another form in JSON. */
const encoded = (ast: SchemaAST.AST): Scalar => {
  const { _tag: from } = SchemaAST.toEncoded(ast)
  const pair = `${from} to ${ast._tag}`
  switch (pair) {
    case "Declaration to Unknown": // any JSON
      return "any"
    case "Number to String":
      return "numberAsText"
    case "Objects to Null":
      return "emptyAsNull"
    case "Null to Undefined":
    case "Null to Void": // no body
    case "Null to Declaration": // a file, which is not JSON
      return "nullAsUndefined"
    default:
      return unsupported(ast, pair)
  }
}

const checksOf = ({ checks }: SchemaAST.AST) => (checks ?? []).map(({ annotations }) => String(annotations?.expected))

const text = (ast: SchemaAST.String): Scalar => {
  const [check, ...others] = checksOf(ast)
  if (others.length > 0) return unsupported(ast)
  if (check === undefined) return "string"
  if (check.startsWith("a timestamp")) return "timestamp"
  return check.startsWith("a git object id") ? "sha" : unsupported(ast, check)
}

const number = (ast: SchemaAST.Number): Scalar | Composite => {
  const [kind, range, ...others] = checksOf(ast)
  const number = kind === "an integer" ? "integer" : kind === "a finite number" ? "finite" : unsupported(ast, kind)
  if (range === undefined) return number
  const [, from, to = null] = /^a value (?:between|greater than or equal to) (\d+)(?: and (\d+))?$/.exec(range) ?? []
  if (from === undefined || others.length > 0) return unsupported(ast, range)
  return { number, from: Number(from), to: to === null ? null : Number(to) }
}

const array = (ast: SchemaAST.Arrays): Composite => {
  const [first, ...others] = ast.rest
  if (first === undefined) return { tuple: ast.elements.map(shapeOf) }
  return ast.elements.length + others.length === 0 ? { array: shapeOf(first) } : unsupported(ast)
}

const object = (ast: SchemaAST.Objects): Scalar | Composite => {
  const members = ast.propertySignatures.map(({ name, type }) => {
    const isOptional = type.context?.isOptional === true
    return [`${String(name)}${isOptional ? "?" : ""}`, shapeOf(type)] as const // a pair
  })
  const [others, ...more] = ast.indexSignatures
  if (more.length > 0 || ast.checks !== undefined) return unsupported(ast)
  if (members.length === 0 && others === undefined) return "any" // `{}` in TypeScript: any value but null
  return { object: Object.fromEntries(members), ...(others === undefined ? {} : { others: shapeOf(others.type) }) }
}

const unsupported = (ast: SchemaAST.AST, detail = ""): never => {
  throw new Error(`No shape for a schema of the contract: ${ast._tag} ${detail}. Add it to Shape and ShapeReader`)
}

/** Returns the description of a schema for messages; undefined for a schema that accepts any value. */
const expectedBySchema = (ast: SchemaAST.AST): string | undefined => {
  const exit = Schema.decodeExit(Schema.make<Schema.Codec<unknown>>(ast))(Symbol.iterator)
  if (Exit.isSuccess(exit)) return undefined
  const error = Cause.squash(exit.cause)
  return error instanceof Error ? error.message.replace(/^Expected /, "") : undefined
}
