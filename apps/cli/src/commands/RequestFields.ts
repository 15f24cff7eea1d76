/** Parses the fields of `tongs api`: `-f name=text`, `-F name=value`. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { UsageError } from "../base/UsageError.ts"
import * as FileInput from "../base/FileInput.ts"

/** The members of a request's input. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * Parses fields to an object. Fails with `UsageError` if a field is invalid or contradicts another field.
 *
 * **Details**
 *
 * In `typed` fields, `true`, `false`, `null` and numbers are JSON values, and `@FILE` is the text of a file. As in
 * `gh api`, `a[b]=1` sets a member of the object `a`, `a[]=1` appends to the array `a`, `a[]` is an empty array, and
 * `a[][b]=1` sets a member of the last element of `a`, or of a new element if the last already has a `b`.
 */
export const parse = Effect.fnUntraced(function* (strings: ReadonlyArray<string>, typed: ReadonlyArray<string>) {
  const fields: Record<string, unknown> = {}
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
    const value = text === undefined ? [] : isTyped ? yield* typedValue(text) : text
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

const typedValue = Effect.fnUntraced(function* (text: string) {
  if (text.startsWith("@")) return yield* FileInput.resolve(text)
  const isJson = /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?)$/.test(text)
  const value: unknown = isJson ? JSON.parse(text) : text
  return value
})

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns `self` with a value at a path of keys, or the reason for a conflict. The key `""` appends to an array. */
const put = (self: unknown, path: ReadonlyArray<string>, value: unknown): Result.Result<unknown, string> => {
  const [key, ...rest] = path
  if (key === undefined) return self === undefined ? Result.succeed(value) : Result.fail("it already has a value")
  if (key !== "") {
    if (self !== undefined && !isObject(self)) return Result.fail("it is not an object")
    const members = self ?? {}
    return Result.map(put(members[key], rest, value), (member) => ({ ...members, [key]: member }))
  }
  if (self !== undefined && !Array.isArray(self)) return Result.fail("it is not an array")
  const elements: ReadonlyArray<unknown> = self ?? []
  const last = elements.at(-1)
  const [next] = rest
  const isOpen = next !== undefined && next !== "" && isObject(last) && last[next] === undefined
  return isOpen
    ? Result.map(put(last, rest, value), (element) => [...elements.slice(0, -1), element])
    : Result.map(put(undefined, rest, value), (element) => [...elements, element])
}
