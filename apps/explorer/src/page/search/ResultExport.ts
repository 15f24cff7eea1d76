/** Exports results as CSV or JSON Lines. */
import { type FileResult, repositoryName } from "./SearchResults.ts"

/** CSV with one row for each matching line: `repository,commit,path,line,column,text`, line and column from 1. */
export const csv = (files: ReadonlyArray<FileResult>): string =>
  [
    "repository,commit,path,line,column,text",
    ...files.flatMap((result) =>
      matchingLines(result).map(({ column, line, text }) =>
        [repositoryName(result), result.commit ?? "", result.path, String(line ?? ""), String(column), text]
          .map(cell)
          .join(",")
      )
    )
  ].join("\r\n") + "\r\n"

/** JSON Lines with one object for each file, with the matching lines. Ranges are in UTF-16 units, end exclusive. */
export const jsonl = (files: ReadonlyArray<FileResult>): string =>
  files
    .map((result) =>
      JSON.stringify({
        repository: repositoryName(result),
        commit: result.commit ?? null,
        path: result.path,
        language: result.language,
        matches: result.matchCount ?? null,
        lines: matchingLines(result).map(({ line, matches, text }) => ({ line: line ?? null, text, matches }))
      })
    )
    .join("\n") + (files.length === 0 ? "" : "\n")

const matchingLines = ({ chunks }: FileResult) =>
  chunks.flatMap(({ lines }) =>
    lines
      .filter(({ matches }) => matches.length > 0)
      .map(({ cut, matches, number, text }) => ({
        line: number,
        column: cut + (matches[0]?.[0] ?? 0) + 1,
        text,
        matches: matches.map(([start, end]) => [cut + start, cut + end])
      }))
  )

/** Spreadsheets run cells with these first characters as formulas. An apostrophe makes the cell a text. */
const formula = /^[=+\-@\t\r]/

const cell = (text: string): string => {
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
