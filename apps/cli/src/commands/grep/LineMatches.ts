/**
 * The lines of a file in the form that the output formats need: complete, with replaced matches, and limited by `-m`.
 */
import type { Line, TextRange } from "@tongs/core/contract/groups/CodeSearch"

/** A line to print. */
export interface GrepLine {
  readonly number: number
  readonly text: string
  /** Ranges of the matches in `text`. Empty for a line of context. */
  readonly matches: ReadonlyArray<TextRange>
  readonly isMatch: boolean
  /** Number of bytes of the file before the line. */
  readonly offset: number
}

/** Returns the lines to print: `before` and `after` lines around at most `maxCount` matching lines. */
export const select = (
  lines: ReadonlyArray<Line>,
  {
    after,
    before,
    maxCount
  }: { readonly before: number; readonly after: number; readonly maxCount: number | undefined }
): ReadonlyArray<GrepLine> => {
  // As in ripgrep, lines after the last counted match are context, also with a match.
  const matching = lines.filter(({ matches }) => matches.length > 0).slice(0, maxCount)
  let index = 0
  return lines.flatMap(({ matches, number, offset = 0, text }) => {
    while ((matching[index]?.number ?? Infinity) < number) index++
    const isMatch = matching[index]?.number === number
    const previous = matching[isMatch ? index : index - 1]?.number ?? -Infinity
    const next = matching[index]?.number ?? Infinity
    if (!isMatch && number - previous > after && next - number > before) return []
    const isShown = isMatch || (matches.length > 0 && index === matching.length)
    return [{ number, text, matches: isShown ? matches : [], isMatch: isShown, offset }]
  })
}

/** Replaces the matches of a line. The result contains the ranges of the replacements. */
export const replace = (
  line: GrepLine,
  pattern: RegExp,
  groups: ReadonlyArray<string | undefined>,
  replacement: string
): GrepLine => {
  let text = ""
  let at = 0
  const matches: Array<TextRange> = []
  for (const [start, end] of line.matches) {
    pattern.lastIndex = start
    const found = pattern.exec(line.text)
    const inserted = found?.index === start ? expand(replacement, found, groups) : line.text.slice(start, end)
    text += line.text.slice(at, start)
    matches.push([text.length, text.length + inserted.length])
    text += inserted
    at = end
  }
  return { ...line, text: text + line.text.slice(at), matches }
}

/** Inserts groups into a replacement: `$1`, `$name`, `${name}`, and `$$` for a dollar sign. */
const expand = (replacement: string, match: RegExpExecArray, groups: ReadonlyArray<string | undefined>): string =>
  replacement.replace(/\$(?:\$|\{([^}]+)\}|(\w+))/g, (_, braced: string | undefined, plain: string | undefined) => {
    const name = braced ?? plain
    if (name === undefined) return "$"
    const number = /^\d+$/.test(name) ? Number(name) : groups.indexOf(name) + 1
    if (number === 0 && name !== "0") return ""
    return match[number] ?? ""
  })

/** Removes white space at the start of a line. */
export const trim = (line: GrepLine): GrepLine => {
  const removed = /^[\t\v\f\r ]*/.exec(line.text)?.[0].length ?? 0
  return removed === 0
    ? line
    : {
        ...line,
        text: line.text.slice(removed),
        matches: line.matches.map(([start, end]) => [Math.max(0, start - removed), Math.max(0, end - removed)])
      }
}
