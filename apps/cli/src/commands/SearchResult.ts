/** What a search found, as it is printed: for a person by file, for a program a line for each line that matches. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Terminal from "@tongs/core/text/Terminal"
import type { Paint } from "../session/Flags.ts"

export interface Found {
  /** The best first. */
  readonly files: ReadonlyArray<File>
  /** Files that match, as far as is known. */
  readonly total: number
  /** Places that match, where they were counted. */
  readonly matches?: number | undefined
  /** Why there may be more than was found. */
  readonly incomplete: ReadonlyArray<string>
}

export interface File {
  /** `owner/repo:path`. */
  readonly name: string
  readonly lines: ReadonlyArray<Line>
  /** All places in the file, where they were counted. */
  readonly matches?: number | undefined
}

export interface Line {
  /** From 1, where it is known. */
  readonly number?: number | undefined
  readonly text: string
  /** Places in the text, in UTF-16 units. */
  readonly matches: ReadonlyArray<readonly [start: number, end: number]>
  /** Something before the text was left out. */
  readonly isCut: boolean
}

/** A file's name with the number of its first line, then its lines, none wider than the terminal. */
export const forPeople = ({ lines, matches = 0, name }: File, paint: Paint, columns: number): ReadonlyArray<string> => {
  const width = String(lines.at(-1)?.number ?? "").length
  const first = lines[0]?.number
  const shown = lines.reduce((sum, line) => sum + line.matches.length, 0)
  const at = first === undefined ? name : `${name}:${first}`
  return [
    paint.bold(Terminal.truncate(Terminal.escape(at), columns)),
    ...lines.map((line) => {
      const number = line.number === undefined ? "  " : `  ${String(line.number).padStart(width)}  `
      return `${paint.dim(number)}${marked(line, paint, columns - number.length)}`.trimEnd()
    }),
    ...(matches > shown
      ? [paint.dim(`  and ${NumberFormat.quantity(matches - shown, "more match", "more matches")}`)]
      : [])
  ]
}

/** `owner/repo:path:line:text` for each line; of a file whose path alone matches, its name. */
export const forPrograms = ({ lines, name }: File, paint: Paint): ReadonlyArray<string> =>
  lines.length === 0
    ? [Terminal.escape(name)]
    : lines.map((line) => {
        const place = line.number === undefined ? "" : `${line.number}:`
        return `${Terminal.escape(name)}:${place}${marked(line, paint, Number.POSITIVE_INFINITY)}`
      })

/** How much there is, and why there may be more. */
export const count = ({ files, incomplete, matches, total }: Found): string => {
  const places = matches === undefined ? "" : `, ${NumberFormat.quantity(matches, "match", "matches")}`
  const shown = files.length < total ? `, ${NumberFormat.format(files.length)} shown` : ""
  return `${NumberFormat.quantity(total, "file")}${places}${shown}${incomplete.length === 0 ? "" : `; ${incomplete.join(", ")}`}`
}

/** Columns of a line before its first match, where it does not fit. */
const LEAD = 20

/** A line with its matches coloured, in at most `columns` columns, of which the first match has its share. */
const marked = ({ isCut, matches, text }: Line, paint: Paint, columns: number): string => {
  const [first = 0] = matches[0] ?? []
  const fits = !isCut && Terminal.width(Terminal.escape(text)) <= columns
  // In a narrow terminal, what stands far before the match is of less use than the match.
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
