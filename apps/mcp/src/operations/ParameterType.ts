/** Prints the type of a parameter in few tokens, in a notation like TypeScript's: `{url: string, secret?: string}`. */
import type * as SchemaAST from "effect/SchemaAST"

/** Maximum number of allowed values to print, before an ellipsis. */
const MAX_VALUES = 24

/** Prints a type. Objects nested deeper than `depth` are shown as `{…}`. */
export const print = (ast: SchemaAST.AST, depth: number): string => {
  switch (ast._tag) {
    case "Literal":
      return JSON.stringify(ast.literal)
    case "String":
      return examplesOf(ast) ?? "string"
    case "Number":
      return numberOf(ast)
    case "Boolean":
      return "boolean"
    case "Null":
      return "null"
    case "Arrays": {
      const items = [...ast.elements, ...ast.rest].map((item) => print(item, depth))
      const [only = "any"] = items
      return /[ |]/.test(only) && !only.startsWith("{") ? `(${only})[]` : `${only}[]`
    }
    case "Objects":
      return printObject(ast, depth)
    case "Union":
      return printUnion(ast, depth)
    case "Suspend":
      return depth === 0 ? "{…}" : print(ast.thunk(), depth - 1)
    default:
      return "any"
  }
}

/** Returns the known values of an open enumeration; none for other types. */
export const valuesOf = ({ annotations }: SchemaAST.AST): ReadonlyArray<string> => {
  const examples = annotations?.["examples"]
  return Array.isArray(examples) ? examples.map(String) : []
}

const examplesOf = (ast: SchemaAST.AST): string | undefined => {
  const known = valuesOf(ast)
  return known.length === 0 ? undefined : values(known.map((value) => JSON.stringify(value)))
}

const numberOf = ({ checks }: SchemaAST.AST): string => {
  const all = (checks ?? []).flatMap((check) => (check._tag === "FilterGroup" ? check.checks : [check]))
  return all.some(({ annotations }) => annotations?.representation?.id === "effect/schema/isInt") ? "integer" : "number"
}

const values = (texts: ReadonlyArray<string>): string =>
  [...texts.slice(0, MAX_VALUES), ...(texts.length > MAX_VALUES ? ["…"] : [])].join("|")

const printObject = (ast: SchemaAST.Objects, depth: number): string => {
  if (depth === 0) return "{…}"
  const own = ast.propertySignatures.map(
    ({ name, type }) => `${String(name)}${isOptional(type) ? "?" : ""}: ${print(type, depth - 1)}`
  )
  const free = ast.indexSignatures.flatMap(({ type }) =>
    type._tag === "Never" ? [] : [`[name]: ${print(type, depth - 1)}`]
  )
  return `{${[...own, ...free].join(", ")}}`
}

const printUnion = (ast: SchemaAST.Union, depth: number): string => {
  const members = membersOf(ast)
  const types = members.map(typeOf)
  // Members with different `type` are printed as one below the depth.
  if (depth <= 1 && members.length > 3 && types.every((type) => type !== undefined)) {
    return depth === 0 ? "{…}" : `{type: ${values(types.map((type) => JSON.stringify(type)))}, …}`
  }
  return values([...new Set(members.map((member) => print(member, depth)))])
}

/** Returns the members of a union without undefined. */
export const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (ast._tag === "Suspend") return membersOf(ast.thunk())
  return ast._tag === "Union" ? ast.types.flatMap(membersOf).filter(({ _tag }) => _tag !== "Undefined") : [ast]
}

/** Returns the literal of an object's member `type`, which distinguishes the members of a union. */
export const typeOf = (ast: SchemaAST.AST): string | undefined => {
  const found = ast._tag === "Objects" ? ast.propertySignatures.find(({ name }) => name === "type") : undefined
  return found?.type._tag === "Literal" ? String(found.type.literal) : undefined
}

/** Returns whether a member may be left out. */
export const isOptional = (ast: SchemaAST.AST): boolean => ast.context?.isOptional === true

/** Returns the description of a type; empty without one. */
export const descriptionOf = (ast: SchemaAST.AST): string => {
  const found = ast.annotations?.["description"] ?? ast.checks?.at(-1)?.annotations?.["description"]
  return typeof found === "string" && examplesOf(ast) === undefined ? found : ""
}
