/**
 * Estimates the number of tokens of a text in `o200k_base`. Splits the text as that tokenizer does, and encodes the
 * pieces with the most frequent tokens only, which needs more tokens than the whole vocabulary.
 */
import { Buffer } from "node:buffer"
import * as TokenVocabulary from "./TokenVocabulary.ts"

/**
 * The real number of tokens is at most this multiple of the estimate, even for text that was made to be expensive.
 * For code, JSON, English and lists of commits, the two differ by at most 15 %; for lists of paths, by at most 25 %.
 */
export const MAX_RATIO = 1.6

/** Number of frequent tokens for each real token. Ordinary code has at most as many. */
const FREQUENT_PER_TOKEN = 1.5

/** The pieces that the tokenizer encodes separately. Longer runs are split, which bounds the time per character. */
const pieces =
  /(?<digits>\p{N}{1,3})|(?<text>[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]{0,64}[\p{Ll}\p{Lm}\p{Lo}\p{M}]{1,64}(?:'(?:[sdmtSDMT]|[lL]{2}|[vV][eE]|[rR][eE]))?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]{1,64}(?:'(?:[sdmtSDMT]|[lL]{2}|[vV][eE]|[rR][eE]))?| ?[^\s\p{L}\p{N}]{1,64}[\r\n/]{0,64})|(?<space>\s{0,64}[\r\n]{1,64}|\s{1,64}(?!\S)|\s{1,64})/gu

/** Runs of one whitespace character. The tokenizer has a token for each run up to these lengths. */
const spaces = / {1,64}|\t{1,16}|\n{1,8}|[\0-\x7f]/g

/** Mean number of real tokens of a piece of code or prose that has 0, 1, 2 or 3 frequent tokens. */
const expectedTokensByLength = [0, 1, 1.15, 1.6]
/** Mean number of real tokens for each further frequent token of a piece. */
const EXPECTED_PER_FURTHER_TOKEN = 0.5

const expectedTokens = (frequent: number) =>
  expectedTokensByLength[frequent] ?? 1.6 + (frequent - 3) * EXPECTED_PER_FURTHER_TOKEN

/** Returns the number of tokens of a piece if only the frequent tokens existed: at least the real number. */
const frequentTokens = (piece: string, kind: Readonly<Record<string, string | undefined>>): number => {
  if (isAscii(piece)) {
    if (kind["space"] !== undefined) return piece.length === 1 ? 1 : Array.from(piece.matchAll(spaces)).length
    if (kind["digits"] !== undefined) return 1
  }
  return encodedLength(piece)
}

const isAscii = (text: string) => !/[^\0-\x7f]/.test(text)

/** Returns the number of tokens of byte pair encoding: merges the adjacent parts whose token has the lowest rank. */
const encodedLength = (piece: string): number => {
  const ranks = TokenVocabulary.load()
  const bytes = isAscii(piece) ? piece : Buffer.from(piece).toString("latin1")
  if (bytes.length === 1 || ranks.has(bytes)) return 1
  const parts = bytes.split("")
  const rankAt = (index: number) => ranks.get(`${parts[index]}${parts[index + 1]}`) ?? Infinity
  const pairs = parts.map((_, index) => rankAt(index))
  for (;;) {
    const lowest = lowestAt(pairs)
    if (pairs[lowest] === Infinity) return parts.length
    parts.splice(lowest, 2, `${parts[lowest]}${parts[lowest + 1]}`)
    pairs.splice(lowest + 1, 1)
    pairs[lowest] = rankAt(lowest)
    if (lowest > 0) pairs[lowest - 1] = rankAt(lowest - 1)
  }
}

const lowestAt = (ranks: ReadonlyArray<number>): number => {
  let lowest = 0
  for (let index = 1; index < ranks.length; index++)
    if ((ranks[index] ?? Infinity) < (ranks[lowest] ?? Infinity)) lowest = index
  return lowest
}

/** Counts until `limit`; `end` is the end of the last piece within the limit. */
const scan = (text: string, limit: number): { readonly tokens: number; readonly end: number } => {
  let expected = 0
  let most = 0
  let tokens = 0
  for (const { 0: piece, groups = {}, index } of text.matchAll(pieces)) {
    const frequent = frequentTokens(piece, groups)
    expected += expectedTokens(frequent)
    most += frequent
    tokens = Math.max(expected, most / FREQUENT_PER_TOKEN)
    if (tokens > limit) return { tokens, end: index }
  }
  return { tokens, end: text.length }
}

/**
 * Returns the estimated number of tokens. Stops counting above `limit`, then returns any number greater than `limit`.
 */
export const estimateTokens = (text: string, limit = Infinity): number => scan(text, limit).tokens

/** Returns a prefix of at most `limit` tokens, which ends between two words. Never splits a surrogate pair. */
export const tokenPrefix = (text: string, limit: number): string => text.slice(0, scan(text, limit).end)
