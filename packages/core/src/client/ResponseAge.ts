/** The age of values that come from cached responses (`staleFor`). */
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

/** Beside the values, whose types have no member for it. Fresh values have no entry. */
const ages = new WeakMap<object, number>()

/** Milliseconds since the forge sent or confirmed the response that a value comes from; 0 for a fresh value. */
export const age = (value: unknown): number =>
  typeof value === "object" && value !== null ? (ages.get(value) ?? 0) : 0

/** Records the age of the response that a value comes from. Gives the value. */
export const recordAge = <A>(value: A, { headers }: HttpClientResponse.HttpClientResponse): A => {
  const age = headers["x-tongs-age"]
  if (age !== undefined && typeof value === "object" && value !== null) ages.set(value, Number(age))
  return value
}
