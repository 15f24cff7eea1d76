/** Prints hits of a code search: the path of a file, then numbered lines. */
import type { Chunk, Line } from "@tongs/core/contract/groups/CodeSearch"
import type { CodeSearchItem, TextMatch } from "@tongs/core/contract/groups/Search"
import type { Item } from "../answer/Answer.ts"

/** Maximum number of characters of a line, and of a line before the first match. */
const MAX_WIDTH = 240
const LEAD = 80

/** How to print hits. */
export interface Options {
  /** True to put the repository before the path, because hits are from several. */
  readonly hasRepository: boolean
  /** True to print the lines around matches. */
  readonly hasContext: boolean
  /** Maximum number of lines with matches of a hit: definitions first, then in the order of the file. Default: all. */
  readonly maxLines?: number
}

/** A matching file with numbered lines. */
export interface Hit {
  /** The repository as `owner/name`. */
  readonly repository: string
  readonly path: string
  readonly chunks: ReadonlyArray<Chunk>
  /** Number of matches in the file, if known. Can exceed the number of matches in `chunks`. */
  readonly matchCount?: number
}

/** Prints a hit with numbered lines. */
export const print = (hit: Hit, options: Options): Item => {
  const { path, repository } = hit
  const chunks = options.hasContext
    ? hit.chunks.map(({ lines }) => trimBlank(lines))
    : [
        best(
          hit.chunks.flatMap(({ lines }) => lines.filter(isMatch)),
          options.maxLines
        )
      ]
  const lines = chunks.flat()
  const shown = lines.filter(isMatch).reduce((count, { matches }) => count + matches.length, 0)
  const { matchCount = shown } = hit
  const count = matchCount > shown ? ` (${shown} of ${matchCount} matches)` : ""
  return item(`${nameOf(repository, path, options)}${count}`, {
    data: {
      repo: repository,
      path,
      matches: matchCount,
      lines: lines.map((line) => ({ ...dataOf(line), ...(options.hasContext ? { isMatch: isMatch(line) } : {}) }))
    },
    text: chunks
      .map((part) => part.map((line) => printLine(line, options)).join("\n"))
      .filter((part) => part !== "")
      .join(options.hasContext ? "\n--\n" : "\n")
  })
}

/** Prints each line of a hit as an item, because a file can have more lines than an answer. */
export const printEachLine = ({ chunks, path, repository }: Hit, options: Options): ReadonlyArray<Item> =>
  chunks
    .flatMap(({ lines }) => lines)
    .map((line) => ({
      heading: nameOf(repository, path, options),
      data: { repo: repository, path, ...dataOf(line) },
      text: printLine(line, options)
    }))

const dataOf = (line: Line) => ({
  line: line.number,
  text: cut(line),
  ...(line.symbol === undefined ? {} : { defines: line.symbol })
})

/** Prints a hit that has fragments of the file instead of numbered lines. */
export const printFragments = ({ path, repository, text_matches = [] }: CodeSearchItem, options: Options): Item => {
  const lines = text_matches
    .filter(({ property }) => property === "content")
    .flatMap((match) => fragment(match, options))
  return item(nameOf(repository.full_name, path, options), {
    data: { repo: repository.full_name, path, lines },
    text: lines.join("\n")
  })
}

/** Returns an item with a heading. A hit whose path matches has only the heading. */
const item = (heading: string, { data, text }: Item): Item =>
  text === "" ? { data, text: heading } : { heading, data, text }

const nameOf = (repository: string, path: string, { hasRepository }: Options): string =>
  hasRepository ? `${repository} ${path}` : path

const best = (lines: ReadonlyArray<Line>, maxLines = Infinity): ReadonlyArray<Line> => {
  if (lines.length <= maxLines) return lines
  const chosen = lines
    .toSorted((a, b) => Number(b.symbol !== undefined) - Number(a.symbol !== undefined))
    .slice(0, maxLines)
  return lines.filter((line) => chosen.includes(line))
}

/** Removes empty lines of context at both ends. */
const trimBlank = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const isUseful = (line: Line) => isMatch(line) || line.text.trim() !== ""
  return lines.slice(Math.max(0, lines.findIndex(isUseful)), lines.findLastIndex(isUseful) + 1)
}

const isMatch = ({ matches }: Line): boolean => matches.length > 0

/** Prints a line as `12 function<tab>text`: number, kind of definition, text. */
const printLine = (line: Line, { hasContext }: Options): string => {
  const mark = hasContext && isMatch(line) ? ">" : ""
  const text = cut(line)
  return `${line.number}${mark}${line.symbol === undefined ? "" : ` ${line.symbol}`}\t${hasContext ? text : withoutIndent(text)}`
}

/** Removes the indentation, and no other white space: agents see a byte order mark or a wide space. */
const withoutIndent = (text: string): string => text.replace(/^[ \t]+/, "")

/** Returns the part of a long line around the first match. */
const cut = ({ cut: before, matches, text }: Line): string => {
  const start =
    text.length <= MAX_WIDTH ? 0 : Math.max(0, Math.min((matches[0]?.[0] ?? 0) - LEAD, text.length - MAX_WIDTH))
  const part = text.slice(start, start + MAX_WIDTH).toWellFormed()
  return `${before + start > 0 ? "…" : ""}${part}${start + MAX_WIDTH < text.length ? "…" : ""}`
}

/** Returns the lines of a fragment that contain matches, or all lines. */
const fragment = ({ fragment, matches }: TextMatch, { hasContext }: Options): ReadonlyArray<string> => {
  let at = 0
  return fragment.split("\n").flatMap((text) => {
    const from = at
    at += text.length + 1
    const inLine = matches.flatMap(
      ({ indices: [start = 0, end = 0] }) =>
        start < at && end > from ? [[Math.max(start - from, 0), Math.min(end - from, text.length)] as const] : [] // a pair
    )
    if (inLine.length === 0 && !hasContext) return []
    return [cut({ number: 0, cut: 0, matches: inLine, text: hasContext ? text : withoutIndent(text) })]
  })
}
