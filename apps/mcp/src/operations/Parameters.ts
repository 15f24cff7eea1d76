/**
 * The parameters of an operation in the form for agents: path, query and body in one object, the repository as
 * `owner/name`.
 */
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { type CatalogEntry, type InputField, payloadSchema } from "@tongs/core/contract/CatalogEntry"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as TextContent from "@tongs/core/contract/TextContent"
import * as ParameterType from "./ParameterType.ts"

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly description: string
  /** The type of the value; undefined for the repository, which stands for the path parameters `owner` and `repo`. */
  readonly ast: SchemaAST.AST | undefined
  readonly in: InputField["in"]
}

/** The parameter that stands for `owner` and `repo`. */
export const repository: Parameter = {
  name: "repo",
  required: true,
  description: "owner/name",
  ast: undefined,
  in: "path"
}

/** Returns whether a repository is part of the path of an operation. */
export const isOnRepository = ({ endpoint }: CatalogEntry): boolean => endpoint.path.includes("/:owner/:repo")

export const isTime = ({ ast }: Parameter): boolean => ast !== undefined && Presentation.formatOf([ast]) === "age"

const cache = new WeakMap<CatalogEntry, ReadonlyArray<Parameter>>()

/** Returns the parameters of an operation. */
export const of = (entry: CatalogEntry): ReadonlyArray<Parameter> => {
  const known = cache.get(entry)
  if (known !== undefined) return known
  const isOnRepo = isOnRepository(entry)
  const made = entry.fields
    .filter((field) => !isOnRepo || !isRepositoryField(field))
    .map(({ description, in: location, isBase64, name, required }): Parameter => {
      const ast = typesOf(sectionOf(entry, location)).get(name)
      const fallback =
        isBase64 === true ? TextContent.DESCRIPTION : ast === undefined ? "" : ParameterType.descriptionOf(ast)
      return {
        name,
        required,
        description: description === "" || isBase64 === true ? fallback : description,
        ast,
        in: location
      }
    })
  const all = isOnRepo ? [repository, ...made] : made
  cache.set(entry, all)
  return all
}

const isRepositoryField = ({ in: location, name }: InputField) =>
  location === "path" && (name === "owner" || name === "repo")

/** Returns the schema of the path, the query or the body. */
export const sectionOf = (entry: CatalogEntry, location: InputField["in"]): Schema.Top | undefined => {
  if (location === "body") return payloadSchema(entry.endpoint)
  return location === "path" ? entry.endpoint.params : entry.endpoint.query
}

const typesOf = (schema: Schema.Top | undefined): ReadonlyMap<string, SchemaAST.AST> => {
  const ast = schema === undefined ? undefined : SchemaAST.toType(schema.ast)
  return new Map(ast?._tag === "Objects" ? ast.propertySignatures.map(({ name, type }) => [String(name), type]) : [])
}
