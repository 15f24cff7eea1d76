/** Shortens values and texts to a number of tokens or characters. */
import * as TokenEstimate from "./TokenEstimate.ts"

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

/** Shortens a text to a number of characters, and marks the end with an ellipsis. Never splits a surrogate pair. */
export const shorten = (text: string, characters: number): string =>
  text.length > characters ? `${text.slice(0, characters).toWellFormed()}…` : text

/** Shortens a text to a number of characters, and states how many are missing. */
export const shortenCounted = (text: string, characters: number): string =>
  text.length > characters ? `${shorten(text, characters)} (${text.length - characters} more characters)` : text
