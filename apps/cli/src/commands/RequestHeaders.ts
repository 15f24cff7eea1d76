/** Headers of a raw request: `-H "Accept: text/plain"`. */
import * as Effect from "effect/Effect"
import { UsageError } from "../base/UsageError.ts"

/** Headers that the client sets: another value would send a credential past its budget, or break the connection. */
const refused: ReadonlyMap<string, string> = new Map([
  ...["authorization", "proxy-authorization", "cookie"].map(
    (name) => [name, "Arguments can be seen by others: set TONGS_TOKEN, or sign in with tongs auth login."] as const // a pair
  ),
  ...["host", "content-length", "transfer-encoding", "connection"].map((name) => [name, "Leave it out."] as const) // a pair
])

/** The headers of `name: value` texts; the values of one name are joined by commas. No message quotes a value. */
export const parse = Effect.fnUntraced(function* (given: ReadonlyArray<string>) {
  const headers: Record<string, string> = {}
  for (const text of given) {
    const [, name = "", value] = /^([\w!#$%&'*+.^`|~-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/.exec(text) ?? []
    if (value === undefined) {
      const before = text.slice(0, Math.max(0, text.indexOf(":")))
      return yield* new UsageError({
        detail: `${before === "" ? "A header" : `The header ${JSON.stringify(before)}`} cannot be sent.`,
        hint: "Write headers as `name: value`, on one line."
      })
    }
    const key = name.toLowerCase()
    const hint = refused.get(key)
    if (hint !== undefined) return yield* new UsageError({ detail: `The header ${name} is not given by -H.`, hint })
    headers[key] = headers[key] === undefined ? value.trimEnd() : `${headers[key]}, ${value.trimEnd()}`
  }
  return headers
})
