/** Encodes responses as JSON without blocking the event loop. */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"

/** Number of list items that are encoded at once. */
const SLICE_ITEMS = 100

/** Number of characters to encode before yielding to other requests, which takes about two milliseconds. */
const TURN_CHARACTERS = 256 * 1024

/** Encodes a value as JSON: a string, or UTF-8 bytes if large. */
export const encode = (value: unknown): Effect.Effect<string | Uint8Array> => {
  const list = longList(value)
  return list === undefined ? Effect.succeed(JSON.stringify(value)) : encodeList(list)
}

const isLong = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value) && value.length > SLICE_ITEMS

/** Finds a long list in a value. Returns the list with the JSON before and after the items. */
const longList = (value: unknown) => {
  if (isLong(value)) return { items: value, before: "[", after: "]" }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
  for (const [name, items] of Object.entries(value)) {
    if (!isLong(items)) continue
    const placeholder = randomUUID()
    const [before = "", after = ""] = JSON.stringify({ ...value, [name]: placeholder }).split(`"${placeholder}"`)
    return { items, before: `${before}[`, after: `]${after}` }
  }
  return undefined
}

const encodeList = Effect.fnUntraced(function* ({ after, before, items }: NonNullable<ReturnType<typeof longList>>) {
  const pieces: Array<Buffer> = []
  let text = before
  for (let at = 0; at < items.length; at += SLICE_ITEMS) {
    if (at > 0) text += ","
    text += JSON.stringify(items.slice(at, at + SLICE_ITEMS)).slice(1, -1)
    if (text.length < TURN_CHARACTERS) continue
    pieces.push(Buffer.from(text))
    text = ""
    yield* Effect.yieldNow
  }
  return Buffer.concat([...pieces, Buffer.from(text + after)])
})
