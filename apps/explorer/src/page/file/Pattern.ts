/** What somebody looks for in a file, and where it stands. */
import type * as Ranges from "./Ranges.ts"

export interface Query {
  readonly text: string
  readonly matchesCase: boolean
  readonly isWhole: boolean
  /** A regular expression. */
  readonly isPattern: boolean
}

export interface Found {
  readonly ranges: Ranges.Ranges
  /** There are more than these. */
  readonly more: boolean
}

/** Matches that are found at most. */
const MOST = 1_000_000

/** Undefined for what is no regular expression. It costs nothing: only using it may. */
export const compile = ({ isPattern, isWhole, matchesCase, text }: Query): RegExp | undefined => {
  const flags = `gmu${matchesCase ? "" : "i"}`
  try {
    // On its own, for in what follows parts of it could close and open again.
    const alone = isPattern ? new RegExp(text, flags).source : spellings(text)
    return isWhole ? new RegExp(`${EDGE}(?:${alone})${EDGE}`, flags) : new RegExp(alone, flags)
  } catch {
    return undefined
  }
}

/** Every place of a text that matches, and is not empty. For a hostile pattern it takes for ever. */
export const find = (text: string, pattern: RegExp, most = MOST): Found => {
  const found: Array<number> = []
  for (const { 0: match, index } of text.matchAll(pattern)) {
    if (match === "") continue
    if (found.length === 2 * most) return { ranges: Uint32Array.from(found), more: true }
    found.push(index, index + match.length)
  }
  return { ranges: Uint32Array.from(found), more: false }
}

/** Characters that mean something else in a pattern than themselves. */
export const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")

/** A letter with its accent may be one character or two. */
const spellings = (text: string): string =>
  Array.from(new Set([text, text.normalize("NFC"), text.normalize("NFD")]), escape).join("|")

/** Where a word begins or ends: not between two characters of one. */
const WORD = "[\\p{L}\\p{N}_$]"
const EDGE = `(?:(?<!${WORD})|(?!${WORD}))`
