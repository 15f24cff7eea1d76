/** The members of a result that an agent selects: paths such as `config.url`, checked against the contract. */
import * as Presentation from "@tongs/core/contract/Presentation"
import * as Compaction from "./Compaction.ts"
import * as Words from "../text/Words.ts"

/** A selection of members: all members, or some by path. */
export type Selection = "all" | ReadonlyArray<ReadonlyArray<string>>

/** Returns the selection that names mean. */
export const selectionOf = (names: ReadonlyArray<string>): Selection =>
  names.includes("*") ? "all" : names.map((name) => name.split("."))

/** Returns an error with every unknown member and the existing members; undefined if all members exist. */
export const problem = (names: ReadonlyArray<string>, schemas: Presentation.Schemas): string | undefined => {
  const unknown = names.filter((name) => name !== "*" && !exists(name.split("."), schemas))
  if (unknown.length === 0) return undefined
  const known = paths(schemas)
  const listed = known.slice(0, MAX_NAMES).join(", ")
  return unknown
    .slice(0, MAX_UNKNOWN)
    .map((name) => {
      const near = Words.nearest(name, known)
      return `Unknown field ${JSON.stringify(name.slice(0, 100))}${near.length === 0 ? "" : `, did you mean ${near.join(" or ")}?`}`
    })
    .concat(`Fields: ${listed}${known.length > MAX_NAMES ? ", …" : ""}, or * for all.`)
    .join(" ")
}

/** Maximum number of unknown names in an error. */
const MAX_UNKNOWN = 5

/** Maximum number of names in an error. */
const MAX_NAMES = 60

/** Returns the schemas of a value, or of the elements of an array. */
export const elementsOrSelf = (schemas: Presentation.Schemas): Presentation.Schemas => {
  const elements = Presentation.elementSchemas(schemas)
  return elements.length === 0 ? schemas : elementsOrSelf(elements)
}

const exists = ([name, ...rest]: ReadonlyArray<string>, schemas: Presentation.Schemas): boolean => {
  if (name === undefined) return true
  const own = elementsOrSelf(schemas)
  if (Presentation.hasMember(own, name)) return exists(rest, Presentation.memberSchemas(own, name))
  return name !== "" && own.some((ast) => (ast._tag === "Objects" ? ast.indexSignatures.length > 0 : isAny(ast._tag)))
}

const isAny = (tag: string) => tag === "Any" || tag === "Unknown" || tag === "Declaration"

/** Returns the names of the members that the contract declares and does not hide. */
export const namesOf = (schemas: Presentation.Schemas): ReadonlyArray<string> => {
  const names = schemas.flatMap((ast) => (ast._tag === "Objects" ? ast.propertySignatures : []))
  return [...new Set(names.map(({ name }) => String(name)))].filter(
    (name) => !Presentation.isHidden(name, Presentation.memberSchemas(schemas, name))
  )
}

/** Returns the paths of the members of a value, two levels deep. */
const paths = (schemas: Presentation.Schemas, depth = 2): ReadonlyArray<string> => {
  const own = elementsOrSelf(schemas)
  return namesOf(own).flatMap((name) => {
    const below = Presentation.memberSchemas(own, name)
    const nested = depth === 1 ? [] : paths(below, depth - 1).map((path) => `${name}.${path}`)
    return [name, ...nested]
  })
}

/** Returns the selected members of a value, in the order of the selection. Nested members are compacted. */
export const pick = (
  value: unknown,
  selected: ReadonlyArray<ReadonlyArray<string>>,
  schemas: Presentation.Schemas
): unknown => {
  if (Array.isArray(value)) return value.map((item) => pick(item, selected, Presentation.elementSchemas(schemas)))
  if (!Presentation.isRow(value)) return value
  return Object.fromEntries(
    [...childrenOf(selected)].flatMap(([name, below]) => {
      if (!Object.hasOwn(value, name)) return []
      const own = Presentation.memberSchemas(schemas, name)
      return [[name, isWhole(below) ? Compaction.compact(value[name], own) : pick(value[name], below, own)]]
    })
  )
}

/** Returns the paths inside each selected member. */
export const childrenOf = (
  selected: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyMap<string, ReadonlyArray<ReadonlyArray<string>>> => {
  const children = new Map<string, ReadonlyArray<ReadonlyArray<string>>>()
  for (const [name = "", ...rest] of selected) children.set(name, [...(children.get(name) ?? []), rest])
  return children
}

/** Returns whether the paths inside a member select all of it. */
export const isWhole = (below: ReadonlyArray<ReadonlyArray<string>>): boolean =>
  below.some(({ length }) => length === 0)
