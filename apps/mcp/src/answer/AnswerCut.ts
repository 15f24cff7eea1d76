/** Cuts an answer to a number of tokens: whole items, or the beginning of the first item. */
import * as ThirdPartyText from "../text/ThirdPartyText.ts"
import { estimateTokens, tokenPrefix } from "../text/TokenEstimate.ts"
import { type Answer, type Continuation, DEFAULT_TOKENS, type Item, maxTokens } from "./Answer.ts"

/** Tokens reserved for the first line, notes and the call that continues, and those of a short answer. */
const OVERHEAD = 300
const SHORT_OVERHEAD = 95

/** The part of an answer that is shown. */
export interface Shown {
  readonly items: ReadonlyArray<Item>
  /** How the answer continues after these items; undefined after the last item. */
  readonly next: Continuation | undefined
  /** True if the only item is shown in part. */
  readonly isCut: boolean
}

/** Returns as many items as fit, at least one. `print` returns the displayed text of an item. */
export const cut = (answer: Answer, print: (item: Item, previous: Item | undefined) => string): Shown => {
  const limit =
    answer.tokens === undefined
      ? (answer.isLarge === true ? maxTokens : DEFAULT_TOKENS) - OVERHEAD
      : answer.tokens - SHORT_OVERHEAD
  let tokens = 0
  let previous: Item | undefined
  for (const [index, item] of answer.items.entries()) {
    tokens += estimateTokens(`${print(item, previous)}\n`, limit)
    if (tokens > limit) {
      if (index > 0) return { items: answer.items.slice(0, index), next: answer.next?.(index), isCut: false }
      return { items: [shorten(item, limit)], next: answer.next?.(1), isCut: true }
    }
    previous = item
  }
  return { items: answer.items, next: answer.next?.(answer.items.length), isCut: false }
}

/** Shortens an item to `limit` tokens, and states how much is missing. */
const shorten = (item: Item, limit: number): Item => {
  const visible = ThirdPartyText.escape(item.text)
  const text = tokenPrefix(visible, limit)
  const shown = `${text}… (${visible.length - text.length} more characters)`
  return { ...item, text: shown, data: shown }
}
