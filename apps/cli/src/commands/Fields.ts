/** Fields of a raw request: `-f name=text`, `-F name=typed`. */
import * as Effect from "effect/Effect"
import { UsageError } from "../Usage.ts"
import * as Reference from "./Reference.ts"

/** A member of a request's input. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * The object that fields describe.
 *
 * **Details**
 *
 * Of `typed` ones, `true`, `false`, `null` and numbers are what they look like, and `@file` is the text of a file. `a[b]=1`
 * is a member of the object `a`, and `a[]=1` an element of the array `a`.
 */
export const make = Effect.fnUntraced(function* (strings: ReadonlyArray<string>, typed: ReadonlyArray<string>) {
  const fields: Record<string, unknown> = {}
  for (const [field, isTyped] of [
    ...strings.map((field) => [field, false] as const),
    ...typed.map((field) => [field, true] as const)
  ]) {
    const [, name, brackets = "", text = ""] = /^([^=[\]]+)((?:\[[^=[\]]*\])*)=([\s\S]*)$/.exec(field) ?? []
    if (name === undefined || name === "__proto__") {
      return yield* new UsageError({
        detail: `${JSON.stringify(field)} is no field.`,
        hint: "Write fields as name=value."
      })
    }
    const value = isTyped ? magic(text.startsWith("@") ? yield* Reference.read(text) : text, text) : text
    const path = [...brackets.matchAll(/\[([^\]]*)\]/g)].map(([, key = ""]) => key)
    fields[name] = put(fields[name], path, value)
  }
  const result: Fields = fields
  return result
})

const magic = (text: string, written: string): unknown => {
  if (written.startsWith("@")) return text
  if (text === "true" || text === "false" || text === "null" || /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text))
    return JSON.parse(text)
  return text
}

/** `self` with a value at a path of keys; `""` is the next element of an array. */
const put = (self: unknown, path: ReadonlyArray<string>, value: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (key === "") return [...(Array.isArray(self) ? self : []), put(undefined, rest, value)]
  const object = typeof self === "object" && self !== null && !Array.isArray(self) ? self : {}
  return { ...object, [key]: put(Object.entries(object).find(([name]) => name === key)?.[1], rest, value) }
}
