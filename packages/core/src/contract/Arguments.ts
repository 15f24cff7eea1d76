/** Arguments that a screen and its items give to further operations, derived from the contract. */
import type * as SchemaAST from "effect/SchemaAST"
import { type CatalogEntry, allEntries, type InputField, resultSchemas } from "./CatalogEntry.ts"
import * as Presentation from "./Presentation.ts"

/** Values by parameter name. `gitRefs.ref` is the parameter `ref` of the group `gitRefs` only. */
export type Arguments = Readonly<Record<string, unknown>>

/** The input of an operation as far as known, and the required fields without a value. */
export interface Input {
  readonly known: Arguments
  readonly missing: ReadonlyArray<InputField>
}

/**
 * Optional query parameters that select the data of a screen, not its presentation. The items of the screen belong to
 * the same data.
 */
const carried = new Set(["ref", "max_timestamp"])

/** Returns whether the result of an operation is a list: an array, or an object around one. */
export const isList = (entry: CatalogEntry): boolean => {
  const schemas = resultSchemas(entry)
  if (schemas.some(isArray)) return true
  const items = Presentation.itemSchemas(schemas)
  return Presentation.declaration(schemas) === undefined && items.length > 0 && !Presentation.isFreeForm(items)
}

const isArray = ({ _tag }: SchemaAST.AST) => _tag === "Arrays"

/** Returns the schemas of the items of a list, or of the resource that an operation returns. */
export const itemSchemas = (entry: CatalogEntry): Presentation.Schemas =>
  isList(entry) ? Presentation.itemSchemas(resultSchemas(entry)) : resultSchemas(entry)

/** Returns the names of the required path parameters, in order. */
export const requiredPath = ({ fields }: CatalogEntry): ReadonlyArray<string> =>
  fields.filter((field) => field.in === "path" && field.required).map(({ name }) => name)

/** Returns the names under which `Arguments` has the required path parameters. */
export const requiredPathKeys = (entry: CatalogEntry): ReadonlyArray<string> =>
  entry.fields.filter((field) => field.in === "path" && field.required).flatMap((field) => keyOf(entry, field) ?? [])

/** Returns the names that `Arguments` has for fields of an operation. An optional path parameter only filters a list. */
export const keys = (entry: CatalogEntry): ReadonlyArray<string> => {
  const isOnlyList = Presentation.declaration(resultSchemas(entry)) === undefined
  return entry.fields
    .filter((field) => field.in !== "path" || field.required || !isOnlyList)
    .flatMap((field) => keyOf(entry, field) ?? [])
}

/** Returns the names that `Arguments` has for fields of the body of an operation. */
export const bodyKeys = (entry: CatalogEntry): ReadonlyArray<string> =>
  entry.fields.filter((field) => field.in === "body").flatMap((field) => keyOf(entry, field) ?? [])

/**
 * Returns the name of a field in `Arguments`. A body field has a name only if a resource declares it for the group,
 * because fields such as `name` have other meanings than parameters.
 */
const keyOf = ({ group }: CatalogEntry, { in: place, name }: InputField): string | undefined => {
  const qualified = `${group}.${name}`
  const isQualified = qualifiedNames().has(qualified)
  if (place !== "body") return isQualified ? qualified : name
  const isPathParameter = entriesOf(group).some((entry) =>
    entry.fields.some((field) => field.in === "path" && field.name === name)
  )
  return isQualified && !isPathParameter ? qualified : undefined
}

const entriesOf = (group: string) => allEntries().filter((entry) => entry.group === group)

let qualified: ReadonlySet<string> | undefined

/** Returns the names with a group that resources declare. */
const qualifiedNames = (): ReadonlySet<string> => {
  qualified ??= new Set(
    allEntries()
      .flatMap((entry) => Object.keys(Presentation.declaration(itemSchemas(entry))?.arguments ?? {}))
      .filter((name) => name.includes("."))
  )
  return qualified
}

const givenCache = new WeakMap<CatalogEntry, Readonly<Record<string, string | Presentation.Argument>>>()

/** Returns the arguments that an item of a list, or the resource that an operation returns, gives. */
export const given = (entry: CatalogEntry): Readonly<Record<string, string | Presentation.Argument>> => {
  const known = givenCache.get(entry)
  if (known !== undefined) return known
  const made = Presentation.declaration(itemSchemas(entry))?.arguments ?? identityArguments(entry)
  givenCache.set(entry, made)
  return made
}

/** Maps the parameters after the path of a list to the members that identify an item. */
const identityArguments = (entry: CatalogEntry): Readonly<Record<string, string>> => {
  const list = listOf(entry)
  if (list === undefined) return {}
  const below = `${list.endpoint.path}/:`
  const target = allEntries().find(({ endpoint }) => endpoint.path.startsWith(below))
  const own = requiredPath(list)
  const added = target === undefined ? [] : requiredPath(target).filter((name) => !own.includes(name))
  const identity = Presentation.columns(itemSchemas(list)).filter(({ identifies }) => identifies)
  return Object.fromEntries(
    identity.flatMap(({ path }, index) => {
      const name = added[index]
      return name === undefined ? [] : [[name, path.join(".")]]
    })
  )
}

/**
 * Returns the list that contains the resource of an operation: the operation, if it is a list, or the list at the same
 * path or the path above.
 */
const listOf = (entry: CatalogEntry): CatalogEntry | undefined => {
  const declared = Presentation.declaration(itemSchemas(entry))
  const { path } = entry.endpoint
  return allEntries().find(
    (list) =>
      isList(list) &&
      [path, path.slice(0, path.lastIndexOf("/"))].includes(list.endpoint.path) &&
      Presentation.isSameResource(declared, Presentation.declaration(itemSchemas(list)))
  )
}

/**
 * Returns the known arguments of an item: the arguments of the screen, whose operation is `entry`, and the arguments
 * that the item gives. On a screen with a single resource, the item is that resource.
 */
export const argumentsOf = (entry: CatalogEntry, args: Arguments, item?: unknown): Arguments => {
  const declared = Presentation.isRow(item) ? given(entry) : {}
  const screen = entry.fields
    .filter((field) => field.in === "path" || (field.in === "query" && (field.required || carried.has(field.name))))
    .map((field) => [keyOf(entry, field) ?? field.name, args[field.name]] as const)
    // An argument of the screen, such as the id of a tree, does not belong to an item without this argument, such as a
    // blob.
    .filter(([name]) => !(name in declared))
  const own = Object.entries(declared).map(([name, argument]) => [name, valueOf(argument, item)] as const)
  return Object.fromEntries([...screen, ...own].filter(([, value]) => value !== undefined))
}

const valueOf = (argument: string | Presentation.Argument, item: unknown): string | number | undefined => {
  const { path, pattern, template, when = {} } = typeof argument === "string" ? { path: argument } : argument
  const at = (name: string) => Presentation.valueAt(item, name.split("."))
  if (!Object.entries(when).every(([name, expected]) => at(name) === expected)) return undefined
  const member = at(path)
  if ((typeof member !== "string" && typeof member !== "number") || member === "") return undefined
  const value = pattern === undefined ? member : new RegExp(pattern, "u").exec(String(member))?.[1]
  return value === undefined || template === undefined ? value : template.replace("{}", () => String(value))
}

/** Returns the input of an operation from known arguments, and the required fields without an argument. */
export const input = (target: CatalogEntry, known: Arguments): Input => {
  const filled = Object.fromEntries(
    target.fields.flatMap((field) => {
      const key = keyOf(target, field)
      return key === undefined || known[key] === undefined ? [] : [[field.name, known[key]] as const]
    })
  )
  return {
    known: filled,
    missing: target.fields.filter(({ name, required }) => required && filled[name] === undefined)
  }
}

/** Returns whether every required path parameter of an operation is among the arguments. */
export const isAddressed = (target: CatalogEntry, known: Arguments): boolean =>
  requiredPathKeys(target).every((key) => known[key] !== undefined)
