/** Splits long texts into items of an answer, so that an answer can continue in the middle of a text. */
import type { Item } from "../answer/Answer.ts"
import * as TokenEstimate from "../text/TokenEstimate.ts"

/** Tokens of a part of a text. */
export const MAX = 400

/** Returns whether a text has at most `limit` tokens. */
export const fits = (text: string, limit: number): boolean => TokenEstimate.estimateTokens(text, limit) <= limit

/** Splits the text of a member into parts of whole lines, and lines that are too long. */
export const split = (name: string, text: string): ReadonlyArray<Item> =>
  partsOf(text).map((part) => ({ heading: `${name}:`, data: { [name]: part }, text: part }))

/** Splits the text of an item that does not fit into an answer. */
export const splitItem = (item: Item, limit: number): ReadonlyArray<Item> =>
  fits(item.text, limit) ? [item] : partsOf(item.text).map((part) => ({ ...item, data: part, text: part }))

const partsOf = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let lines: Array<string> = []
  let tokens = 0
  const end = () => {
    if (lines.length > 0) parts.push(lines.join("\n"))
    lines = []
    tokens = 0
  }
  for (const line of text.split("\n")) {
    let rest = line
    for (;;) {
      const count = TokenEstimate.estimateTokens(rest, MAX) + 1
      if (tokens + count > MAX) end()
      if (count <= MAX) {
        lines.push(rest)
        tokens += count
        break
      }
      const first = TokenEstimate.tokenPrefix(rest, MAX)
      parts.push(first)
      rest = rest.slice(first.length)
    }
  }
  end()
  return parts
}
