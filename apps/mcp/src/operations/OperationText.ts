/** Describes an operation for agents: effect, parameters with types, and scopes. */
import type * as SchemaAST from "effect/SchemaAST"
import type { CatalogEntry } from "@tongs/core/contract/Catalog"
import type { Operation } from "@tongs/core/contract/Operation"
import type { Item } from "../answer/Answer.ts"
import * as TokenEstimate from "../text/TokenEstimate.ts"
import * as OperationName from "./OperationName.ts"
import * as Parameters from "./Parameters.ts"
import * as ParameterType from "./ParameterType.ts"

/** Tokens of the type of one parameter, in the description of the best and of other results. */
const typeTokens = { best: 120, other: 40 } as const // literal types

/** Maximum depth of a printed type. */
const MAX_DEPTH = 6

/** Returns an operation as an item of an answer. */
export const itemOf = (entry: CatalogEntry, allowWrites: boolean, detail: Detail): Item => {
  const { description, summary } = entry.operation
  const id = OperationName.idOf(entry)
  const parameters = Parameters.of(entry).map((parameter) => ({
    name: parameter.name,
    required: parameter.required,
    type: typeOf(id, parameter, detail === "all" ? typeTokens.best : typeTokens.other),
    ...describe(parameter)
  }))
  const needs = scopesOf(entry)
  const isRefused = !entry.readonly && !allowWrites
  const effect = effectOf(entry)
  const lines = [
    `${id} (${effect}${entry.operation.extension ? "; extension that few forges have" : ""}${isRefused ? "; needs --allow-writes" : ""}): ${summary}.${description === undefined ? "" : ` ${description}`}`,
    ...(detail === "all" ? [`  ${OperationName.routeOf(entry)}`] : []),
    ...(detail === "names"
      ? [`  ${parameters.map(({ name, required }) => `${name}${required ? "*" : ""}`).join(", ")}`]
      : parameters.map(
          ({ description = "", name, required, type }) =>
            `  ${name}${required ? "*" : ""}: ${[type, description].filter((part) => part !== "").join(". ")}`
        )),
    ...(needs === "" || detail === "names" ? [] : [`  scope: ${needs}`])
  ]
  return {
    data: {
      operation: id,
      summary,
      ...(description === undefined ? {} : { description }),
      effect,
      route: OperationName.routeOf(entry),
      parameters,
      scopes: entry.operation.scopes,
      privateScopes: entry.operation.privateScopes,
      allowed: !isRefused
    },
    text: lines.filter((line) => line.trim() !== "").join("\n")
  }
}

/** How much to show of an operation: everything, the parameters with short types, or the names of the parameters. */
export type Detail = "all" | "types" | "names"

/** Returns the description of a parameter, unless it only repeats the values of the type. */
const describe = (parameter: Parameters.Parameter): { readonly description?: string } => {
  const { ast, description } = parameter
  const values = ast === undefined ? [] : ParameterType.valuesOf(ast)
  if (description === "" || (values.length > 0 && values.every((value) => description.includes(value)))) return {}
  return {
    description: Parameters.isTime(parameter) ? description.replace(/, for example \d{4}-\S+Z/, "") : description
  }
}

const effects = { read: "reads", create: "creates", update: "updates", delete: "deletes", trigger: "triggers" } as const // literal types

/**
 * Returns the effect of an operation in words, whether a later call can undo the effect, and whether the operation
 * makes data available to other users.
 */
export const effectOf = ({ operation }: CatalogEntry): string => {
  const { effect, exposure, paging, reversible } = operation
  if (effect === "read") return paging === undefined ? "reads" : "reads a list"
  const gives =
    exposure === undefined ? [] : [`${exposure.when === undefined ? "gives" : "can give"} ${exposure.gives} to others`]
  return [effects[effect], ...undone(reversible), ...gives].join("; ")
}

const undone = (reversible: Operation["reversible"]): ReadonlyArray<string> => {
  if (typeof reversible === "boolean") return reversible ? [] : ["cannot be undone"]
  const except = Object.entries(reversible.except).map(([name, value]) => `${name}=${value}`)
  return [`cannot be undone with ${except.join(" or ")}`]
}

/** Returns the scopes of which a token needs one. */
const scopesOf = ({ operation: { privateScopes, scopes } }: CatalogEntry): string => {
  if (scopes.length > 0) return scopes.join(" or ")
  return privateScopes.length === 0 ? "" : `${privateScopes.join(" or ")} for private data`
}

/** Prints the type of a parameter as deep as a number of tokens allows. */
const typeOf = (id: string, parameter: Parameters.Parameter, tokens: number): string => {
  const { ast, name } = parameter
  if (ast === undefined) return ""
  if (Parameters.isTime(parameter)) return "time, date or age (7d)"
  const { isComplete, text } = shapeOf(ast, tokens)
  return isComplete ? text : `${text} (all: find_operation ${JSON.stringify({ query: id, parameter: name })})`
}

/** Prints a type as deep as there is room, at least the first level. */
const shapeOf = (ast: SchemaAST.AST, tokens: number): { readonly text: string; readonly isComplete: boolean } => {
  const whole = ParameterType.print(ast, MAX_DEPTH)
  if (TokenEstimate.estimateTokens(whole, tokens) <= tokens) return { text: whole, isComplete: true }
  for (let depth = MAX_DEPTH - 1; depth > 0; depth--) {
    const text = ParameterType.print(ast, depth)
    if (TokenEstimate.estimateTokens(text, tokens) <= tokens) return { text, isComplete: false }
  }
  return { text: ParameterType.print(ast, 0), isComplete: false }
}

/**
 * Returns the members of a parameter as items, with whole types: of an object, of an array of objects, or of a union.
 * `path` continues into the members. Undefined if the parameter does not exist.
 */
export const parameterItems = (entry: CatalogEntry, path: string): ReadonlyArray<Item> | undefined => {
  const [first, ...rest] = path.split(".")
  const parameter = Parameters.of(entry).find(({ name }) => name === first)
  if (parameter?.ast === undefined) return undefined
  const found = rest.reduce<SchemaAST.AST | undefined>(
    (at, name) => (at === undefined ? undefined : below(at, name)),
    parameter.ast
  )
  if (found === undefined) return undefined
  const inner = elementOf(found)
  const union = ParameterType.membersOf(inner)
  if (union.length > 1 && union.some(({ _tag }) => _tag === "Objects"))
    return union.map((member) => typeItem(ParameterType.print(member, MAX_DEPTH)))
  const [only = inner] = union
  if (only._tag !== "Objects") return [typeItem(ParameterType.print(found, MAX_DEPTH))]
  return only.propertySignatures.map(({ name, type }) => {
    const description = ParameterType.descriptionOf(type)
    const line = `${String(name)}${ParameterType.isOptional(type) ? "" : "*"}: ${ParameterType.print(type, MAX_DEPTH)}`
    return typeItem(description === "" ? line : `${line}. ${description}`)
  })
}

const typeItem = (text: string): Item => ({ data: text, text })

const elementOf = (ast: SchemaAST.AST): SchemaAST.AST => {
  if (ast._tag === "Suspend") return elementOf(ast.thunk())
  const [element] = ast._tag === "Arrays" ? [...ast.elements, ...ast.rest] : []
  return element === undefined ? ast : elementOf(element)
}

/** Returns the type of a member, or the member of a union with this `type`. */
const below = (ast: SchemaAST.AST, name: string): SchemaAST.AST | undefined => {
  const union = ParameterType.membersOf(elementOf(ast))
  const typed = union.find((member) => ParameterType.typeOf(member) === name)
  if (typed !== undefined) return typed
  return union
    .flatMap((member) => (member._tag === "Objects" ? member.propertySignatures : []))
    .find((signature) => signature.name === name)?.type
}
