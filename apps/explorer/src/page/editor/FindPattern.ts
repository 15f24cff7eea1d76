/** What somebody looks for in a file, and where it stands. */
import type * as TextRanges from "./TextRanges.ts"

export interface FindQuery {
  readonly text: string
  readonly matchCase: boolean
  readonly wholeWord: boolean
  /** A regular expression. */
  readonly isRegex: boolean
}

export interface FindResult {
  readonly ranges: TextRanges.TextRanges
  /** There are more than these. */
  readonly isTruncated: boolean
}

/** Matches that are found at most. */
const MAX_MATCHES = 1_000_000

/** Undefined for what is no regular expression. It costs nothing: only using it may. */
export const compile = ({ isRegex, wholeWord, matchCase, text }: FindQuery): RegExp | undefined => {
  const flags = `gmu${matchCase ? "" : "i"}`
  try {
    // On its own, for in what follows parts of it could close and open again.
    const alone = isRegex ? new RegExp(text, flags).source : spellings(text)
    return wholeWord ? new RegExp(`${EDGE}(?:${alone})${EDGE}`, flags) : new RegExp(alone, flags)
  } catch {
    return undefined
  }
}

/** Every place of a text that matches, and is not empty. For a hostile pattern it takes for ever. */
export const find = (text: string, pattern: RegExp, most = MAX_MATCHES): FindResult => {
  const found: Array<number> = []
  for (const { 0: match, index } of text.matchAll(pattern)) {
    if (match === "") continue
    if (found.length === 2 * most) return { ranges: Uint32Array.from(found), isTruncated: true }
    found.push(index, index + match.length)
  }
  return { ranges: Uint32Array.from(found), isTruncated: false }
}

/** Characters that mean something else in a pattern than themselves. */
export const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")

/** A letter with its accent may be one character or two. */
const spellings = (text: string): string =>
  Array.from(new Set([text, text.normalize("NFC"), text.normalize("NFD")]), escape).join("|")

/** Where a word begins or ends: not between two characters of one. */
const WORD = "[\\p{L}\\p{N}_$]"
const EDGE = `(?:(?<!${WORD})|(?!${WORD}))`
