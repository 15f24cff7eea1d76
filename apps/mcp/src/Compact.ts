/** Values of the contract with what an agent has no use for left out, and cut to a length. */
import { isDeepStrictEqual } from "node:util"
import { MAX_LENGTH } from "./Text.ts"

/**
 * The value without addresses of other answers, ids for machines, pictures and empty members. An account is its login,
 * bytes in base64 are their text where they are one, and who committed is named where another is the author.
 */
export const compact = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(compact)
  if (typeof value !== "object" || value === null) return value
  if ("encoding" in value && value.encoding === "base64" && "content" in value) return compact(readable(value))
  if ("login" in value && "avatar_url" in value && !("public_repos" in value)) return value.login
  const isAuthors = "author" in value && "committer" in value && isDeepStrictEqual(value.committer, value.author)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isNoise(name) && member !== null && member !== undefined && member !== "")
      .filter(([name]) => !(isAuthors && name === "committer"))
      .map(([name, member]) => [name, name === "verification" ? verification(member) : compact(member)])
  )
}

const readable = ({ content, ...rest }: { readonly content: unknown }) => {
  const bytes = Buffer.from(String(content), "base64")
  return isBinary(bytes)
    ? { ...rest, encoding: undefined, binary: true }
    : { ...rest, encoding: "utf-8", content: bytes.toString("utf8") }
}

/** Whether bytes are no text, as git tells it. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8_000).includes(0)

const isNoise = (name: string) =>
  name === "url" || name === "node_id" || name === "_links" || name.endsWith("_url") || name === "avatar_service_id"

/** Whether a signature is good, without the signature; nothing where there is none. */
const verification = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || !("verified" in value && "reason" in value)) return value
  return value.reason === "unsigned" ? undefined : { verified: value.verified, reason: value.reason }
}

/** Characters around the items of an answer: counts, a note, and a cursor with a URL in it. */
const AROUND = 2_000

/** How many of the items fit into one answer; at least one. */
export const fitting = (items: ReadonlyArray<unknown>): number => {
  let length = AROUND
  for (const [index, item] of items.entries()) {
    length += JSON.stringify(item).length + 1 // a comma
    if (length > MAX_LENGTH) return Math.max(1, index)
  }
  return items.length
}

/** JSON of at most `MAX_LENGTH` characters: long texts are cut first, then long lists; what was cut says so. */
export const bounded = (value: unknown): string => {
  for (const [text, items] of [
    [Infinity, Infinity],
    [20_000, Infinity],
    [10_000, Infinity],
    [4_000, Infinity],
    [1_000, 300],
    [300, 200],
    [300, 100],
    [200, 50],
    [100, 10]
  ] as const) {
    const json = JSON.stringify(cut(value, text, items))
    if (json.length <= MAX_LENGTH) return json
  }
  return JSON.stringify({ note: "The answer is too large to show. Ask for a part of it." })
}

const cut = (value: unknown, text: number, items: number): unknown => {
  if (typeof value === "string")
    return value.length > text ? `${value.slice(0, text)}… (${value.length - text} more characters)` : value
  if (Array.isArray(value)) {
    const shown = value.slice(0, items).map((item) => cut(item, text, items))
    return value.length > items ? [...shown, `… (${value.length - items} more items)`] : shown
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member, text, items)]))
}
