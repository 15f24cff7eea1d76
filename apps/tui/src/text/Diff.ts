/**
 * Diffs of files as styled lines: line numbers, signs, backgrounds, changed words and syntax. Lines are formatted only
 * for display, because a diff can have hundreds of thousands of lines.
 */
import * as WordDiff from "@tongs/core/text/WordDiff"
import * as Identifier from "@tongs/syntax/Identifier"
import type { SyntaxHighlighter } from "@tongs/syntax/SyntaxHighlighter"
import * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"
import type { DiffPatch, Kind, LineRange } from "./DiffPatch.ts"
import * as StyledLine from "./StyledLine.ts"
import type { Background, Line, Role } from "./StyledLine.ts"
import * as Syntax from "./Syntax.ts"
import * as SyntaxLine from "./SyntaxLine.ts"

export interface DiffLine {
  readonly kind: Kind
  /** The line number before the change. */
  readonly oldNumber?: number
  /** The line number after the change. */
  readonly newNumber?: number
  /** The text without the sign, as the forge sent it. */
  readonly text: string
  /** The changed words of an added or removed line that has a similar counterpart. */
  readonly changes: ReadonlyArray<WordDiff.TextRange>
}

/** A line of a diff for a screen that scrolls the text sideways, but not the numbers. */
export interface DiffRow {
  /** The line numbers and the sign. */
  readonly gutter: Line
  readonly line: Line
  /** The background of the whole row. */
  readonly background?: Background
}

/** A diff whose lines are formatted only for display. Indexes begin at 0. */
export interface Diff {
  readonly length: number
  /** Returns a line, exactly `columns` wide. `left` columns of the text, but not of the numbers, are scrolled off. */
  readonly lineAt: (index: number, columns: number, left?: number) => Line
  /**
   * Returns a line that is not fitted to a width, with a marked name. `columns` decides the number of columns of line
   * numbers.
   */
  readonly rowAt: (index: number, columns: number, marked?: Identifier.Identifier) => DiffRow
  /** Returns the names in an added, removed or unchanged line, and none in other lines. */
  readonly namesAt: (index: number) => ReadonlyArray<Identifier.Identifier>
  readonly numbersAt: (index: number) => Pick<DiffLine, "oldNumber" | "newNumber">
  readonly detailsAt: (index: number) => DiffLine
}

/** Columns below which a diff has one column of line numbers instead of two. */
const NARROW = 70

/**
 * Maximum number of cached sections with tokens, and of cached blocks of changes with words: more than one screen
 * shows.
 */
const CACHE_SIZE = 64

/** UTF-16 units of a line to format for sideways scrolling. */
const MAX_ROW_UNITS = 5_000

/** Maximum number of UTF-16 units of one visible column, as in emoji with joiners. */
const UNITS_PER_COLUMN = 12

const styles: Readonly<Record<Kind, { readonly sign: string; readonly role: Role; readonly line?: Background }>> = {
  context: { sign: " ", role: "plain" },
  added: { sign: "+", role: "added", line: "addedLine" },
  removed: { sign: "-", role: "removed", line: "removedLine" },
  hunk: { sign: "", role: "hunk" },
  note: { sign: "", role: "muted" }
}

/**
 * Creates a diff from a parsed patch. Without a highlighter, the text of an added or removed line has the role of the
 * line.
 */
export const make = (patch: DiffPatch, highlighter?: SyntaxHighlighter): Diff => {
  const digits = Math.max(2, String(patch.maxNumber).length)
  const changesOf = changes(patch)
  const tokensOf = highlighter === undefined ? () => undefined : tokens(patch, highlighter)

  const numbersAt: Diff["numbersAt"] = (index) => {
    const oldNumber = patch.oldNumberAt(index)
    const newNumber = patch.newNumberAt(index)
    return { ...(oldNumber !== undefined && { oldNumber }), ...(newNumber !== undefined && { newNumber }) }
  }

  /** True if all lines are added, or all removed, so that one column of numbers is enough. */
  let isOneSided: boolean | undefined
  const hasOneSide = () => {
    isOneSided ??= oneSided(patch)
    return isOneSided
  }

  const gutter = (index: number, columns: number): string => {
    const { newNumber, oldNumber } = numbersAt(index)
    const shown = columns < NARROW || hasOneSide() ? [newNumber ?? oldNumber] : [oldNumber, newNumber]
    return shown.map((number) => `${String(number ?? "").padStart(digits)} `).join("")
  }

  const content = (index: number, units: number, marked?: Identifier.Identifier): Line => {
    const kind = patch.kindAt(index)
    const text = patch.textAt(index)
    const shown = text.length > units ? text.slice(0, units) : text
    if (kind === "hunk") return hunk(shown, highlighter)
    const { role } = styles[kind]
    if (kind === "note") return StyledLine.line(shown.replace(/^\\ /, ""), role)
    const background: Background = kind === "added" ? "addedWord" : "removedWord"
    return SyntaxLine.make(shown, {
      tokens: tokensOf(index),
      marks: withName(
        changesOf(index).map((range) => ({ ...range, background })),
        marked
      ),
      role: highlighter === undefined ? role : "plain"
    })
  }

  const head = (index: number, columns: number): Line => {
    const { role, sign } = styles[patch.kindAt(index)]
    return [
      { text: gutter(index, columns), role: "muted" },
      { text: sign, role }
    ]
  }

  return {
    length: patch.length,
    numbersAt,
    rowAt: (index, columns, marked) => {
      const { line: background } = styles[patch.kindAt(index)]
      return {
        gutter: head(index, columns),
        line: content(index, MAX_ROW_UNITS, marked),
        ...(background === undefined ? {} : { background })
      }
    },
    namesAt: (index) => {
      if (["hunk", "note"].includes(patch.kindAt(index))) return []
      const { offset, tokens } = tokensOf(index) ?? { offset: 0, tokens: SyntaxTokens.empty }
      return Identifier.inLine(patch.textAt(index).slice(0, MAX_ROW_UNITS), tokens, offset)
    },
    lineAt: (index, columns, left = 0) => {
      const { line } = styles[patch.kindAt(index)]
      const numbers = head(index, columns)
      const room = Math.max(0, columns - StyledLine.width(numbers))
      const text = StyledLine.dropColumns(content(index, (left + room + 1) * UNITS_PER_COLUMN), left)
      const whole = StyledLine.fit([...numbers, ...StyledLine.fit(text, room)], columns)
      return line === undefined ? whole : StyledLine.withBackground(whole, line)
    },
    detailsAt: (index) => ({
      kind: patch.kindAt(index),
      ...numbersAt(index),
      text: patch.textAt(index),
      changes: changesOf(index)
    })
  }
}

/** Marks a name, also inside of changed words. */
const withName = (
  changes: ReadonlyArray<SyntaxLine.Mark>,
  name: Identifier.Identifier | undefined
): ReadonlyArray<SyntaxLine.Mark> => {
  if (name === undefined) return changes
  const { end, start } = name
  const before = changes.map((change) => ({ ...change, end: Math.min(change.end, start) }))
  const after = changes.map((change) => ({ ...change, start: Math.max(change.start, end) }))
  return [...before, { start, end, background: "name" } as const, ...after].filter(({ end, start }) => start < end) // a literal type
}

const oneSided = (patch: DiffPatch): boolean => {
  let side: Kind | undefined
  for (let index = 0; index < patch.length; index++) {
    const kind = patch.kindAt(index)
    if (kind === "hunk" || kind === "note") continue
    if (kind === "context" || (side !== undefined && kind !== side)) return false
    side = kind
  }
  return side !== undefined
}

/** Formats all lines. For large diffs use `make`. */
export const lines = (
  patch: DiffPatch,
  options: { readonly columns: number; readonly highlighter?: SyntaxHighlighter }
): ReadonlyArray<Line> => {
  const diff = make(patch, options.highlighter)
  return Array.from({ length: diff.length }, (_, index) => diff.lineAt(index, options.columns))
}

/** The header of a hunk: the position, and the enclosing definition. */
const hunk = (text: string, highlighter: SyntaxHighlighter | undefined): Line => {
  const position = /^(@@+)[^@]*\1/.exec(text)?.[0] ?? text
  const context = text.slice(position.length)
  const tokens = highlighter === undefined ? undefined : Syntax.tokensNow(highlighter, context)
  return [
    StyledLine.span(position, "hunk"),
    ...SyntaxLine.make(context, { tokens: tokens && { tokens, offset: 0 }, role: tokens ? "plain" : "muted" })
  ]
}

/** Caches the last `CACHE_SIZE` results by first line. */
const cached = <A>(compute: (range: LineRange) => A) => {
  const results = new Map<number, A>()
  return (range: LineRange): A => {
    const known = results.get(range.start)
    const result = known ?? compute(range)
    results.delete(range.start)
    results.set(range.start, result)
    for (const start of results.keys()) {
      if (results.size <= CACHE_SIZE) break
      results.delete(start)
    }
    return result
  }
}

/** Finds the changed words of a line. Compares the removed with the added lines of the block around the line. */
const changes = (patch: DiffPatch): ((index: number) => ReadonlyArray<WordDiff.TextRange>) => {
  const texts = (start: number, end: number) =>
    Array.from({ length: end - start }, (_, offset) => patch.textAt(start + offset))

  const compare = cached((range) => {
    const block = WordDiff.blockAt(patch, range.start)
    if (block === undefined) return () => []
    const { added, removed } = WordDiff.compare(texts(block.start, block.middle), texts(block.added, block.end))
    return (index: number) => (index < block.middle ? removed[index - block.start] : added[index - block.added]) ?? []
  })

  return (index) => {
    if (!["removed", "added"].includes(patch.kindAt(index))) return []
    const block = WordDiff.blockAt(patch, index)
    return block === undefined ? [] : compare(block)(index)
  }
}

/** Finds the tokens of a line. Highlights the old and the new text of a section separately. */
const tokens = (patch: DiffPatch, highlighter: SyntaxHighlighter) => {
  const isLong = (index: number) => patch.textAt(index).length > Syntax.MAX_LINE_LENGTH
  const side = ({ end, start }: LineRange, excluded: Kind) => {
    const offsets = new Uint32Array(end - start)
    let text = ""
    for (let index = start; index < end; index++) {
      const kind = patch.kindAt(index)
      offsets[index - start] = text.length
      if (kind === excluded || kind === "hunk" || kind === "note") continue
      text += `${isLong(index) ? "" : patch.textAt(index)}\n`
    }
    return { offsets, tokens: Syntax.tokensNow(highlighter, text) }
  }
  const sides = cached((range) => {
    const hasRemoved = (): boolean => {
      for (let index = range.start; index < range.end; index++) if (patch.kindAt(index) === "removed") return true
      return false
    }
    return { added: side(range, "removed"), removed: hasRemoved() ? side(range, "added") : undefined }
  })
  return (index: number): SyntaxLine.Tokens | undefined => {
    if (isLong(index)) return undefined
    const range = patch.sectionAt(index)
    const { added, removed } = sides(range)
    const found = patch.kindAt(index) === "removed" ? removed : added
    const result: SyntaxTokens.SyntaxTokens | undefined = found?.tokens
    return result && { tokens: result, offset: found?.offsets[index - range.start] ?? 0 }
  }
}
