import { escapeRegExp } from "../model/escapeRegExp.ts"
import type * as TextRanges from "./TextRanges.ts"

/** The input of find in file. */
export interface FindQuery {
  readonly text: string
  readonly matchCase: boolean
  readonly wholeWord: boolean
  /** Whether `text` is a regular expression. */
  readonly isRegex: boolean
}

/** The matches of a pattern. */
export interface FindResult {
  readonly ranges: TextRanges.TextRanges
  /** Whether there are more matches than the limit. */
  readonly isTruncated: boolean
}

const MAX_MATCHES = 1_000_000

/** The pattern of a query, undefined for an invalid regular expression. Cheap: only matching can take long. */
export const compile = ({ isRegex, matchCase, text, wholeWord }: FindQuery): RegExp | undefined => {
  const flags = `gmu${matchCase ? "" : "i"}`
  try {
    // Compiled separately first: an invalid text such as `)(` could be valid inside the group below.
    const source = isRegex ? new RegExp(text, flags).source : normalizedForms(text)
    return wholeWord ? new RegExp(`${WORD_BORDER}(?:${source})${WORD_BORDER}`, flags) : new RegExp(source, flags)
  } catch {
    return undefined
  }
}

/** The matches that are not empty, at most `limit`. Backtracking of a hostile pattern may never end. */
export const find = (text: string, pattern: RegExp, limit = MAX_MATCHES): FindResult => {
  const offsets: Array<number> = []
  for (const { 0: match, index } of text.matchAll(pattern)) {
    if (match === "") continue
    if (offsets.length === 2 * limit) return { ranges: Uint32Array.from(offsets), isTruncated: true }
    offsets.push(index, index + match.length)
  }
  return { ranges: Uint32Array.from(offsets), isTruncated: false }
}

/** Matches a letter with an accent as one character or as two. */
const normalizedForms = (text: string): string =>
  Array.from(new Set([text, text.normalize("NFC"), text.normalize("NFD")]), escapeRegExp).join("|")

const WORD = "[\\p{L}\\p{N}_$]"
/** Matches unless between two word characters. */
const WORD_BORDER = `(?:(?<!${WORD})|(?!${WORD}))`
