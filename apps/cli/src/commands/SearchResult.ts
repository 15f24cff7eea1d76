/** Formats search results: grouped by file for a terminal, one record per matching line for a pipe. */
import type { CommitHit } from "@tongs/core/contract/groups/CodeSearch"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Terminal from "@tongs/core/text/Terminal"
import type { Paint } from "../session/Flags.ts"

export interface Results {
  /** The files with the best matches, best first. */
  readonly files: ReadonlyArray<File>
  /** The commits of a search with `type:commit` or `type:diff`, newest first. Undefined for a search of files. */
  readonly commits?: ReadonlyArray<CommitHit> | undefined
  /** Number of matching files or commits known so far. */
  readonly total: number
  /** Number of matches. Undefined without a count. */
  readonly matches?: number | undefined
  /** Reasons why results can be missing, empty for a complete search. */
  readonly incomplete: ReadonlyArray<string>
  /** Sentences of the forge that explain the results. */
  readonly notes?: ReadonlyArray<string>
}

export interface File {
  /** `owner/repo:path`. */
  readonly name: string
  readonly lines: ReadonlyArray<Line>
  /** Number of matches in the file. Undefined without a count. */
  readonly matches?: number | undefined
}

export interface Line {
  /** Line number, starting at 1. Undefined if unknown. */
  readonly number?: number | undefined
  readonly text: string
  /** Ranges of the matches in `text`, in UTF-16 units. */
  readonly matches: ReadonlyArray<readonly [start: number, end: number]>
  /** True if the start of the line was cut off. */
  readonly isCut: boolean
}

/** Formats a file: the name with the first line number, then the matching lines, all truncated to `columns`. */
export const formatForTerminal = (
  { lines, matches = 0, name }: File,
  paint: Paint,
  columns: number
): ReadonlyArray<string> => {
  const width = Math.max(0, ...lines.map(({ number }) => String(number ?? "").length))
  const first = lines[0]?.number
  const shown = lines.reduce((sum, line) => sum + line.matches.length, 0)
  const at = first === undefined ? name : `${name}:${first}`
  return [
    paint.bold(Terminal.truncate(Terminal.escape(at), columns)),
    ...lines.map((line) => {
      const number = line.number === undefined ? "  " : `  ${String(line.number).padStart(width)}  `
      return `${paint.dim(number)}${highlight(line, paint, columns - number.length)}`.trimEnd()
    }),
    ...(matches > shown
      ? [paint.dim(`  and ${NumberFormat.quantity(matches - shown, "more match", "more matches")}`)]
      : [])
  ]
}

/** Formats each matching line as `owner/repo:path:line:text`. Returns only the name if only the path matches. */
export const formatForPipe = ({ lines, name }: File, paint: Paint): ReadonlyArray<string> =>
  lines.length === 0
    ? [Terminal.escape(name)]
    : lines.map((line) => {
        const position = line.number === undefined ? "" : `${line.number}:`
        return `${Terminal.escape(name)}:${position}${highlight(line, paint, Number.POSITIVE_INFINITY)}`
      })

/** Formats the numbers of files or commits and matches, and the reasons for missing results. */
export const formatCount = ({ commits, files, incomplete, matches, total }: Results): string => {
  const count = commits?.length ?? files.length
  const places = matches === undefined ? "" : `, ${NumberFormat.quantity(matches, "match", "matches")}`
  const shown = count < total ? `, ${NumberFormat.format(count)} shown` : ""
  return `${NumberFormat.quantity(total, commits === undefined ? "file" : "commit")}${places}${shown}${incomplete.length === 0 ? "" : `; ${incomplete.join(", ")}`}`
}

/** Number of characters to keep before the first match of a line that is wider than the terminal. */
const LEAD = 20

/** Formats a line with colored matches, truncated to `columns` so that the first match is visible. */
export const highlight = ({ isCut, matches, text }: Line, paint: Paint, columns: number): string => {
  const [first = 0] = matches[0] ?? []
  const fits = !isCut && Terminal.width(Terminal.escape(text)) <= columns
  // Cut the text before the match first, so that the match is visible in a narrow terminal.
  const indent = text.length - text.trimStart().length
  const from = fits || columns === Number.POSITIVE_INFINITY ? 0 : Math.max(Math.min(indent, first), first - LEAD)
  let line = isCut || (!fits && from > indent) ? "…" : ""
  let left = columns - line.length
  const add = (piece: string, colour: (text: string) => string) => {
    const visible = Terminal.escape(piece)
    const cut = left === Number.POSITIVE_INFINITY ? visible : Terminal.truncate(visible, left)
    left -= Terminal.width(cut)
    line += colour(cut)
  }
  let at = from
  for (const [start, end] of matches) {
    if (start < at || end <= start) continue
    add(text.slice(at, start), plain)
    add(text.slice(start, end), paint.match)
    at = end
  }
  add(text.slice(at), plain)
  return line
}

const plain = (text: string) => text
