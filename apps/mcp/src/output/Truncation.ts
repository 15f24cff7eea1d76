/** Limits the size of tool results. */
import * as TokenEstimate from "./TokenEstimate.ts"

/** Maximum size of one tool result, in estimated tokens. */
export const MAX_RESULT_TOKENS = 6_000

/** Tokens reserved for the other members of a list result: counts, a note, and a cursor that contains a URL. */
const LIST_OVERHEAD = 700

/** Returns the number of items that fit into one tool result; at least 1. */
export const countFitting = (items: ReadonlyArray<unknown>): number => {
  let tokens = LIST_OVERHEAD
  for (const [index, item] of items.entries()) {
    tokens += TokenEstimate.estimateTokens(`${JSON.stringify(item)},`, MAX_RESULT_TOKENS)
    if (tokens > MAX_RESULT_TOKENS) return Math.max(1, index)
  }
  return items.length
}

/** Limits to try in this order: maximum tokens per string, and maximum items per list. */
const LIMITS = [
  [Infinity, Infinity],
  [5_000, Infinity],
  [2_500, Infinity],
  [1_000, Infinity],
  [250, 300],
  [75, 200],
  [75, 100],
  [50, 50],
  [25, 10]
] as const // pairs

/**
 * Encodes a value as JSON of at most `MAX_RESULT_TOKENS`. Truncates long strings first, then long lists, and states how
 * much is missing. Adds the members of `intact` without truncation, for example a cursor.
 */
export const toJson = (value: unknown, intact: Readonly<Record<string, unknown>> = {}): string => {
  const print = (part: unknown) =>
    JSON.stringify(Object.keys(intact).length === 0 ? part : Object.assign({}, part, intact))
  for (const [tokens, items] of LIMITS) {
    const json = print(truncate(value, tokens, items))
    if (TokenEstimate.estimateTokens(json, MAX_RESULT_TOKENS) <= MAX_RESULT_TOKENS) return json
  }
  return print({ note: "The result is too large to show. Request a smaller part of it." })
}

/** Truncates each string to `tokens` tokens and each list to `items` items, and states how much is missing. */
export const truncate = (value: unknown, tokens: number, items: number): unknown => {
  if (typeof value === "string") return truncateText(value, tokens)
  if (Array.isArray(value)) {
    const shown = value.slice(0, items).map((item) => truncate(item, tokens, items))
    return value.length > items ? [...shown, `… (${value.length - items} more items)`] : shown
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, truncate(member, tokens, items)]))
}

/** Truncates a text to `tokens` tokens, and states how many characters are missing. */
export const truncateText = (text: string, tokens: number): string => {
  const shown = TokenEstimate.tokenPrefix(text, tokens)
  return shown.length < text.length ? `${shown}… (${text.length - shown.length} more characters)` : text
}
