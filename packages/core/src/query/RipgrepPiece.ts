/** The parts of a translated sequence, for the parser of `RipgrepPattern`. */

/** A part of a sequence, with the case sensitivity that the pattern sets. */
export interface Piece {
  readonly source: string
  readonly insensitive: boolean | undefined
  /** True if a quantifier can follow the source directly. */
  readonly isAtom: boolean
  /** True if each match starts, and ends, with a character of a word. */
  readonly startsWord: boolean
  readonly endsWord: boolean
  /** Shorter sources of a word boundary: before and after a character of a word. */
  readonly boundary?: { readonly before: string; readonly after: string }
}

/** The source of a group, and whether all branches start and end with characters of words. */
export type Branches = Omit<Piece, "insensitive" | "boundary" | "isAtom">

/** Joins the pieces of a sequence. Uses the shorter sources of word boundaries if the neighbors allow. */
export const join = (pieces: ReadonlyArray<Piece>): Branches => ({
  source: joinSources(
    pieces.map((piece, at) => ({ ...piece, source: shortest(piece, pieces[at - 1], pieces[at + 1]) }))
  ),
  startsWord: pieces[0]?.startsWord === true,
  endsWord: pieces.at(-1)?.endsWord === true
})

/** Returns the source of a piece, shorter for a word boundary beside a character of a word. */
const shortest = ({ boundary, source }: Piece, before: Piece | undefined, after: Piece | undefined): string => {
  if (boundary === undefined) return source
  return after?.startsWord === true ? boundary.before : before?.endsWord === true ? boundary.after : source
}

/** Joins pieces, with flags for the pieces whose case sensitivity the pattern sets. */
const joinSources = (pieces: ReadonlyArray<Piece>): string => {
  let source = ""
  for (let at = 0; at < pieces.length;) {
    const insensitive = pieces[at]?.insensitive
    const from = at
    while (at < pieces.length && pieces[at]?.insensitive === insensitive) at++
    const run = pieces
      .slice(from, at)
      .map((piece) => piece.source)
      .join("")
    source += insensitive === undefined ? run : `(?${insensitive ? "i" : "-i"}:${run})`
  }
  return source
}
