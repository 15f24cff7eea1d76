/** Fields of a raw request: `-f name=text`, `-F name=typed`. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { UsageError } from "../base/UsageError.ts"
import * as FileInput from "../base/FileInput.ts"

/** A member of a request's input. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * The object that fields describe.
 *
 * **Details**
 *
 * Of `typed` ones, `true`, `false`, `null` and numbers are what they look like, and `@file` is the text of a file. As
 * `gh api` has it, `a[b]=1` is a member of the object `a`, `a[]=1` an element of the array `a`, `a[]` an empty array, and
 * `a[][b]=1` a member of the last element of `a`, or of a new one if that has a `b`.
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
        detail: `${JSON.stringify(field)} is no field.`,
        hint: "Write fields as name=value."
      })
    }
    const value = text === undefined ? [] : isTyped ? yield* typedValue(text) : text
    const added = put(fields[name], isEmpty ? path.slice(0, -1) : path, value)
    if (Result.isFailure(added)) {
      return yield* new UsageError({
        detail: `${JSON.stringify(field)} contradicts a field before it: ${added.failure}.`,
        hint: "Give each field once; name[]=value adds to an array."
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

/** `self` with a value at a path of keys, or why there is no room for it; `""` is an element of an array. */
const put = (self: unknown, path: ReadonlyArray<string>, value: unknown): Result.Result<unknown, string> => {
  const [key, ...rest] = path
  if (key === undefined) return self === undefined ? Result.succeed(value) : Result.fail("it has a value")
  if (key !== "") {
    if (self !== undefined && !isObject(self)) return Result.fail("it is no object")
    const members = self ?? {}
    return Result.map(put(members[key], rest, value), (member) => ({ ...members, [key]: member }))
  }
  if (self !== undefined && !Array.isArray(self)) return Result.fail("it is no array")
  const elements: ReadonlyArray<unknown> = self ?? []
  const last = elements.at(-1)
  const [next] = rest
  const isOpen = next !== undefined && next !== "" && isObject(last) && last[next] === undefined
  return isOpen
    ? Result.map(put(last, rest, value), (element) => [...elements.slice(0, -1), element])
    : Result.map(put(undefined, rest, value), (element) => [...elements, element])
}
