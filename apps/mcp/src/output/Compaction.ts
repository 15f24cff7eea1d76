/** Values of the contract without the members that an agent has no use for, and cut to a number of tokens. */
import { isDeepStrictEqual } from "node:util"
import { isExternal } from "@tongs/core/contract/Wire"
import * as ResponseSchema from "./ResponseSchema.ts"
import * as TokenEstimate from "./TokenEstimate.ts"

/**
 * The value without links of the API to itself, ids for machines, pictures and empty members. An account is its login,
 * bytes in base64 are their text if they are text, and the committer is named if that is not the author. Only members
 * that the contract describes are left out or shortened: free-form data stays as it is.
 */
export const compact = (value: unknown, schemas: ResponseSchema.Schemas): unknown => {
  if (typeof value !== "object" || value === null || ResponseSchema.isFreeForm(schemas)) return value
  if (Array.isArray(value)) return value.map((item) => compact(item, ResponseSchema.items(schemas)))
  const isDescribed = (...names: ReadonlyArray<string>) =>
    names.every((name) => name in value && ResponseSchema.hasMember(schemas, name))
  if (isDescribed("encoding", "content") && "encoding" in value && value.encoding === "base64") {
    return compact(readable(value), schemas)
  }
  if (isDescribed("login", "avatar_url") && !isDescribed("public_repos") && "login" in value) return value.login
  const isAuthors =
    isDescribed("author", "committer") &&
    "author" in value &&
    "committer" in value &&
    isDeepStrictEqual(value.committer, value.author)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, given]) => {
      const described = ResponseSchema.member(schemas, name)
      if (!isDescribed(name)) return [[name, compact(given, described)]]
      if (given === null || given === undefined || given === "" || isNoise(name, described)) return []
      if (isAuthors && name === "committer") return []
      if (name === "verification") return [[name, verification(given)]]
      return [[name, compact(given, described)]]
    })
  )
}

const readable = (value: object) => {
  const { content, ...rest }: { readonly content?: unknown } = value
  const bytes = Buffer.from(String(content), "base64")
  return isBinary(bytes)
    ? { ...rest, encoding: undefined, binary: true }
    : { ...rest, encoding: "utf-8", content: bytes.toString("utf8") }
}

/** Whether bytes are no text, as git tells it. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8_000).includes(0)

/** Links of the API to itself, and ids for machines. Where a webhook posts to is data, and so is what git clones from. */
const isNoise = (name: string, described: ResponseSchema.Schemas): boolean =>
  name === "node_id" ||
  name === "_links" ||
  name === "avatar_service_id" ||
  ((name === "url" || name.endsWith("_url")) && !described.some(isExternal))

/** Whether a signature is good, without the signature; nothing where there is none. */
const verification = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || !("verified" in value && "reason" in value)) return value
  return value.reason === "unsigned" ? undefined : { verified: value.verified, reason: value.reason }
}

/** Tokens around the items of an answer: counts, a note, and a cursor with a URL in it. */
const AROUND = 700

/** How many of the items fit into one answer; at least one. */
export const countFitting = (items: ReadonlyArray<unknown>): number => {
  let tokens = AROUND
  for (const [index, item] of items.entries()) {
    tokens += TokenEstimate.estimateTokens(`${JSON.stringify(item)},`, TokenEstimate.MAX_TOKENS)
    if (tokens > TokenEstimate.MAX_TOKENS) return Math.max(1, index)
  }
  return items.length
}

/**
 * JSON of at most `MAX_TOKENS`: long texts are cut first, then long lists; what was cut says so. The members of `intact`
 * are added uncut: half a cursor leads nowhere.
 */
export const toJson = (value: unknown, intact: Readonly<Record<string, unknown>> = {}): string => {
  const whole = (part: unknown) =>
    JSON.stringify(Object.keys(intact).length === 0 ? part : Object.assign({}, part, intact))
  for (const [text, items] of [
    [Infinity, Infinity],
    [5_000, Infinity],
    [2_500, Infinity],
    [1_000, Infinity],
    [250, 300],
    [75, 200],
    [75, 100],
    [50, 50],
    [25, 10]
  ] as const) {
    // pairs of tokens and items
    const json = whole(truncate(value, text, items))
    if (TokenEstimate.estimateTokens(json, TokenEstimate.MAX_TOKENS) <= TokenEstimate.MAX_TOKENS) return json
  }
  return whole({ note: "The answer is too large to show. Ask for a part of it." })
}

/** The value with at most so many tokens of each text and items of each list; what was cut says so. */
export const truncate = (value: unknown, text: number, items: number): unknown => {
  if (typeof value === "string") {
    const shown = TokenEstimate.tokenPrefix(value, text)
    return shown.length < value.length ? `${shown}… (${value.length - shown.length} more characters)` : value
  }
  if (Array.isArray(value)) {
    const shown = value.slice(0, items).map((item) => truncate(item, text, items))
    return value.length > items ? [...shown, `… (${value.length - items} more items)`] : shown
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, truncate(member, text, items)]))
}
