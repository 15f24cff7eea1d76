/** How old a value of the client is: answers that were kept may be given while they are asked for anew (`staleFor`). */
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

/** Beside the values, whose types know nothing of it; what is fresh is not in it. */
const ages = new WeakMap<object, number>()

/** Milliseconds since the forge last said that this is its answer; 0 for what it has just said. */
export const age = (value: unknown): number =>
  typeof value === "object" && value !== null ? (ages.get(value) ?? 0) : 0

/** Notes on a value how old the answer was that it comes from. */
export const recordAge = <A>(value: A, { headers }: HttpClientResponse.HttpClientResponse): A => {
  const age = headers["x-tongs-age"]
  if (age !== undefined && typeof value === "object" && value !== null) ages.set(value, Number(age))
  return value
}
