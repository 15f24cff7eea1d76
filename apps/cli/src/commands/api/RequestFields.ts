/** Parses the fields of `tongs api`: `-f name=text`, `-F name=value`. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { UsageError } from "../../base/UsageError.ts"
import * as FileInput from "../../base/FileInput.ts"

export type FieldValue = string | bigint | boolean | null | ReadonlyArray<FieldValue> | Fields

/** The members of a request's input. */
export interface Fields {
  readonly [name: string]: FieldValue
}

/**
 * Parses fields to an object. Fails with `UsageError` if a field is invalid or contradicts another field.
 *
 * **Details**
 *
 * In `typed` fields, `true`, `false`, `null` and integers are JSON values, `@FILE` is the text of a file, and `fill`
 * replaces placeholders. As in `gh api`, `a[b]=1` sets a member of the object `a`, `a[]=1` appends to the array `a`,
 * `a[]` is an empty array, and `a[][b]=1` sets a member of the last element of `a`, or of a new element if the last
 * already has a `b` that is not an array.
 */
export const parse = Effect.fnUntraced(function* <E, R>(
  strings: ReadonlyArray<string>,
  typed: ReadonlyArray<string>,
  fill: (text: string) => Effect.Effect<string, E, R>
) {
  const fields: Record<string, FieldValue> = {}
  for (const [field, isTyped] of [
    ...strings.map((field) => [field, false] as const), // a pair
    ...typed.map((field) => [field, true] as const) // a pair
  ]) {
    const [, name, brackets = "", text] = /^([^=[\]]+)((?:\[[^=[\]]*\])*)(?:=([\s\S]*))?$/.exec(field) ?? []
    const path = [...brackets.matchAll(/\[([^\]]*)\]/g)].map(([, key = ""]) => key)
    const isEmpty = text === undefined && path.at(-1) === ""
    if (name === undefined || [name, ...path].includes("__proto__") || (text === undefined && !isEmpty)) {
      return yield* new UsageError({
        detail: `Invalid field ${JSON.stringify(field)}.`,
        hint: "Write fields as name=value."
      })
    }
    const value = text === undefined ? [] : isTyped ? yield* typedValue(text, fill) : text
    const added = put(fields[name], isEmpty ? path.slice(0, -1) : path, value)
    if (Result.isFailure(added)) {
      return yield* new UsageError({
        detail: `Field ${JSON.stringify(field)} conflicts with an earlier field: ${added.failure}.`,
        hint: "Pass each field once; name[]=value adds to an array."
      })
    }
    fields[name] = added.success
  }
  const result: Fields = fields
  return result
})

/** The integers that gh converts, with at most 64 bits. */
const isInteger = (text: string) => /^[+-]?\d+$/.test(text) && BigInt.asIntN(64, integer(text)) === integer(text)
const integer = (text: string) => BigInt(text.replace(/^\+/, ""))

const typedValue = Effect.fnUntraced(function* <E, R>(
  text: string,
  fill: (text: string) => Effect.Effect<string, E, R>
) {
  if (text.startsWith("@")) return yield* FileInput.resolve(text)
  if (isInteger(text)) return integer(text)
  const known = literals.get(text)
  return known === undefined ? yield* fill(text) : known
})

const literals: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null]
])

declare global {
  interface JSON {
    /** Creates a value that `JSON.stringify` prints as this JSON text. */
    readonly rawJSON: (text: string) => unknown
  }
}

/** Formats fields as JSON. Integers keep all digits. */
export const toJson = (fields: Fields): string =>
  JSON.stringify(fields, (_, value: unknown) => (typeof value === "bigint" ? JSON.rawJSON(String(value)) : value))

/** Formats fields as a query, without `?`: the elements of a list share the name `name[]`, as in gh. */
export const toQuery = (fields: Fields): string => {
  const query = new URLSearchParams()
  const add = (name: string, value: FieldValue): void => {
    if (isList(value)) for (const element of value) add(`${name}[]`, element)
    else if (isObject(value)) for (const [key, member] of Object.entries(value)) add(key, member)
    else query.append(name, value === null ? "" : String(value))
  }
  for (const [name, value] of Object.entries(fields)) add(name, value)
  query.sort()
  return query.toString()
}

const isList = (value: FieldValue): value is ReadonlyArray<FieldValue> => Array.isArray(value)

const isObject = (value: FieldValue | undefined): value is Fields =>
  typeof value === "object" && value !== null && !isList(value)

/** Returns `self` with a value at a path of keys, or the reason for a conflict. The key `""` appends to an array. */
const put = (
  self: FieldValue | undefined,
  path: ReadonlyArray<string>,
  value: FieldValue
): Result.Result<FieldValue, string> => {
  const [key, ...rest] = path
  if (key === undefined) return self === undefined ? Result.succeed(value) : Result.fail("it already has a value")
  if (key !== "") {
    if (self !== undefined && !isObject(self)) return Result.fail("it is not an object")
    const members = self ?? {}
    return Result.map(put(members[key], rest, value), (member) => ({ ...members, [key]: member }))
  }
  if (self !== undefined && !isList(self)) return Result.fail("it is not an array")
  const elements = self ?? []
  const last = elements.at(-1)
  const [next] = rest
  const open = next === undefined || next === "" || !isObject(last) ? undefined : last
  const member = open === undefined ? undefined : open[next ?? ""]
  return open !== undefined && (member === undefined || isList(member))
    ? Result.map(put(open, rest, value), (element) => [...elements.slice(0, -1), element])
    : Result.map(put(undefined, rest, value), (element) => [...elements, element])
}
