/** Looks up the schemas that the contract declares for the parts of a response. */
import type * as SchemaAST from "effect/SchemaAST"
import { type Entry, successSchema } from "@tongs/core/contract/Catalog"

/** The schemas of one value: several for a union, none for free-form data. */
export type Schemas = ReadonlyArray<SchemaAST.AST>

/** The schemas of an operation's successful response. */
export const responseSchemas = ({ endpoint }: Pick<Entry, "endpoint">): Schemas => members(successSchema(endpoint).ast)

/** The members of a union, flattened; any other schema alone. */
const members = (ast: SchemaAST.AST): Schemas => {
  switch (ast._tag) {
    case "Union":
      return ast.types.flatMap(members)
    case "Suspend":
      return members(ast.thunk())
    default:
      return [ast]
  }
}

/** The schemas of the items of an array. */
export const items = (schemas: Schemas): Schemas =>
  schemas.flatMap((ast) => (ast._tag === "Arrays" ? [...ast.elements, ...ast.rest].flatMap(members) : []))

/** The schemas of the items of a page, which is an array or an object that contains one array. */
export const pageItems = (schemas: Schemas): Schemas => {
  const direct = items(schemas)
  if (direct.length > 0) return direct
  const properties = schemas.flatMap((ast) => (ast._tag === "Objects" ? ast.propertySignatures : []))
  return properties.map(({ type }) => items(members(type))).find(({ length }) => length > 0) ?? []
}

/** The schemas of a property of an object, or of its index signature. */
export const property = (schemas: Schemas, name: string): Schemas =>
  schemas.flatMap((ast) => {
    if (ast._tag !== "Objects") return []
    const declared = ast.propertySignatures.find((signature) => signature.name === name)
    return declared === undefined
      ? ast.indexSignatures.flatMap((signature) => members(signature.type))
      : members(declared.type)
  })

/** True if the contract declares this property by name, not through an index signature. */
export const hasProperty = (schemas: Schemas, name: string): boolean =>
  schemas.some((ast) => ast._tag === "Objects" && ast.propertySignatures.some((signature) => signature.name === name))

/** True for free-form data: the contract declares neither an array nor an object. */
export const isFreeForm = (schemas: Schemas): boolean =>
  schemas.every((ast) => ast._tag !== "Arrays" && ast._tag !== "Objects")
