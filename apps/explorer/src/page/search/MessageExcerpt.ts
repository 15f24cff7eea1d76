/** The part of a commit message that a list of results shows: the lines with matches, and the surrounding lines. */
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import * as TextLines from "../model/TextLines.ts"
import * as TextSegments from "../syntax/TextSegments.ts"

/** Maximum number of lines with matches. */
const MAX_LINES = 10

/** Number of lines before and after a line with a match. */
const CONTEXT = 1

export interface ExcerptLine {
  /** From 1, in the message. */
  readonly number: number
  readonly text: string
  /** In UTF-16 units of the line. */
  readonly matches: ReadonlyArray<TextRange>
  /** Whether lines are left out before this one, since the previous line of the excerpt or the start of the message. */
  readonly isAfterGap: boolean
}

/** The part of a message to show. */
export interface MessageExcerpt {
  readonly lines: ReadonlyArray<ExcerptLine>
  /** Whether the message continues after the last line. */
  readonly isCut: boolean
  /** Number of lines with matches that are left out. */
  readonly hidden: number
}

/** Returns the excerpt of a message. `matches` are ranges of the message, in UTF-16 units. */
export const make = (message: string, matches: ReadonlyArray<TextRange>): MessageExcerpt => {
  const all = TextLines.split(message).map(({ number, start, text }) => ({
    number,
    text,
    matches: TextSegments.clip(matches, start, start + text.length)
  }))
  const found = all.filter((line) => line.matches.length > 0)
  const shown = new Set<number>()
  for (const { number } of found.slice(0, MAX_LINES)) {
    for (let near = number - CONTEXT; near <= number + CONTEXT; near++) shown.add(near)
  }
  const lines = all
    .filter(({ number }) => shown.has(number))
    .map((line) => ({ ...line, isAfterGap: line.number > 1 && !shown.has(line.number - 1) }))
  const isCut = lines.at(-1)?.number !== all.length
  return { lines, isCut, hidden: found.filter(({ number }) => !shown.has(number)).length }
}
