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

/** Letters of scripts that vocabularies lack, and accents that stand alone: tokenizers take these byte by byte. */
const RARE =
  /[^\P{L}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Gujarati}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Georgian}\p{Script=Armenian}\p{Script=Common}]|[\u{10000}-\u{1F000}]|[\u0300-\u036F]/u
/** Tokens of each code unit of these. */
const TOKENS_OF_RARE = 2

const tokensOf = (piece: string, kind: Readonly<Record<string, string | undefined>>): number => {
  const { length } = piece
  if (isRare(piece)) return length * TOKENS_OF_RARE
  if (kind["word"] !== undefined) {
    if (!isAscii(piece)) return Math.max(1, length / LETTERS_BEYOND_ASCII)
    return length <= 10 ? 1 : length / LETTERS
  }
  if (kind["digits"] !== undefined) return Math.ceil(length / 3)
  if (kind["ideographs"] !== undefined) return length * 0.85
  if (kind["letters"] !== undefined)
    return isSyllabic(piece) ? length * 0.6 : Math.max(1, length / LETTERS_BEYOND_ASCII)
  if (kind["ascii"] !== undefined) return Math.ceil(length / 4)
  if (kind["space"] !== undefined) return Math.ceil(length / 64)
  return length // a symbol; an emoji has two code units
}

const isAscii = (text: string) => !/[^ -~]/.test(text)
const isRare = (text: string) => RARE.test(text)
const isSyllabic = (text: string) => /[\p{Script=Hangul}\p{Script=Myanmar}\p{Script=Khmer}]/u.test(text)

/** The estimate; of a text that costs more than `limit`, any number above it. */
export const estimateTokens = (text: string, limit = Infinity): number => {
  let tokens = 0
  for (const { 0: piece, groups = {} } of text.matchAll(PIECES)) {
    tokens += tokensOf(piece, groups)
    if (tokens > limit) break
  }
  return tokens
}

/** The longest beginning of a text that costs at most `limit`; no character is cut in two. */
export const tokenPrefix = (text: string, limit: number): string => {
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
