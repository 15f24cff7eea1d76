/** Leaves out uninformative lines around matches, and finds the width that the remaining lines need. */
import type { Chunk, Line } from "./SearchResults.ts"

/**
 * Returns the chunk without the first and last lines that have neither a match nor a letter or digit: `{` or an end of
 * a comment.
 */
export const trim = ({ lines, ...chunk }: Chunk): Chunk => {
  const first = lines.findIndex(saysSomething)
  return { ...chunk, lines: first === -1 ? lines : lines.slice(first, lines.findLastIndex(saysSomething) + 1) }
}

/** Returns the chunks. Omits the enclosing line of a chunk if an earlier chunk already shows the line. */
export const withoutRepetition = (chunks: ReadonlyArray<Chunk>): ReadonlyArray<Chunk> => {
  const shown = new Set<number | undefined>()
  return chunks.map(({ enclosing, lines }) => {
    const isShown = enclosing === undefined || shown.has(enclosing.number)
    for (const { number } of lines) shown.add(number)
    if (enclosing !== undefined) shown.add(enclosing.number)
    return isShown ? { lines } : { enclosing, lines }
  })
}

const saysSomething = ({ matches, text }: Line): boolean => matches.length > 0 || /[\p{L}\p{N}_]/u.test(text)

/** Maximum number of characters of a line shown side by side. Longer lines scroll. */
const MAX_WIDTH = 110
const MIN_WIDTH = 40

/** Columns of a tab, as in the style sheet. */
const TAB = 4

/**
 * Returns the number of characters of the longest line with a match, with tabs, at most `MAX_WIDTH`. The other lines
 * are cut at the width of the column.
 */
export const width = (chunks: ReadonlyArray<Chunk>): number =>
  Math.min(
    MAX_WIDTH,
    chunks.reduce(
      (longest, { lines }) =>
        lines.reduce(
          (longest, { matches, text }) => (matches.length === 0 ? longest : Math.max(longest, lengthOf(text))),
          longest
        ),
      MIN_WIDTH
    )
  )

const lengthOf = (text: string): number =>
  text.length > MAX_WIDTH ? MAX_WIDTH : text.length + (TAB - 1) * (text.split("\t").length - 1)

// As in `styles/code.css`, in rem: a character, and the line number with the space at the end.
const CHARACTER = 0.52
const GUTTER = 5.25

/** Returns the width in rem in which no line of the chunks is cut. */
export const columnWidth = (chunks: ReadonlyArray<Chunk>): number => width(chunks) * CHARACTER + GUTTER

/** Returns the number of columns in which the chunks of a file fit side by side, at a width in rem. */
export const columns = (chunks: ReadonlyArray<Chunk>, available: number): number =>
  Math.max(1, Math.min(chunks.length, Math.floor(available / columnWidth(chunks))))
