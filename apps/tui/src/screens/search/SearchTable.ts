/** The table of search results: a row for each file, then the lines of the file. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Document from "../../content/Document.ts"
import * as Table from "../../content/Table.ts"
import type { Row } from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import * as RevisionArguments from "../code/RevisionArguments.ts"
import * as CommitRows from "./CommitRows.ts"
import * as MarkedText from "../../text/MarkedText.ts"
import type { FileResult, ResultLine, Results } from "./SearchResults.ts"
import * as SearchResults from "./SearchResults.ts"

/** Number of characters before a match that are shown of a long line. */
const BEFORE_MATCH = 40

/** Creates the table of results. `isOneRepository` leaves out the names of repositories. */
export const make = (query: string, results: Results, isOneRepository: boolean): Table.Table =>
  Table.make(
    {
      columns: [{ header: "MATCH", size: "grow" }],
      noun: ["line", "lines"],
      emptyMessage: {
        title: `No matches for ${query}`,
        hint: "Try fewer or shorter words, or a qualifier: path:src extension:ts symbol:name"
      },
      row: (row: Row) => row
    },
    Table.fromRows([
      ...results.files.flatMap((file) => rowsOf(file, isOneRepository)),
      ...results.commits.flatMap((commit) => CommitRows.make(commit, isOneRepository))
    ]),
    {
      incompleteResults: results.incomplete.length > 0 && results.files.length + results.commits.length === 0,
      summary: SearchResults.summary(results)
    }
  )

const rowsOf = (file: FileResult, isOneRepository: boolean): ReadonlyArray<Row> => {
  const at = { owner: file.owner, repo: file.repo }
  const id = `${file.owner}/${file.repo}/${file.path}`
  const lines = file.chunks.flat()
  const first = lines.find(({ symbol }) => symbol !== "") ?? lines.find(({ matches }) => matches.length > 0)
  const shared = {
    copy: file.path,
    webUrl: file.webUrl,
    arguments: { ...at, path: file.path, file_sha: file.sha },
    value: file
  }
  const digits = Math.max(3, ...lines.map(({ number }) => String(number ?? "").length))
  const heading: Row = {
    ...shared,
    id,
    title: file.path,
    route: RevisionArguments.content(at, file.path, position(first)),
    cells: () => [
      [
        ...MarkedText.make(file.path, file.pathMatches, "accent"),
        ...(isOneRepository ? [] : [StyledLine.span(`  ${file.owner}/${file.repo}`, "muted")]),
        StyledLine.span(`  ${NumberFormat.quantity(file.matchCount, "match", "matches")}`, "muted")
      ]
    ],
    preview: () => preview(file, undefined, digits)
  }
  return [
    heading,
    ...file.chunks.flatMap((chunk, chunkIndex) => {
      const indent = commonIndent(chunk)
      return chunk.map((line, lineIndex): Row => ({
        ...shared,
        id: `${id}:${line.number ?? `${chunkIndex}.${lineIndex}`}`,
        title: line.number === undefined ? file.path : `${file.path}:${line.number}`,
        route: RevisionArguments.content(at, file.path, position(line)),
        copy: line.text.trim(),
        cells: () => [lineOf(line, digits, indent)],
        preview: () => preview(file, line, digits)
      }))
    })
  ]
}

/**
 * Returns the position at which the file opens: the number of the line, or the text of a line without a known number.
 */
const position = (
  line: ResultLine | undefined
): { readonly line?: number; readonly find?: string; readonly column?: number } => {
  if (line === undefined) return {}
  const column = line.matches[0]?.[0]
  const name = column === undefined ? {} : { column }
  return { ...(line.number === undefined ? { find: line.text } : { line: line.number }), ...name }
}

/** Creates the details of a file: the lines around the matches, until the file is loaded. */
const preview = (file: FileResult, selected: ResultLine | undefined, digits: number): Document.Document =>
  Document.make(`${file.path} ${selected?.number ?? ""}`, () => {
    const lines = file.chunks.flatMap((chunk, index) => [
      ...(index === 0 ? [] : [{ text: "⋮", line: undefined }]),
      ...chunk.map((line) => ({ text: "", line }))
    ])
    const at = lines.findIndex(({ line }) => line !== undefined && line === selected)
    return Document.fromLines(
      [
        { line: StyledLine.line(file.path, "title") },
        { line: StyledLine.empty },
        ...lines.map(({ line, text }) => ({
          line: line === undefined ? StyledLine.line(text, "muted") : lineOf(line, digits, 0)
        }))
      ],
      { initialLine: at < 0 ? 0 : at + 2 }
    )
  })

/** Returns the number of characters of white space with which all lines start. */
const commonIndent = (lines: ReadonlyArray<ResultLine>): number => {
  const widths = lines
    .filter(({ text }) => text.trim() !== "")
    .map(({ matches, text }) => Math.min(text.length - text.trimStart().length, matches[0]?.[0] ?? Infinity))
  return widths.length === 0 ? 0 : Math.min(...widths)
}

const lineOf = ({ matches, number, symbol, text }: ResultLine, digits: number, indent: number): Line => {
  const isMatch = matches.length > 0
  const first = matches[0]?.[0] ?? 0
  const from = first - indent > BEFORE_MATCH * 2 ? first - BEFORE_MATCH : indent
  return [
    StyledLine.span(` ${String(number ?? "").padStart(digits)} `, isMatch ? "id" : "muted"),
    StyledLine.span(from > indent ? "…" : " ", "muted"),
    ...MarkedText.make(text, matches, isMatch ? "plain" : "muted", from),
    ...(symbol === "" ? [] : [StyledLine.span(`  ${symbol}`, "type")])
  ]
}
