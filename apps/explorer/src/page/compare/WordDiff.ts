/** The words that differ between the old and the new version of a line. */
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"

/** The changed ranges of both versions, in UTF-16 units. */
export interface WordChanges {
  readonly old: ReadonlyArray<TextRange>
  readonly new: ReadonlyArray<TextRange>
}

const none: WordChanges = { old: [], new: [] }

/** Words above which only the common start and end of the lines are found. */
const MAX_WORDS = 300

/** Share of a line that must be unchanged. With less, the lines have too little in common for marks to help. */
const MIN_COMMON = 0.3

const word = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu

/** Compares two versions of a line. Gives no ranges for lines with little in common. */
export const compare = (oldText: string, newText: string): WordChanges => {
  const a = oldText.match(word) ?? []
  const b = newText.match(word) ?? []
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const middleA = a.slice(start, a.length - end)
  const middleB = b.slice(start, b.length - end)
  const [keepsA, keepsB] =
    middleA.length > MAX_WORDS || middleB.length > MAX_WORDS ? [[], []] : common(middleA, middleB)
  const old = changed(a, start, a.length - end, keepsA)
  const next = changed(b, start, b.length - end, keepsB)
  const share = (text: string, ranges: ReadonlyArray<TextRange>) =>
    (text.trim().length - ranges.reduce((sum, [from, to]) => sum + to - from, 0)) / Math.max(1, text.trim().length)
  return Math.max(share(oldText, old), share(newText, next)) < MIN_COMMON ? none : { old, new: next }
}

/** Which words of each side are in a longest common subsequence. */
const common = (
  a: ReadonlyArray<string>,
  b: ReadonlyArray<string>
): readonly [ReadonlyArray<boolean>, ReadonlyArray<boolean>] => {
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
    }
  }
  const keepsA = a.map(() => false)
  const keepsB = b.map(() => false)
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      keepsA[i++] = true
      keepsB[j++] = true
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++
    else j++
  }
  return [keepsA, keepsB]
}

/** The ranges of the words from `start` to `end` that are not kept. A single space between two of them is included. */
const changed = (
  words: ReadonlyArray<string>,
  start: number,
  end: number,
  keeps: ReadonlyArray<boolean>
): ReadonlyArray<TextRange> => {
  const ranges: Array<[number, number]> = []
  let offset = 0
  for (const [index, text] of words.entries()) {
    if (index >= start && index < end && keeps[index - start] !== true) {
      const last = ranges.at(-1)
      if (last !== undefined && (last[1] === offset || isBetweenChanges(words, index, offset - last[1]))) {
        last[1] = offset + text.length
      } else ranges.push([offset, offset + text.length])
    }
    offset += text.length
  }
  return ranges
}

const isBetweenChanges = (words: ReadonlyArray<string>, index: number, distance: number): boolean =>
  distance === 1 && words[index - 1] === " "
