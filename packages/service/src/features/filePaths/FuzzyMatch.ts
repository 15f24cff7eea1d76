/** Matches paths with a query, as in the file finders of editors: names first, then parts of paths, then letters. */
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"

/** The words of a query, in lower case. */
export type Words = ReadonlyArray<string>

/** Maximum length of a query, in UTF-16 code units. */
const MAX_LENGTH = 200

/** Splits a query into words. */
export const words = (query: string): Words =>
  query
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .split(/[\s\\]+/)
    .filter((word) => word !== "")

/** The path in lower case, with the same length, so that positions apply to both. */
const lower = (path: string): string => {
  const changed = path.toLowerCase()
  return changed.length === path.length ? changed : path
}

/** Returns a score, greater for a better match; undefined if a word does not match. */
export const score = (words: Words, path: string): number | undefined => {
  const text = lower(path)
  const start = text.lastIndexOf("/") + 1
  // Among equal matches the shortest path is the most likely.
  let total = -text.length / 10
  for (const word of words) {
    const points = scoreOf(word, text, start)
    if (points === undefined) return undefined
    total += points
  }
  return total
}

/** Returns the matching ranges of a path with a score, in order and without overlap. */
export const ranges = (words: Words, path: string): ReadonlyArray<TextRange> => {
  const text = lower(path)
  const start = text.lastIndexOf("/") + 1
  const positions = new Set<number>()
  for (const word of words) {
    const at = find(word, text, start)
    if (at >= 0) for (let offset = 0; offset < word.length; offset++) positions.add(at + offset)
    else for (const position of letters(word, text) ?? []) positions.add(position)
  }
  const merged: Array<[number, number]> = []
  for (const position of [...positions].toSorted((a, b) => a - b)) {
    const last = merged.at(-1)
    if (last?.[1] === position) last[1]++
    else merged.push([position, position + 1])
  }
  return merged
}

const scoreOf = (word: string, text: string, start: number): number | undefined => {
  const at = find(word, text, start)
  if (at < 0) {
    const found = letters(word, text)
    return found === undefined ? undefined : 300 - spread(found, text)
  }
  const end = at + word.length
  const inName = at >= start ? 300 : 0
  if (at === start && end === text.length) return 1_000
  if (at === start && text[end] === ".") return 900
  if (at === start || at === 0 || text[at - 1] === "/") return 500 + inName
  return (isBoundary(text, at) ? 450 : 400) + inName
}

/**
 * The position of a word: in the name of the file if possible, else the last position in the path; -1 without a match.
 */
const find = (word: string, text: string, start: number): number => {
  const inName = text.indexOf(word, start)
  return inName >= 0 ? inName : text.lastIndexOf(word)
}

/** The positions of the letters of a word, searched from the end, so that the name of the file comes first. */
const letters = (word: string, text: string): ReadonlyArray<number> | undefined => {
  const positions: Array<number> = []
  let at = text.length
  for (let index = word.length - 1; index >= 0; index--) {
    at = at === 0 ? -1 : text.lastIndexOf(word[index] ?? "", at - 1)
    if (at < 0) return undefined
    positions.push(at)
  }
  return positions.toReversed()
}

/** Returns a greater number for letters with gaps, except for gaps to the start of a word. */
const spread = (positions: ReadonlyArray<number>, text: string): number => {
  let sum = 0
  for (const [index, at] of positions.entries()) {
    const before = positions[index - 1]
    if (before !== undefined && at === before + 1) continue
    sum += isBoundary(text, at) ? 4 : 12
  }
  const first = positions[0] ?? 0
  return Math.min(290, sum + ((positions.at(-1) ?? first) - first) / 4)
}

const isBoundary = (text: string, at: number): boolean => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "")
