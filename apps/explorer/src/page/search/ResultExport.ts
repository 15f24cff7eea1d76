/** Results as a file: CSV for a spreadsheet, JSON lines for a program. */
import { type FileResult, repositoryName } from "./SearchResults.ts"

/** One row for each line with matches: `repository,commit,path,line,column,text`, line and column from 1. */
export const csv = (files: ReadonlyArray<FileResult>): string =>
  [
    "repository,commit,path,line,column,text",
    ...files.flatMap((found) =>
      matching(found).map(({ column, line, text }) =>
        [repositoryName(found), found.commit ?? "", found.path, String(line ?? ""), String(column), text]
          .map(cell)
          .join(",")
      )
    )
  ].join("\r\n") + "\r\n"

/** One JSON text for each file, its lines with matches and where they stand (UTF-16 units, the end exclusive). */
export const jsonl = (files: ReadonlyArray<FileResult>): string =>
  files
    .map((found) =>
      JSON.stringify({
        repository: repositoryName(found),
        commit: found.commit ?? null,
        path: found.path,
        language: found.language,
        matches: found.matchCount ?? null,
        lines: matching(found).map(({ line, matches, text }) => ({ line: line ?? null, text, matches }))
      })
    )
    .join("\n") + (files.length === 0 ? "" : "\n")

const matching = ({ chunks }: FileResult) =>
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

/** A spreadsheet takes what begins so for a formula, and would run it: an apostrophe makes it text. */
const FORMULA = /^[=+\-@\t\r]/

const cell = (text: string): string => {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
