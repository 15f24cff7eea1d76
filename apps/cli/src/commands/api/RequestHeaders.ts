/** Parses the headers of `tongs api`: `-H "Accept: text/plain"`. */
import * as Effect from "effect/Effect"
import { UsageError } from "../../base/UsageError.ts"

/**
 * Headers that only the client may set. A user's value could bypass the rate limits of a credential, or break the
 * connection.
 */
const refused: ReadonlyMap<string, string> = new Map([
  ...["authorization", "proxy-authorization", "cookie"].map(
    (name) =>
      [
        name,
        "Other users of this computer can see command-line arguments. Set TONGS_TOKEN, or sign in with `tongs auth login`."
      ] as const // a pair
  ),
  ...["host", "content-length", "transfer-encoding", "connection"].map(
    (name) => [name, "Omit it: the client sets it."] as const
  ) // a pair
])

/** Parses `name: value` texts, and joins the values of each name with commas. Error messages never quote a value. */
export const parse = Effect.fnUntraced(function* (given: ReadonlyArray<string>) {
  const headers: Record<string, string> = {}
  for (const text of given) {
    const [, name = "", value] = /^([\w!#$%&'*+.^`|~-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/.exec(text) ?? []
    if (value === undefined) {
      const before = text.slice(0, Math.max(0, text.indexOf(":")))
      return yield* new UsageError({
        detail: before === "" ? "Invalid header." : `Invalid header ${JSON.stringify(before)}.`,
        hint: "Write headers as `name: value`, on one line."
      })
    }
    const key = name.toLowerCase()
    const hint = refused.get(key)
    if (hint !== undefined) return yield* new UsageError({ detail: `The header ${name} cannot be set with -H.`, hint })
    headers[key] = headers[key] === undefined ? value.trimEnd() : `${headers[key]}, ${value.trimEnd()}`
  }
  return headers
})
