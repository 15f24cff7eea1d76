/** The rows of a commit among search results: subject, matching lines of the message, changed lines. */
import type { ChangedFile, ChangedLine, CommitHit } from "@tongs/core/contract/groups/CodeSearch"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { Row } from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import * as RevisionArguments from "../code/RevisionArguments.ts"
import * as MarkedText from "../../text/MarkedText.ts"
import type { Range } from "./SearchResults.ts"

/** Creates the rows. `isOneRepository` leaves out the name of the repository. */
export const make = (commit: CommitHit, isOneRepository: boolean): ReadonlyArray<Row> => {
  const { author, files, in_message: matches, message, owner, repo, sha } = commit
  const at = { owner, repo }
  const [subject, ...body] = linesOf(message, matches)
  const row = (id: string, line: Line, path?: string): Row => ({
    id: `${sha} ${id}`,
    title: subject?.text ?? sha,
    copy: sha,
    route: RevisionArguments.commit(at, sha, path),
    arguments: { ...at, ref: sha },
    value: commit,
    cells: () => [line]
  })
  const facts = [author.name, author.date.slice(0, 10), ...(isOneRepository ? [] : [`${owner}/${repo}`])]
  return [
    row("", [
      StyledLine.span(`${AbbreviatedId.of(sha)} `, "id"),
      ...MarkedText.make(subject?.text ?? "", subject?.matches ?? [], "accent"),
      StyledLine.span(`  ${facts.join(", ")}`, "muted")
    ]),
    ...body.flatMap(({ matches, text }, index) =>
      matches.length === 0
        ? []
        : [row(`message ${index}`, [StyledLine.span("    "), ...MarkedText.make(text, matches, "plain")])]
    ),
    ...files.flatMap((file) => fileRows(file, row))
  ]
}

const fileRows = (
  { lines, path }: ChangedFile,
  row: (id: string, line: Line, path?: string) => Row
): ReadonlyArray<Row> => [
  row(path, [StyledLine.span(`    ${path}`, "muted")], path),
  ...lines.map((line) => row(`${path} ${line.change} ${line.number}`, changedLine(line), path))
]

const changedLine = ({ change, matches, number, text }: ChangedLine): Line => {
  const role = change === "added" ? "added" : "removed"
  return [
    StyledLine.span(`    ${String(number).padStart(5)} `, "muted"),
    StyledLine.span(change === "added" ? "+ " : "- ", role),
    ...MarkedText.make(text, matches, role)
  ]
}

interface MessageLine {
  readonly text: string
  readonly matches: ReadonlyArray<Range>
}

/** Returns the lines of a message, each with its matches. `ranges` are positions in the message. */
const linesOf = (message: string, ranges: ReadonlyArray<Range>): ReadonlyArray<MessageLine> => {
  let start = 0
  return message.split("\n").map((text) => {
    const from = start
    start += text.length + 1
    const matches = ranges
      .filter(([first, last]) => first < from + text.length && last > from)
      .map(([first, last]): Range => [Math.max(0, first - from), Math.min(text.length, last - from)])
    return { text, matches }
  })
}
