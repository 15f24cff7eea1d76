/** Parses a unified diff of one file. Keeps only positions and numbers of the lines, so that large diffs need little memory. */

/**
 * `hunk` is the header of a hunk; `note` is any other line that belongs to no file, for example
 * `\ No newline at end of file`.
 */
export type Kind = "context" | "added" | "removed" | "hunk" | "note"

/** A parsed diff. Indexes of lines begin at 0. */
export interface DiffPatch {
  readonly length: number
  /** The largest line number, for the width of the columns. */
  readonly maxNumber: number
  readonly kindAt: (index: number) => Kind
  /** Returns the text without its sign, and without its carriage return if all lines of the file have one. */
  readonly textAt: (index: number) => string
  /** Returns the line number before the change; undefined for added lines and without a valid hunk header. */
  readonly oldNumberAt: (index: number) => number | undefined
  /** Returns the line number after the change; undefined for removed lines and without a valid hunk header. */
  readonly newNumberAt: (index: number) => number | undefined
  /**
   * Returns the lines around `index` to highlight together: a hunk, or a part of a large one that begins at an
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
const CONTEXT = 0
const ADDED = 1
const REMOVED = 2
const HUNK = 3
const NOTE = 4

/** Lines after which a section ends at the next unindented line after an empty one, and those at which it always ends. */
const SECTION_LINES = 150
const MAX_SECTION_LINES = 300

const HUNK_HEADER = /^@@ -(\d{1,9})(?:,\d+)? \+(\d{1,9})(?:,\d+)? @@/

/** Returns the length of a parsed patch without parsing it. */
export const lineCount = (patch: string): number => {
  let count = patch === "" || patch.endsWith("\n") ? 0 : 1
  for (let at = patch.indexOf("\n"); at !== -1; at = patch.indexOf("\n", at + 1)) count++
  return count
}

/** Parses a patch: hunks without a file header. Never fails: lines that it does not know are notes. */
export const parse = (patch: string): DiffPatch => {
  const starts = lineStarts(patch)
  const length = starts.length - 1
  const codes = new Uint8Array(length)
  const oldNumbers = new Uint32Array(length)
  const newNumbers = new Uint32Array(length)
  const sections: Array<number> = []
  let inHunk = !/^@@/m.test(patch)
  let [oldNext, newNext] = [0, 0]
  let [returns, contents, maxNumber] = [0, 0, 0]
  for (let index = 0; index < length; index++) {
    const start = starts[index] ?? 0
    const end = (starts[index + 1] ?? 0) - 1
    const code = codeOf(patch, start, end, inHunk)
    codes[index] = code
    const isAfterEmpty = start - (starts[index - 1] ?? 0) <= 2
    const begun = index - (sections.at(-1) ?? 0)
    if (code === HUNK) {
      inHunk = true
      const numbers = HUNK_HEADER.exec(patch.slice(start, Math.min(end, start + 64)))
      oldNext = Number(numbers?.[1] ?? 0)
      newNext = Number(numbers?.[2] ?? 0)
      sections.push(index)
    } else if (
      sections.length === 0 ||
      begun >= MAX_SECTION_LINES ||
      (begun >= SECTION_LINES && isAfterEmpty && end > start + 1 && isUnindented(patch.charCodeAt(start + 1)))
    ) {
      sections.push(index)
    }
    if (code > REMOVED) continue
    contents++
    if (end > start && patch.charCodeAt(end - 1) === CARRIAGE_RETURN) returns++
    if (code !== ADDED && oldNext > 0) oldNumbers[index] = oldNext++
    if (code !== REMOVED && newNext > 0) newNumbers[index] = newNext++
    maxNumber = Math.max(maxNumber, oldNext - 1, newNext - 1)
  }
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

/** The position of each line, then the position after the last newline. */
const lineStarts = (patch: string): ReadonlyArray<number> => {
  if (patch === "") return [0]
  const starts = [0]
  for (let at = patch.indexOf("\n"); at !== -1; at = patch.indexOf("\n", at + 1)) starts.push(at + 1)
  if (!patch.endsWith("\n")) starts.push(patch.length + 1)
  return starts
}

const codeOf = (patch: string, start: number, end: number, inHunk: boolean): number => {
  if (patch.startsWith("@@", start)) return HUNK
  if (!inHunk) return NOTE
  switch (start === end ? " " : patch[start]) {
    case " ":
    // Some tools remove the space of an empty line.
    case "\r":
      return CONTEXT
    case "+":
      return ADDED
    case "-":
      return REMOVED
    default:
      return NOTE
  }
}

/** True for a character that begins a definition: not a space, a closing bracket or a part of a comment. */
const isUnindented = (code: number) => code > 0x20 && !"})]*".includes(String.fromCharCode(code))
