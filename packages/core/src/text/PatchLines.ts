/** Reads unified diffs of one file: the lines of hunks, with line numbers. */

/**
 * `hunk` is the header of a hunk; `note` is any other line that belongs to no file, for example
 * `\ No newline at end of file`.
 */
export type Kind = "context" | "added" | "removed" | "hunk" | "note"

/** A line of a patch. */
export interface PatchLine {
  readonly kind: Kind
  /** Position of the line in the patch, and of the line feed. */
  readonly start: number
  readonly end: number
  /**
   * Number of the line in each version, from 1. Undefined if the version lacks the line, or if the header counts fewer
   * lines.
   */
  readonly oldNumber: number | undefined
  readonly newNumber: number | undefined
}

/** The header of a hunk. */
export interface HunkHeader {
  readonly oldStart: number
  readonly oldCount: number
  readonly newStart: number
  readonly newCount: number
  /** The enclosing declaration, which git prints after the line numbers. */
  readonly section: string
}

const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/s

/** Parses the header of a hunk. Undefined for an invalid header, and for the header of a merge. */
export const parseHeader = (line: string): HunkHeader | undefined => {
  const [, oldStart, oldCount = 1, newStart, newCount = 1, section = ""] = header.exec(line) ?? []
  return oldStart === undefined
    ? undefined
    : {
        oldStart: Number(oldStart),
        oldCount: Number(oldCount),
        newStart: Number(newStart),
        newCount: Number(newCount),
        section
      }
}

/** Returns the number of lines of a patch. */
export const count = (patch: string): number => {
  let count = patch === "" || patch.endsWith("\n") ? 0 : 1
  for (let at = patch.indexOf("\n"); at !== -1; at = patch.indexOf("\n", at + 1)) count++
  return count
}

/** Reads the lines of a patch in order. Never fails: unknown lines are notes. Without any header, all lines are a hunk. */
export const forEach = (patch: string, onLine: (line: PatchLine) => void): void => {
  let isInHunk = !/(?:^|\n)@@/.test(patch)
  let [oldNext, oldEnd, newNext, newEnd] = [0, 0, 0, 0]
  for (let start = 0; start < patch.length;) {
    const feed = patch.indexOf("\n", start)
    const end = feed === -1 ? patch.length : feed
    const kind = kindOf(patch, start, end, isInHunk)
    if (kind === "hunk") {
      isInHunk = true
      const header = parseHeader(patch.slice(start, end))
      oldNext = header?.oldStart ?? 0
      newNext = header?.newStart ?? 0
      oldEnd = oldNext + (header?.oldCount ?? 0)
      newEnd = newNext + (header?.newCount ?? 0)
    }
    const isOld = (kind === "context" || kind === "removed") && oldNext < oldEnd
    const isNew = (kind === "context" || kind === "added") && newNext < newEnd
    onLine({ kind, start, end, oldNumber: isOld ? oldNext++ : undefined, newNumber: isNew ? newNext++ : undefined })
    start = end + 1
  }
}

const kindOf = (patch: string, start: number, end: number, isInHunk: boolean): Kind => {
  if (patch.startsWith("@@", start)) return "hunk"
  if (!isInHunk) return "note"
  switch (start === end ? " " : patch[start]) {
    case " ":
    // Some tools remove the space of an empty line.
    case "\r":
      return "context"
    case "+":
      return "added"
    case "-":
      return "removed"
    default:
      return "note"
  }
}
