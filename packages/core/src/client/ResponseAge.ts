/** The age of values from cached responses (`staleFor`). */
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

/** Ages by value, stored outside the values, whose types have no member for the age. Fresh values have no entry. */
const ages = new WeakMap<object, number>()

/**
 * Returns the milliseconds since the forge sent or confirmed the response that contained a value; 0 for a fresh value.
 */
export const age = (value: unknown): number =>
  typeof value === "object" && value !== null ? (ages.get(value) ?? 0) : 0

/** Records the age of the response that contained a value. Returns the value. */
export const recordAge = <A>(value: A, { headers }: HttpClientResponse.HttpClientResponse): A => {
  const age = headers["x-tongs-age"]
  if (age !== undefined && typeof value === "object" && value !== null) ages.set(value, Number(age))
  return value
}
