/** The patch of one file as data: hunks of lines with line numbers. */
import * as PatchLines from "@tongs/core/text/PatchLines"

/** A line of a diff. `old` and `new` are line numbers, from 1; undefined if that side lacks the line. */
export interface DiffLine {
  readonly kind: "context" | "added" | "removed"
  readonly text: string
  readonly old: number | undefined
  readonly new: number | undefined
  /** True for the last line of a file that does not end with a line feed. */
  readonly hasNoNewline: boolean
}

/** Consecutive lines of a diff. */
export interface Hunk {
  /** First line of each side. For a side without lines, the line after which the hunk is. */
  readonly oldStart: number
  readonly newStart: number
  /** The enclosing declaration that git prints after the line numbers. */
  readonly section: string
  readonly lines: ReadonlyArray<DiffLine>
}

/** Parses the hunks of a unified diff. Lines before the first hunk, and lines that no header counts, are ignored. */
export const parse = (patch: string): ReadonlyArray<Hunk> => {
  const hunks: Array<Hunk & { readonly lines: Array<DiffLine> }> = []
  PatchLines.forEach(patch, ({ end, kind, newNumber, oldNumber, start }) => {
    const lines = hunks.at(-1)?.lines
    if (kind === "hunk") {
      const header = PatchLines.parseHeader(patch.slice(start, end))
      if (header !== undefined) hunks.push({ ...header, lines: [] })
    } else if (kind === "note") {
      const last = patch[start] === "\\" ? lines?.pop() : undefined
      if (last !== undefined) lines?.push({ ...last, hasNoNewline: true })
    } else if (newNumber !== undefined || oldNumber !== undefined) {
      const text = patch.slice(start + 1, end)
      lines?.push({ kind, text, old: oldNumber, new: newNumber, hasNoNewline: false })
    }
  })
  return hunks.map((hunk) => ({ ...hunk, lines: withoutCarriageReturns(hunk.lines) }))
}

/** Hides the carriage returns of a hunk in which every line has one. A change of line endings stays visible. */
const withoutCarriageReturns = (lines: ReadonlyArray<DiffLine>): ReadonlyArray<DiffLine> =>
  lines.every(({ text }) => text.endsWith("\r"))
    ? lines.map((line) => ({ ...line, text: line.text.slice(0, -1) }))
    : lines

/**
 * Unchanged lines that a diff does not show. Numbers of the new file; `last` is undefined up to the end of the file.
 */
export interface Gap {
  /** The index of the hunk after the gap, or the count of hunks for the end of the file. */
  readonly index: number
  readonly first: number
  readonly last: number | undefined
}

/** The gaps between hunks, in order. `lineCount` is the length of the new file, if known. */
export const gaps = (hunks: ReadonlyArray<Hunk>, lineCount?: number): ReadonlyArray<Gap> => {
  const found: Array<Gap> = []
  let next = 1
  for (const [index, hunk] of hunks.entries()) {
    const first = firstNew(hunk)
    if (first > next) found.push({ index, first: next, last: first - 1 })
    next = endNew(hunk)
  }
  const last = hunks.at(-1)
  const reachesEnd = last === undefined || endsFile(last) || isWholeFile(hunks)
  if (!reachesEnd && (lineCount === undefined || next <= lineCount)) {
    found.push({ index: hunks.length, first: next, last: lineCount })
  }
  return found
}

/** Number of unchanged lines that git prints after a change. */
const CONTEXT = 3

/** True if a hunk has the last line of the file. Git prints less context than usual only there. */
const endsFile = ({ lines }: Hunk): boolean =>
  lines.at(-1)?.hasNoNewline === true || lines.slice(-CONTEXT).some(({ kind }) => kind !== "context")

/** True for an added or removed file: the diff contains all lines. */
const isWholeFile = (hunks: ReadonlyArray<Hunk>): boolean =>
  hunks.some(({ newStart, oldStart }) => newStart === 0 || oldStart === 0)

/** The first line of the new file that a hunk covers, or would cover. */
const firstNew = ({ lines, newStart }: Hunk): number =>
  lines.some(({ new: line }) => line !== undefined) ? newStart : newStart + 1

const firstOld = ({ lines, oldStart }: Hunk): number =>
  lines.some(({ old }) => old !== undefined) ? oldStart : oldStart + 1

/** The line of the new file after a hunk. */
const endNew = (hunk: Hunk): number => firstNew(hunk) + hunk.lines.filter(({ new: line }) => line !== undefined).length

const endOld = (hunk: Hunk): number => firstOld(hunk) + hunk.lines.filter(({ old }) => old !== undefined).length

/** The lines of a gap to show: from the start, from the end, or all. */
export type Expansion = "start" | "end" | "all"

/** Number of lines that one expansion shows. */
export const EXPANDED_LINES = 20

/** Adds lines of a gap as context to the adjacent hunks. `file` has the lines of the new file. */
export const expand = (
  hunks: ReadonlyArray<Hunk>,
  file: ReadonlyArray<string>,
  gap: Gap,
  expansion: Expansion
): ReadonlyArray<Hunk> => {
  const last = Math.min(gap.last ?? file.length, file.length)
  const size = expansion === "all" ? last - gap.first + 1 : EXPANDED_LINES
  const from = expansion === "end" ? Math.max(gap.first, last - size + 1) : gap.first
  const to = expansion === "end" ? last : Math.min(last, gap.first + size - 1)
  const before = hunks[gap.index - 1]
  const after = hunks[gap.index]
  // Both sides have the same lines here, so the line numbers differ by a constant.
  const shift =
    before !== undefined ? endOld(before) - endNew(before) : after === undefined ? 0 : firstOld(after) - firstNew(after)
  const added = file.slice(from - 1, to).map((text, index): DiffLine => ({
    kind: "context",
    text: text.endsWith("\r") ? text.slice(0, -1) : text,
    old: from + index + shift,
    new: from + index,
    hasNoNewline: false
  }))
  const joinsBefore = before !== undefined && from === gap.first
  const joinsAfter = after !== undefined && to === gap.last
  const hunk: Hunk = {
    oldStart: joinsBefore && before !== undefined ? firstOld(before) : from + shift,
    newStart: joinsBefore && before !== undefined ? firstNew(before) : from,
    section: joinsBefore && before !== undefined ? before.section : "",
    lines: [...(joinsBefore ? before.lines : []), ...added, ...(joinsAfter ? after.lines : [])]
  }
  return [
    ...hunks.slice(0, joinsBefore ? gap.index - 1 : gap.index),
    hunk,
    ...hunks.slice(joinsAfter ? gap.index + 1 : gap.index)
  ]
}
