/** Finds the changed words in changed lines: pairs removed lines with similar added lines, then compares the words. */

/** A range of a text in UTF-16 units. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** The changed ranges of each removed and each added line; no ranges for a line without a similar line. */
export interface WordChanges {
  readonly removed: ReadonlyArray<ReadonlyArray<TextRange>>
  readonly added: ReadonlyArray<ReadonlyArray<TextRange>>
}

/** Maximum words of a line to compare. */
export const MAX_WORDS = 500

/** Maximum UTF-16 units of a line to compare. */
const MAX_LINE_LENGTH = 4_000

/** Maximum removed or added lines of a block to compare. */
export const MAX_LINES = 500

/** Maximum words of a block to compare. Comparing that many words takes some 20 ms. */
export const MAX_BLOCK_WORDS = 20_000

/** Share of equal text from which two lines are versions of one line. */
const MIN_SIMILARITY = 0.4

/** Maximum distance of two paired lines, beside the difference in the sizes of both sides. */
const BAND = 12

interface Words {
  readonly all: ReadonlyArray<string>
  /** The length of each word, multiplied by the number of occurrences. Without white space. */
  readonly weights: ReadonlyMap<string, number>
  readonly weight: number
}

const word = /[\p{L}\p{N}_]+|\s+|[^]/gu

const wordsOf = (text: string): Words | undefined => {
  if (text.length > MAX_LINE_LENGTH) return undefined
  const all = text.match(word) ?? []
  if (all.length > MAX_WORDS) return undefined
  const weights = new Map<string, number>()
  let weight = 0
  for (const word of all) {
    if (/^\s/.test(word)) continue
    weights.set(word, (weights.get(word) ?? 0) + word.length)
    weight += word.length
  }
  return weight === 0 ? undefined : { all, weights, weight }
}

/** A diff whose lines are read by index, from 0. */
export interface Lines {
  readonly length: number
  readonly kindAt: (index: number) => string
}

/** Removed lines from `start` to `middle`, replaced by the added lines from `added` to `end`. */
export interface Block {
  readonly start: number
  readonly middle: number
  readonly added: number
  readonly end: number
}

/** Finds the block that contains a removed or added line; undefined if only one side has lines, or if the block is too long. */
export const blockAt = ({ kindAt, length }: Lines, index: number): Block | undefined => {
  const is = (kind: string, at: number) => at >= 0 && at < length && kindAt(at) === kind
  const limit = 2 * MAX_LINES + 1
  let start = index
  if (is("added", index)) {
    while (is("added", start - 1) && index - start <= limit) start--
    // `\ No newline at end of file` may be between the removed and the added lines.
    if (is("note", start - 1)) start--
  }
  while (is("removed", start - 1) && index - start <= limit) start--
  let middle = start
  while (is("removed", middle) && middle - start <= limit) middle++
  const added = is("note", middle) ? middle + 1 : middle
  let end = added
  while (is("added", end) && end - start <= limit) end++
  return start === middle || added === end || end - start > limit ? undefined : { start, middle, added, end }
}

/** Compares the removed and the added lines of a block. */
export const compare = (removed: ReadonlyArray<string>, added: ReadonlyArray<string>): WordChanges => {
  const changes = {
    removed: removed.map((): ReadonlyArray<TextRange> => []),
    added: added.map((): ReadonlyArray<TextRange> => [])
  }
  if (removed.length > MAX_LINES || added.length > MAX_LINES) return changes
  const before = removed.map(wordsOf)
  const after = added.map(wordsOf)
  const count = [...before, ...after].reduce((sum, words) => sum + (words?.all.length ?? 0), 0)
  if (count > MAX_BLOCK_WORDS) return changes
  for (const [from, to] of pairs(before, after)) {
    const [left, right] = [before[from], after[to]]
    if (left === undefined || right === undefined) continue
    const kept = commonWords(left.all, right.all)
    const weight = left.all.reduce(
      (sum, word, at) => (kept.left[at] === 1 && word.trim() !== "" ? sum + word.length : sum),
      0
    )
    if ((2 * weight) / (left.weight + right.weight) < MIN_SIMILARITY) continue
    changes.removed[from] = ranges(left.all, kept.left).map((range) => withoutSpace(removed[from] ?? "", range))
    changes.added[to] = ranges(right.all, kept.right).map((range) => withoutSpace(added[to] ?? "", range))
  }
  return changes
}

/** Pairs lines in order, so that the sum of the similarities is the largest. */
const pairs = (
  before: ReadonlyArray<Words | undefined>,
  after: ReadonlyArray<Words | undefined>
): ReadonlyArray<readonly [number, number]> => {
  const columns = after.length + 1
  const scores = new Float32Array((before.length + 1) * columns)
  const paired = new Uint8Array(scores.length)
  const band = BAND + Math.abs(before.length - after.length)
  for (const [from, left] of before.entries()) {
    for (const [to, right] of after.entries()) {
      const at = (from + 1) * columns + to + 1
      const other = Math.max(scores[at - 1] ?? 0, scores[at - columns] ?? 0)
      const score = Math.abs(from - to) > band ? 0 : similarity(left, right)
      // A similar pair scores more than two barely similar pairs.
      const own = score < MIN_SIMILARITY ? 0 : (scores[at - columns - 1] ?? 0) + score - MIN_SIMILARITY / 2
      scores[at] = Math.max(own, other)
      paired[at] = own > other ? 1 : 0
    }
  }
  const found: Array<readonly [number, number]> = []
  for (let from = before.length, to = after.length; from > 0 && to > 0;) {
    const at = from * columns + to
    if (paired[at] === 1) found.push([--from, --to])
    else if ((scores[at - columns] ?? 0) >= (scores[at - 1] ?? 0)) from--
    else to--
  }
  return found.reverse()
}

/** The share of equal words in two lines, from 0 to 1, in any order. */
const similarity = (left: Words | undefined, right: Words | undefined): number => {
  if (left === undefined || right === undefined) return 0
  const sum = left.weight + right.weight
  if (2 * Math.min(left.weight, right.weight) < MIN_SIMILARITY * sum) return 0
  let equal = 0
  for (const [word, weight] of left.weights) equal += Math.min(weight, right.weights.get(word) ?? 0)
  return (2 * equal) / sum
}

/** Marks the words of a longest common subsequence with 1. */
const commonWords = (left: ReadonlyArray<string>, right: ReadonlyArray<string>) => {
  const kept = { left: new Uint8Array(left.length), right: new Uint8Array(right.length) }
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) {
    kept.left[start] = kept.right[start] = 1
    start++
  }
  let [leftEnd, rightEnd] = [left.length, right.length]
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1])
    kept.left[--leftEnd] = kept.right[--rightEnd] = 1
  const columns = rightEnd - start + 1
  const lengths = new Uint16Array((leftEnd - start + 1) * columns)
  for (let from = leftEnd - 1; from >= start; from--) {
    for (let to = rightEnd - 1; to >= start; to--) {
      const at = (from - start) * columns + to - start
      lengths[at] =
        left[from] === right[to]
          ? (lengths[at + columns + 1] ?? 0) + 1
          : Math.max(lengths[at + columns] ?? 0, lengths[at + 1] ?? 0)
    }
  }
  for (let from = start, to = start; from < leftEnd && to < rightEnd;) {
    const at = (from - start) * columns + to - start
    if (left[from] === right[to]) kept.left[from++] = kept.right[to++] = 1
    else if ((lengths[at + columns] ?? 0) >= (lengths[at + 1] ?? 0)) from++
    else to++
  }
  return kept
}

/** The ranges of changed words. Joins ranges that only white space separates. */
const ranges = (words: ReadonlyArray<string>, kept: Uint8Array): ReadonlyArray<TextRange> => {
  const found: Array<TextRange> = []
  let position = 0
  let isJoined = false
  for (const [index, word] of words.entries()) {
    const end = position + word.length
    if (kept[index] === 0) {
      const last = found.at(-1)
      if (last !== undefined && isJoined) found[found.length - 1] = { start: last.start, end }
      else found.push({ start: position, end })
      isJoined = true
    } else if (word.trim() !== "") isJoined = false
    position = end
  }
  return found
}

/** Shrinks a range to the words inside, because a mark can be an underline. Keeps a range that is only white space. */
const withoutSpace = (text: string, { end, start }: TextRange): TextRange => {
  const marked = text.slice(start, end)
  const words = marked.trim()
  if (words === "") return { start, end }
  const from = start + marked.indexOf(words)
  return { start: from, end: from + words.length }
}
