/**
 * Estimates how many tokens a text costs a model. Tokenizers differ; for code, JSON, prose, identifiers and CJK text this
 * is within a quarter of `o200k_base`. Counting in characters is wrong by a factor of three.
 */

/** Tokens of one answer, by this estimate. */
export const MAX_TOKENS = 6_000

// A text in pieces like those of a tokenizer, each with the usual number of tokens of its kind.
const PIECES =
  /(?<word> ?(?:\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lu}))|(?<digits>\d+)|(?<ideographs>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+)|(?<letters> ?[\p{L}\p{M}]+)|(?<ascii> ?[!-/:-@[-`{-~]+)|(?<space>\s+)|./gsu

/** Characters of a long word per token. */
const LETTERS = 8
/** The same beyond ASCII, where vocabularies are smaller. */
const LETTERS_BEYOND_ASCII = 4.5

const tokensOf = (piece: string, kind: Readonly<Record<string, string | undefined>>): number => {
  const { length } = piece
  if (kind["word"] !== undefined) {
    if (!isAscii(piece)) return Math.max(1, length / LETTERS_BEYOND_ASCII)
    return length <= 10 ? 1 : length / LETTERS
  }
  if (kind["digits"] !== undefined) return Math.ceil(length / 3)
  if (kind["ideographs"] !== undefined) return length * 0.85
  if (kind["letters"] !== undefined) return isHangul(piece) ? length * 0.6 : Math.max(1, length / LETTERS_BEYOND_ASCII)
  if (kind["ascii"] !== undefined) return Math.ceil(length / 4)
  if (kind["space"] !== undefined) return Math.ceil(length / 64)
  return length // a symbol; an emoji has two code units
}

const isAscii = (text: string) => !/[^ -~]/.test(text)
const isHangul = (text: string) => /\p{Script=Hangul}/u.test(text)

/** The estimate; of a text that costs more than `limit`, any number above it. */
export const count = (text: string, limit = Infinity): number => {
  let tokens = 0
  for (const { 0: piece, groups = {} } of text.matchAll(PIECES)) {
    tokens += tokensOf(piece, groups)
    if (tokens > limit) break
  }
  return tokens
}

/** The longest beginning of a text that costs at most `limit`; no character is cut in two. */
export const prefix = (text: string, limit: number): string => {
  let tokens = 0
  for (const { 0: piece, groups = {}, index } of text.matchAll(PIECES)) {
    const cost = tokensOf(piece, groups)
    if (tokens + cost > limit) {
      const end = index + Math.floor((piece.length * (limit - tokens)) / cost)
      return text.slice(0, isWithinPair(text, end) ? end - 1 : end)
    }
    tokens += cost
  }
  return text
}

const isWithinPair = (text: string, at: number) => /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(at - 1, at + 1))
