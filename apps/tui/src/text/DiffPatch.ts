/**
 * A unified diff of one file. Keeps only positions and numbers of the lines, so that large diffs need little memory.
 */
import * as PatchLines from "@tongs/core/text/PatchLines"

export type Kind = PatchLines.Kind

/** A parsed diff. Indexes of lines begin at 0. */
export interface DiffPatch {
  readonly length: number
  /** The largest line number, for the width of the columns. */
  readonly maxNumber: number
  readonly kindAt: (index: number) => Kind
  /** Returns the text without the sign, and without the carriage return if all lines of the file have one. */
  readonly textAt: (index: number) => string
  /**
   * Returns the line number before the change; undefined for added lines, and for lines that no valid header counts.
   */
  readonly oldNumberAt: (index: number) => number | undefined
  /**
   * Returns the line number after the change; undefined for removed lines, and for lines that no valid header counts.
   */
  readonly newNumberAt: (index: number) => number | undefined
  /**
   * Returns the lines around `index` to highlight together: a hunk, or a part of a large hunk that begins at an
   * unindented line.
   */
  readonly sectionAt: (index: number) => LineRange
}

/** The lines from `start` up to, but without, `end`. */
export interface LineRange {
  readonly start: number
  readonly end: number
}

const kinds: ReadonlyArray<Kind> = ["context", "added", "removed", "hunk", "note"]
const REMOVED = 2
const HUNK = 3
const NOTE = 4

/**
 * Number of lines after which a section ends at the next unindented line after an empty line, and maximum number of
 * lines of a section.
 */
const SECTION_LINES = 150
const MAX_SECTION_LINES = 300

/** Parses a patch: hunks without a file header. Never fails: unknown lines are notes. */
export const parse = (patch: string): DiffPatch => {
  const length = PatchLines.count(patch)
  const starts = new Uint32Array(length + 1)
  const codes = new Uint8Array(length)
  const oldNumbers = new Uint32Array(length)
  const newNumbers = new Uint32Array(length)
  const sections: Array<number> = []
  let [index, returns, contents, maxNumber] = [0, 0, 0, 0]
  PatchLines.forEach(patch, ({ end, kind, newNumber = 0, oldNumber = 0, start }) => {
    const code = kinds.indexOf(kind)
    codes[index] = code
    starts[index] = start
    starts[index + 1] = end + 1
    oldNumbers[index] = oldNumber
    newNumbers[index] = newNumber
    maxNumber = Math.max(maxNumber, oldNumber, newNumber)
    const isAfterEmpty = start - (starts[index - 1] ?? 0) <= 2
    const begun = index - (sections.at(-1) ?? 0)
    if (
      code === HUNK ||
      sections.length === 0 ||
      begun >= MAX_SECTION_LINES ||
      (begun >= SECTION_LINES && isAfterEmpty && end > start + 1 && isUnindented(patch.charCodeAt(start + 1)))
    ) {
      sections.push(index)
    }
    index++
    if (code > REMOVED) return
    contents++
    if (end > start && patch.charCodeAt(end - 1) === CARRIAGE_RETURN) returns++
  })
  const hasReturns = contents > 0 && returns === contents
  const kindAt = (index: number): Kind => kinds[codes[index] ?? NOTE] ?? "note"
  return {
    length,
    maxNumber,
    kindAt,
    textAt: (index) => {
      const start = starts[index] ?? 0
      const end = (starts[index + 1] ?? start + 1) - 1
      const isContent = (codes[index] ?? NOTE) <= REMOVED
      return patch.slice(isContent ? Math.min(end, start + 1) : start, isContent && hasReturns ? end - 1 : end)
    },
    oldNumberAt: (index) => oldNumbers[index] || undefined,
    newNumberAt: (index) => newNumbers[index] || undefined,
    sectionAt: (index) => {
      let low = 0
      for (let high = sections.length; high - low > 1;) {
        const middle = (low + high) >> 1
        if ((sections[middle] ?? 0) <= index) low = middle
        else high = middle
      }
      return { start: sections[low] ?? 0, end: sections[low + 1] ?? length }
    }
  }
}

const CARRIAGE_RETURN = 0x0d

/** True for a character that begins a definition: not a space, a closing bracket or a part of a comment. */
const isUnindented = (code: number) => code > 0x20 && !"})]*".includes(String.fromCharCode(code))
