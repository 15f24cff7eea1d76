/**
 * Ranked fuzzy matching: the characters of a word occur in a text in order, possibly with other characters between
 * them. Runs of characters and starts of words score higher.
 *
 * **Details**
 *
 * The words of a pattern match in any order. A word without capitals ignores case (smart case). The scores are those of
 * fzf, with bonuses for a whole text and a prefix. Only the first 1,024 UTF-16 code units of a text are searched.
 */
import type * as StyledLine from "./StyledLine.ts"

/** The result of a match. */
export interface Match {
  /** Higher is better. Comparable for one pattern. */
  readonly score: number
  /** Offsets of the matched characters in UTF-16 code units, in ascending order. */
  readonly positions: ReadonlyArray<number>
}

/** Number of UTF-16 code units of a text that are searched. */
const MAX_TEXT = 1024
/** Maximum length of a pattern, in UTF-16 code units. */
const MAX_PATTERN = 128

const CHARACTER = 16
const GAP_START = -3
const GAP_MORE = -1
/** Bonus of the character after white space or at the start of the text. */
const BONUS_START = 10
/** Bonus of the character after a path separator. */
const BONUS_SEGMENT = 9
/** Bonus of a punctuation character, and of the character after punctuation other than path separators. */
const BONUS_WORD = 8
/** Bonus of a capital after a small letter, and of a digit after a letter. */
const BONUS_CAMEL = 7
/** Minimum bonus of a character directly after the previous match. */
const BONUS_RUN = 4
/** Factor for the bonus of the first character of a word, which users choose with the most care. */
const FIRST = 2
const BONUS_PREFIX = 24
const BONUS_EXACT = 48

/**
 * Returns the best match of a pattern; undefined if a word of the pattern does not match. An empty pattern matches
 * every text.
 */
export const match = (pattern: string, text: string): Match | undefined => {
  const words = wordsOf(pattern)
  const positions = new Set<number>()
  const score = scoreOf(words, text, positions)
  return score === undefined ? undefined : { score, positions: [...positions].sort((a, b) => a - b) }
}

/** Returns the items that match a pattern, best first. Items with equal scores keep their order. */
export const filter = <A>(items: ReadonlyArray<A>, pattern: string, textOf: (item: A) => string): ReadonlyArray<A> => {
  const words = wordsOf(pattern)
  if (words.length === 0) return items
  const found: Array<{ readonly item: A; readonly score: number }> = []
  for (const item of items) {
    const score = scoreOf(words, textOf(item))
    if (score !== undefined) found.push({ item, score })
  }
  return found.sort((a, b) => b.score - a.score).map(({ item }) => item)
}

/**
 * Returns the items that contain all words of a pattern, best first. Without such an item: the items in which the words
 * are abbreviations, of which every run of characters starts a word, for example `frb` in `feature/radio-beacon`.
 */
export const filterRuns = <A>(
  items: ReadonlyArray<A>,
  pattern: string,
  textOf: (item: A) => string
): ReadonlyArray<A> => {
  const words = wordsOf(pattern)
  const exact = items.filter((item) => {
    const text = textOf(item).slice(0, MAX_TEXT)
    const folded = fold(text)
    return words.every((word) => (word.isExactCase ? text : folded).includes(word.text))
  })
  return exact.length > 0
    ? filter(exact, pattern, textOf)
    : filter(items, pattern, textOf).filter((item) => isAbbreviation(pattern, textOf(item)))
}

const isAbbreviation = (pattern: string, text: string): boolean => {
  const positions = new Set(match(pattern, text)?.positions)
  return [...positions].every((at) => positions.has(at - 1) || bonusAt(text, at) >= BONUS_CAMEL)
}

/** Gives the matched characters of a line the role `match`. The positions are offsets in the text of the line. */
export const highlight = (line: StyledLine.Line, positions: ReadonlyArray<number>): StyledLine.Line => {
  if (positions.length === 0) return line
  const matched = new Set(positions)
  let start = 0
  return line.flatMap((span) => {
    const runs: Array<StyledLine.Span> = []
    for (const { index, segment } of graphemes.segment(span.text)) {
      const role = isMatched(matched, start + index, segment.length) ? "match" : span.role
      const last = runs.at(-1)
      if (last?.role === role) runs[runs.length - 1] = { ...last, text: last.text + segment }
      else runs.push({ ...span, text: segment, role })
    }
    start += span.text.length
    return runs
  })
}

const isMatched = (positions: ReadonlySet<number>, from: number, length: number): boolean => {
  for (let at = from; at < from + length; at += 1) if (positions.has(at)) return true
  return false
}

interface Word {
  readonly text: string
  /** True if the word has a capital. */
  readonly isExactCase: boolean
}

const wordsOf = (pattern: string): ReadonlyArray<Word> => {
  const words = new Set(pattern.slice(0, MAX_PATTERN).split(/\s+/))
  words.delete("")
  return [...words].map((text) => ({ text, isExactCase: fold(text) !== text }))
}

/** Returns the sum of the words' scores. Adds the matched offsets to `positions`. */
const scoreOf = (words: ReadonlyArray<Word>, text: string, positions?: Set<number>): number | undefined => {
  const searched = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text
  const folded = fold(searched)
  for (const { isExactCase, text } of words) if (!contains(isExactCase ? searched : folded, text)) return undefined
  let sum = 0
  for (const { isExactCase, text } of words) {
    sum += scoreOfWord(text, isExactCase ? searched : folded, searched, positions)
  }
  return sum
}

/** Converts to lower case without changing any offset. */
const fold = (text: string): string => {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return [...text]
    .map((character) => (character.toLowerCase().length === character.length ? character.toLowerCase() : character))
    .join("")
}

// Scratch space of `scoreOfWord`, by character of the word and offset. Reused, because allocation takes most of the
// time.
const scores = new Int32Array(MAX_PATTERN * MAX_TEXT)
/** Length of the run of matched characters that ends at the offset. */
const runs = new Int32Array(MAX_PATTERN * MAX_TEXT)
/** Bonus of the character that starts the run. */
const runBonuses = new Int32Array(MAX_PATTERN * MAX_TEXT)
/** Score of an impossible match, far below every possible score. */
const NONE = -1_000_000

/** Returns true if the characters of a word occur in order. */
const contains = (compared: string, word: string): boolean => {
  let at = -1
  for (let row = 0; row < word.length; row += 1) {
    at = compared.indexOf(word.charAt(row), at + 1)
    if (at === -1) return false
  }
  return true
}

/** Returns the score of the best alignment of a word with a matching text, by dynamic programming as in fzf. */
const scoreOfWord = (word: string, compared: string, text: string, positions: Set<number> | undefined): number => {
  if (compared.startsWith(word)) {
    // No alignment is better: every character has the highest bonus, without a gap.
    if (positions !== undefined) for (const at of word.split("").keys()) positions.add(at)
    const score = word.length * (CHARACTER + BONUS_START) + BONUS_START * (FIRST - 1)
    return score + (compared.length === word.length ? BONUS_EXACT : BONUS_PREFIX)
  }
  const start = compared.indexOf(word.charAt(0))
  const end = compared.lastIndexOf(word.charAt(word.length - 1)) + 1
  let first = start
  for (let row = 0; row < word.length; row += 1) {
    first = compared.indexOf(word.charAt(row), row === 0 ? start : first + 1)
    fillRow({ row, code: word.charCodeAt(row), compared, text, start, first, end })
  }
  const last = (word.length - 1) * (end - start) - start
  let best = NONE
  let bestAt = start
  for (let at = start; at < end; at += 1) {
    const score = (runs[last + at] ?? 0) > 0 ? (scores[last + at] ?? NONE) : NONE
    if (score <= best) continue
    best = score
    bestAt = at
  }
  if (positions !== undefined) trace(word.length, start, end, bestAt, positions)
  return best
}

interface Row {
  /** Index of the character in the word. */
  readonly row: number
  readonly code: number
  /** The text, in lower case if case is ignored. */
  readonly compared: string
  readonly text: string
  /** The offsets of a match: from `start` to before `end`; `first` is the first offset of this row. */
  readonly start: number
  readonly first: number
  readonly end: number
}

/**
 * Computes the best score of the word up to `row`, for each offset: of a match at the offset, or of an earlier match
 * with a gap.
 */
const fillRow = ({ code, compared, end, first, row, start, text }: Row): void => {
  const line = row * (end - start) - start
  const above = line - (end - start)
  for (let at = start; at < first; at += 1) {
    scores[line + at] = NONE
    runs[line + at] = 0
  }
  let left = NONE
  let inGap = false
  for (let at = first; at < end; at += 1) {
    const skipped: number = left + (inGap ? GAP_MORE : GAP_START)
    let taken = NONE
    let run = 0
    let runBonus = 0
    if (compared.charCodeAt(at) === code) {
      const bonus = bonusAt(text, at)
      if (row === 0) {
        taken = CHARACTER + bonus * FIRST
        run = 1
        runBonus = bonus
      } else if (at > start) {
        const before = scores[above + at - 1] ?? NONE
        const previousRun = runs[above + at - 1] ?? 0
        const previousBonus = runBonuses[above + at - 1] ?? 0
        // The start of a better word within a run starts a new run.
        const continues = previousRun > 0 && !(bonus >= BONUS_WORD && bonus > previousBonus)
        run = continues ? previousRun + 1 : 1
        runBonus = continues ? previousBonus : bonus
        taken = before + CHARACTER + (previousRun > 0 ? Math.max(bonus, BONUS_RUN, runBonus) : bonus)
      }
    }
    const isTaken: boolean = taken > NONE / 2 && taken >= skipped
    left = isTaken ? taken : skipped
    inGap = !isTaken
    scores[line + at] = left
    runs[line + at] = isTaken ? run : 0
    runBonuses[line + at] = isTaken ? runBonus : 0
  }
}

/** Adds the offsets of the best match, from end to start. */
const trace = (length: number, start: number, end: number, last: number, positions: Set<number>): void => {
  let at = last
  for (let row = length - 1; row >= 0; row -= 1) {
    const line = row * (end - start) - start
    while (at > start && (runs[line + at] ?? 0) === 0) at -= 1
    positions.add(at)
    at -= 1
  }
}

/** Returns the bonus of the character at an offset, from the classes of this and the previous character. */
const bonusAt = (text: string, at: number): number => {
  const kind = kindOf(text, at)
  if (at === 0) return kind === "space" ? 0 : BONUS_START
  const before = kindOf(text, at - 1)
  if (kind === "space" || kind === "separator" || kind === "punctuation") return kind === before ? 0 : BONUS_WORD
  if (before === "space") return BONUS_START
  if (before === "separator") return BONUS_SEGMENT
  if (before === "punctuation") return BONUS_WORD
  if (kind === "upper" ? before === "lower" : kind === "digit" && before !== "digit") return BONUS_CAMEL
  return 0
}

type Kind = "lower" | "upper" | "digit" | "space" | "separator" | "punctuation"

const kindOf = (text: string, at: number): Kind => {
  const code = text.charCodeAt(at)
  return code < 128 ? (asciiKinds[code] ?? "punctuation") : kindOfCharacter(text.charAt(at))
}

const kindOfCharacter = (character: string): Kind => {
  if (/\s/.test(character)) return "space"
  if (character === "/" || character === "\\" || character === ":") return "separator"
  if (/\p{Lu}/u.test(character)) return "upper"
  if (/\p{N}/u.test(character)) return "digit"
  return /[\p{L}\p{M}\p{Cs}]/u.test(character) ? "lower" : "punctuation"
}

const asciiKinds = Array.from({ length: 128 }, (_, code) => kindOfCharacter(String.fromCharCode(code)))

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
