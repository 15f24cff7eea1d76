/** Differences between two versions of a text by lines: a unified diff, and the merge of two edits of one text. */
import { diffArrays } from "diff"

/** Lines of the old text that lines of the new text replace. Indexes begin at 0, ends are exclusive. */
interface Change {
  readonly start: number
  readonly end: number
  readonly newStart: number
  readonly newEnd: number
}

/** Maximum time of a comparison in milliseconds, and the maximum number of removed and added lines. */
const limits = { timeout: 500, maxEditLength: 2_000 }

/** Number of unchanged lines around a change. */
const CONTEXT = 3

/** Splits a text into lines with their line feeds. */
const linesOf = (text: string): ReadonlyArray<string> => text.match(/[^\n]*\n|[^\n]+/g) ?? []

/** Returns the differences as hunks of a unified diff, without a file header. Empty for equal texts. */
export const patch = (before: string, after: string): string => {
  const [old, now] = [linesOf(before), linesOf(after)]
  const hunks: Array<Array<Change>> = []
  for (const change of changes(old, now)) {
    const last = hunks.at(-1)
    const end = last?.at(-1)?.end
    if (last !== undefined && end !== undefined && change.start - end <= 2 * CONTEXT) last.push(change)
    else hunks.push([change])
  }
  return hunks.map((hunk) => hunkOf(hunk, old, now)).join("")
}

const hunkOf = (hunk: ReadonlyArray<Change>, old: ReadonlyArray<string>, now: ReadonlyArray<string>): string => {
  const [first, last] = [hunk[0], hunk.at(-1)]
  if (first === undefined || last === undefined) return ""
  const above = Math.min(CONTEXT, first.start)
  const below = Math.min(CONTEXT, old.length - last.end)
  const start = first.start - above
  let at = start
  const body = hunk.flatMap((change) => {
    const context = old.slice(at, change.start)
    at = change.end
    return [
      ...signed(" ", context),
      ...signed("-", old.slice(change.start, change.end)),
      ...signed("+", now.slice(change.newStart, change.newEnd))
    ]
  })
  const from = range(start, last.end + below - start)
  const to = range(first.newStart - above, last.newEnd + below - first.newStart + above)
  return [`@@ -${from} +${to} @@\n`, ...body, ...signed(" ", old.slice(at, at + below))].join("")
}

/** Formats a range of a header. An empty range has the number of the line before it. */
const range = (start: number, count: number): string => `${count === 0 ? start : start + 1},${count}`

const signed = (sign: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line) => `${sign}${line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`}`)

/** The result of a merge. */
export interface Merge {
  readonly text: string
  /** Number of places that both edits changed, which have git's conflict markers. */
  readonly conflicts: number
}

/** Applies the edits that lead from `base` to `mine` and to `theirs`. `name` is the name of their version. */
export const merge = (base: string, mine: string, theirs: string, name: string): Merge => {
  const [old, left, right] = [linesOf(base), linesOf(mine), linesOf(theirs)]
  const [own, other] = [changes(old, left), changes(old, right)]
  const merged: Array<string> = []
  let [at, ownAt, otherAt, conflicts] = [0, 0, 0, 0]
  while (ownAt < own.length || otherAt < other.length) {
    const start = Math.min(own[ownAt]?.start ?? Infinity, other[otherAt]?.start ?? Infinity)
    let [end, ownEnd, otherEnd] = [start, ownAt, otherAt]
    for (let isExtended = true; isExtended;) {
      const next = [own[ownEnd], other[otherEnd]].map((change) => change !== undefined && change.start <= end)
      isExtended = next.includes(true)
      if (next[0] === true) end = Math.max(end, own[ownEnd++]?.end ?? end)
      if (next[1] === true) end = Math.max(end, other[otherEnd++]?.end ?? end)
    }
    merged.push(...old.slice(at, start))
    const ownLines = replaced(own.slice(ownAt, ownEnd), left, start, end)
    const otherLines = replaced(other.slice(otherAt, otherEnd), right, start, end)
    if (otherLines === undefined || (ownLines !== undefined && ownLines.join("") === otherLines.join("")))
      merged.push(...(ownLines ?? []))
    else if (ownLines === undefined) merged.push(...otherLines)
    else {
      conflicts++
      merged.push("<<<<<<< your edit\n", ...ended(ownLines), "=======\n", ...ended(otherLines), `>>>>>>> ${name}\n`)
    }
    at = end
    ownAt = ownEnd
    otherAt = otherEnd
  }
  return { text: [...merged, ...old.slice(at)].join(""), conflicts }
}

/** Returns the new lines in place of the old lines from `start` to `end`; undefined without a change. */
const replaced = (
  changes: ReadonlyArray<Change>,
  lines: ReadonlyArray<string>,
  start: number,
  end: number
): ReadonlyArray<string> | undefined => {
  const [first, last] = [changes[0], changes.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return lines.slice(first.newStart - (first.start - start), last.newEnd + end - last.end)
}

const ended = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line) => (line.endsWith("\n") ? line : `${line}\n`))

/** Returns the changes in order. If the comparison takes too long, all lines between the equal ends are one change. */
const changes = (old: ReadonlyArray<string>, now: ReadonlyArray<string>): ReadonlyArray<Change> => {
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let [end, newEnd] = [old.length, now.length]
  while (end > start && newEnd > start && old[end - 1] === now[newEnd - 1]) {
    end--
    newEnd--
  }
  if (start === end && start === newEnd) return []
  const parts = diffArrays(old.slice(start, end), now.slice(start, newEnd), limits)
  if (parts === undefined) return [{ start, end, newStart: start, newEnd }]
  const found: Array<Change> = []
  let [at, newAt] = [start, start]
  for (const { added, count, removed } of parts) {
    const [oldCount, newCount] = [added ? 0 : count, removed ? 0 : count]
    const last = found.at(-1)
    const isEqual = !added && !removed
    if (!isEqual && last !== undefined && last.end === at && last.newEnd === newAt)
      found[found.length - 1] = { ...last, end: at + oldCount, newEnd: newAt + newCount }
    else if (!isEqual) found.push({ start: at, end: at + oldCount, newStart: newAt, newEnd: newAt + newCount })
    at += oldCount
    newAt += newCount
  }
  return found
}
