/** The parts of an answer that the contract describes, found beside the value as it is walked. */
import type * as SchemaAST from "effect/SchemaAST"
import { type Entry, successSchema } from "@tongs/core/contract/Catalog"

/** The schemas that describe one value: several for a union, none for free-form data. */
export type Schemas = ReadonlyArray<SchemaAST.AST>

/** What describes an operation's answer. */
export const responseSchemas = ({ endpoint }: Pick<Entry, "endpoint">): Schemas =>
  alternatives(successSchema(endpoint).ast)

const alternatives = (ast: SchemaAST.AST): Schemas => {
  switch (ast._tag) {
    case "Union":
      return ast.types.flatMap(alternatives)
    case "Suspend":
      return alternatives(ast.thunk())
    default:
      return [ast]
  }
}

/** What describes the items of a list. */
export const items = (schemas: Schemas): Schemas =>
  schemas.flatMap((ast) => (ast._tag === "Arrays" ? [...ast.elements, ...ast.rest].flatMap(alternatives) : []))

/** What describes the items of a page: an array, or an object with one array in it. */
export const pageItems = (schemas: Schemas): Schemas => {
  const direct = items(schemas)
  if (direct.length > 0) return direct
  const members = schemas.flatMap((ast) => (ast._tag === "Objects" ? ast.propertySignatures : []))
  return members.map(({ type }) => items(alternatives(type))).find(({ length }) => length > 0) ?? []
}

/** What describes a member of an object. */
export const member = (schemas: Schemas, name: string): Schemas =>
  schemas.flatMap((ast) => {
    if (ast._tag !== "Objects") return []
    const property = ast.propertySignatures.find((signature) => signature.name === name)
    return property === undefined
      ? ast.indexSignatures.flatMap((signature) => alternatives(signature.type))
      : alternatives(property.type)
  })

/** Whether the contract names this member of an object, and does not just allow any. */
export const hasMember = (schemas: Schemas, name: string): boolean =>
  schemas.some((ast) => ast._tag === "Objects" && ast.propertySignatures.some((signature) => signature.name === name))

/** Whether a value is free-form data: the contract says nothing of what is in it. */
export const isFreeForm = (schemas: Schemas): boolean =>
  schemas.every((ast) => ast._tag !== "Arrays" && ast._tag !== "Objects")
