/** The members that `--fields` selects: `sha,commit.author.name`. */
import * as Effect from "effect/Effect"
import * as Presentation from "@tongs/core/contract/Presentation"
import { UsageError } from "../base/UsageError.ts"

/** The selected members in order, each with a nested selection. An empty selection is the whole value. */
export type FieldSelection = ReadonlyMap<string, FieldSelection>

/** Parses names that are separated by commas. Fails with `UsageError` for an empty name. */
export const parse = (text: string): Effect.Effect<FieldSelection, UsageError> =>
  Effect.suspend(() => {
    const all: Mutable = new Map()
    for (const path of text.split(",").map((name) => name.trim().split("."))) {
      if (path.includes("")) return Effect.fail(invalid(text))
      let inside = all
      for (const [index, name] of path.entries()) {
        const known = inside.get(name)
        // A whole member already contains the nested members.
        if (known?.size === 0) break
        const next: Mutable = index === path.length - 1 ? new Map() : (known ?? new Map())
        inside.set(name, next)
        inside = next
      }
    }
    return Effect.succeed(all)
  })

interface Mutable extends Map<string, Mutable> {}

const invalid = (text: string) =>
  new UsageError({
    detail: `Invalid --fields ${JSON.stringify(text)}.`,
    hint: "Separate the names by commas, and the members of a field by dots: --fields sha,commit.author.name."
  })

/**
 * Returns an object with only the selected members, in the order of the selection. For a list, selects in each item.
 */
export const select = (value: unknown, selection: FieldSelection): unknown => {
  if (selection.size === 0) return value
  if (Array.isArray(value)) return value.map((item) => select(item, selection))
  if (!Presentation.isRow(value)) return value
  // A missing optional member is null, so that every item of a list has the same members.
  return Object.fromEntries([...selection].map(([name, inside]) => [name, select(value[name] ?? null, inside)]))
}

/**
 * Fails with `UsageError` if the selection contains a member that neither the schemas nor the values have. Without
 * values, checks only members of which the schemas declare all names.
 */
export const check = (
  selection: FieldSelection,
  schemas: Presentation.Schemas,
  values: ReadonlyArray<unknown> = []
): Effect.Effect<void, UsageError> => {
  const unknown = findUnknown(selection, schemas, values, "")
  return unknown === undefined
    ? Effect.void
    : Effect.fail(
        new UsageError({
          detail: `Unknown field ${JSON.stringify(unknown.path)}.`,
          hint:
            unknown.available.length === 0
              ? "This value has no fields."
              : `Available fields:\n${unknown.available.map((name) => `  ${name}`).join("\n")}`
        })
      )
}

interface Unknown {
  readonly path: string
  readonly available: ReadonlyArray<string>
}

const findUnknown = (
  selection: FieldSelection,
  schemas: Presentation.Schemas,
  values: ReadonlyArray<unknown>,
  prefix: string
): Unknown | undefined => {
  if (selection.size === 0) return undefined
  const described = withoutArrays(schemas)
  const present = values.flatMap(elements).filter((value) => value !== null && value !== undefined)
  const rows = present.filter(Presentation.isRow)
  const declared = memberNames(described)
  const names = new Set([...(declared ?? []), ...rows.flatMap((row) => Object.keys(row))])
  const isKnown = present.length > 0 || declared !== undefined
  for (const [name, inside] of selection) {
    const path = `${prefix}${name}`
    if (isKnown && !names.has(name)) return { path, available: [...names].sort() }
    const members = rows.map((row) => row[name])
    const unknown = findUnknown(inside, Presentation.memberSchemas(described, name), members, `${path}.`)
    if (unknown !== undefined) return unknown
  }
  return undefined
}

/** Returns the elements of nested arrays. */
const elements = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value.flatMap(elements) : [value])

/** Returns the schemas; an array's schema is replaced by the schemas of the elements. */
const withoutArrays = (schemas: Presentation.Schemas): Presentation.Schemas =>
  schemas.flatMap((ast) => (ast._tag === "Arrays" ? withoutArrays(Presentation.elementSchemas([ast])) : [ast]))

/** Returns the names of all members; undefined if the schemas allow further names. */
const memberNames = (schemas: Presentation.Schemas): ReadonlyArray<string> | undefined => {
  const objects = schemas.filter(({ _tag }) => _tag !== "Null" && _tag !== "Undefined")
  const names = objects.map((ast) =>
    ast._tag === "Objects" && ast.indexSignatures.length === 0
      ? ast.propertySignatures.map(({ name }) => String(name))
      : undefined
  )
  return names.length === 0 || names.includes(undefined) ? undefined : names.flatMap((names) => names ?? [])
}
