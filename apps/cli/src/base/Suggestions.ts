/** The known names that are nearest to an unknown one. */

/** Maximum number of suggestions. */
const MOST = 3

/**
 * Returns the names that begin with the word or nearly equal the word, nearest first. Singular and plural match:
 * `repo`, `repos` and `repository` are the beginning of `repositories`.
 */
export const of = (word: string, names: Iterable<string>): ReadonlyArray<string> => {
  const stem = word.replace(/(ies|y|s)$/, "")
  const rated = [...new Set(names)].flatMap((name) => {
    const isStart = stem.length >= 2 && name.startsWith(stem)
    const edits = distance(word, name)
    return isStart || edits <= Math.min(2, Math.ceil(word.length / 3)) ? [{ name, rank: isStart ? 0 : edits }] : []
  })
  const starts = rated.filter(({ rank }) => rank === 0)
  return (starts.length > 0 ? starts : rated)
    .toSorted((a, b) => a.rank - b.rank || a.name.length - b.name.length)
    .slice(0, MOST)
    .map(({ name }) => name)
}

/** Returns the number of characters to insert, delete or replace to make `b` from `a` (Levenshtein). */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (character === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
