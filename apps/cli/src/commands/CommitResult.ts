/** Formats commits that a search found: grouped by commit for a terminal, one record per line for a pipe. */
import type { CommitHit, TextRange } from "@tongs/core/contract/groups/CodeSearch"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as Terminal from "@tongs/core/text/Terminal"
import type { Paint } from "../session/Flags.ts"
import { highlight } from "./SearchResult.ts"

/** Maximum number of matching lines of a message, besides the first line. */
const MAX_MESSAGE_LINES = 3

interface MessageLine {
  readonly text: string
  readonly matches: ReadonlyArray<TextRange>
}

/** Formats a commit: id, date, author and subject, then the matching lines of the message and of the files. */
export const formatForTerminal = (commit: CommitHit, paint: Paint, columns: number): ReadonlyArray<string> => {
  const [subject, ...body] = linesOf(commit)
  const author = Terminal.escape(commit.author.name)
  const id = AbbreviatedId.of(commit.sha)
  const head = `${id}  ${day(commit)}  ${author}  `
  const width = Math.max(1, columns - Terminal.width(head))
  const numberWidth = String(
    Math.max(0, ...commit.files.flatMap(({ lines }) => lines.map(({ number }) => number)))
  ).length
  return [
    `${paint.bold(id)}  ${paint.dim(`${day(commit)}  ${author}`)}  ${highlight(asLine(subject), paint, width)}`,
    paint.dim(Terminal.truncate(`  ${repository(commit)}`, columns)),
    ...body
      .filter(({ matches }) => matches.length > 0)
      .slice(0, MAX_MESSAGE_LINES)
      .map((line) => `  ${highlight(asLine(line), paint, columns - 2)}`),
    ...commit.files.flatMap(({ lines, path }) => [
      Terminal.truncate(`  ${Terminal.escape(path)}`, columns),
      ...lines.map((line) => {
        const prefix = `  ${String(line.number).padStart(numberWidth)} ${signOf(line.change)} `
        const colour = line.change === "added" ? paint.good : paint.bad
        return `${colour(prefix)}${highlight(asLine(line), paint, columns - prefix.length)}`.trimEnd()
      })
    ])
  ]
}

/**
 * Formats each matching line of a diff as `owner/repo:id:path:±line:text`, or a commit as
 * `owner/repo:id:date:author:subject`. The id is not abbreviated, because scripts pass the id to commands.
 */
export const formatForPipe = (commit: CommitHit, paint: Paint): ReadonlyArray<string> => {
  const name = `${repository(commit)}:${commit.sha}`
  const lines = commit.files.flatMap((file) =>
    file.lines.map((line) => {
      const at = `${name}:${Terminal.escape(file.path)}:${signOf(line.change)}${line.number}:`
      return `${at}${highlight(asLine(line), paint, Number.POSITIVE_INFINITY)}`
    })
  )
  if (lines.length > 0) return lines
  const [subject] = linesOf(commit)
  const shown = highlight(asLine(subject), paint, Number.POSITIVE_INFINITY)
  return [`${name}:${day(commit)}:${Terminal.escape(commit.author.name)}:${shown}`]
}

const signOf = (change: string): string => (change === "added" ? "+" : "-")

const repository = ({ owner, repo }: CommitHit): string => Terminal.escape(`${owner}/${repo}`)

const day = ({ author }: CommitHit): string => Terminal.escape(author.date.slice(0, 10))

const asLine = (line: MessageLine | undefined) => ({
  text: line?.text ?? "",
  matches: line?.matches ?? [],
  isCut: false
})

/** Returns the lines of the message with their matches. */
const linesOf = ({ in_message: ranges, message }: CommitHit): ReadonlyArray<MessageLine> => {
  let at = 0
  return message.split("\n").map((text) => {
    const from = at
    at += text.length + 1
    const matches = ranges.flatMap(([start, end]): ReadonlyArray<TextRange> =>
      start < at && end > from ? [[Math.max(start - from, 0), Math.min(end - from, text.length)]] : []
    )
    return { text, matches }
  })
}
