/** Finds the lines that two versions of a text have in common, with the same result as git. */
import { diffArrays } from "diff"

/** Maximum time of a comparison in milliseconds, and the maximum number of removed and added lines. */
const limits = { timeout: 500, maxEditLength: 20_000 }

/** Maximum number of steps by which groups of added lines move. */
const MAX_STEPS = 1_000_000

/** Splits a text into lines, including the line feeds, so that a last line without a line feed differs, as in git. */
export const split = (text: string): ReadonlyArray<string> => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/**
 * Returns the index in `older` of each line of `newer`, or -1 for an added line. If the comparison takes too long, all
 * lines between the common start and end count as added.
 */
export const unchanged = (older: ReadonlyArray<string>, newer: ReadonlyArray<string>): Int32Array => {
  const found = new Int32Array(newer.length).fill(-1)
  const shorter = Math.min(older.length, newer.length)
  let start = 0
  while (start < shorter && older[start] === newer[start]) found[start] = start++
  let end = 0
  while (end < shorter - start && older.at(-1 - end) === newer.at(-1 - end)) {
    end++
    found[newer.length - end] = older.length - end
  }
  const parts = diffArrays(older.slice(start, older.length - end), newer.slice(start, newer.length - end), limits) ?? []
  let inOlder = start
  let inNewer = start
  for (const { added, count, removed } of parts) {
    if (!added && !removed) for (let index = 0; index < count; index++) found[inNewer + index] = inOlder + index
    if (!added) inOlder += count
    if (!removed) inNewer += count
  }
  slide(newer, found, older.length)
  return found
}

/**
 * Moves each group of added lines whose place is ambiguous, because the line after the group equals the group's first
 * line, to the last place that replaces lines of the older version, or else to the last possible place.
 */
const slide = (newer: ReadonlyArray<string>, found: Int32Array, older: number): void => {
  let steps = MAX_STEPS
  for (let start = newer.length - 1; start >= 0; start--) {
    if (found[start] !== -1) continue
    let end = start + 1
    while (start > 0 && found[start - 1] === -1) start--
    const size = () => end - start
    const up = () => {
      if (start === 0 || newer[start - 1] !== newer[end - 1] || steps-- <= 0) return false
      found[end - 1] = found[start - 1] ?? -1
      found[start - 1] = -1
      start--
      end--
      while (start > 0 && found[start - 1] === -1) start--
      return true
    }
    const down = () => {
      if (end >= newer.length || newer[start] !== newer[end] || steps-- <= 0) return false
      found[start] = found[end] ?? -1
      found[end] = -1
      start++
      end++
      while (end < newer.length && found[end] === -1) end++
      return true
    }
    for (let before = -1; before !== size();) {
      before = size()
      while (up());
      let replacing = isReplacing(found, start, end, older) ? end : -1
      while (down()) if (isReplacing(found, start, end, older)) replacing = end
      for (let back = replacing === -1 ? 0 : end - replacing; back > 0; back--) up()
    }
  }
}

/** True if the lines from `start` to `end` replace lines of the older version. */
const isReplacing = (found: Int32Array, start: number, end: number, older: number): boolean =>
  (end < found.length ? (found[end] ?? 0) : older) - (start === 0 ? -1 : (found[start - 1] ?? 0)) > 1
