/** Prints commits that a code search found: id, date, author and subject, then the added and removed lines. */
import type { ChangedLine, CommitHit } from "@tongs/core/contract/groups/CodeSearch"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { Item } from "../answer/Answer.ts"

/** Maximum number of characters of a line or subject, and of a line before the first match. */
const MAX_WIDTH = 240
const LEAD = 80

/** Maximum number of changed lines of a commit, and of lines of the commit's message with matches. */
const MAX_LINES = 8
const MAX_MESSAGE_LINES = 3

/** Prints a commit. `hasRepository` is true if commits are from several repositories. */
export const print = (commit: CommitHit, { hasRepository }: { readonly hasRepository: boolean }): Item => {
  const { author, files, owner, repo, sha } = commit
  const [subject = "", ...body] = messageLines(commit)
  const date = author.date.slice(0, 10)
  const all = files.flatMap(({ lines, path }) => lines.map((line) => ({ path, line })))
  const shown = all.slice(0, MAX_LINES)
  const repository = `${owner}/${repo}`
  const lines = shown.flatMap(({ line, path }, at) => [
    ...(shown[at - 1]?.path === path ? [] : [`  ${path}`]),
    `  ${line.change === "added" ? "+" : "-"}${line.number}\t${cut(line)}`
  ])
  const untouched = files.filter((file) => file.lines.length === 0).map(({ path }) => `  ${path}`)
  const more = all.length > shown.length ? [`  (${all.length - shown.length} more lines)`] : []
  return {
    data: {
      repo: repository,
      sha,
      date: author.date,
      author: author.name,
      message: commit.message.slice(0, 1_000).toWellFormed(),
      files: files.map((file) => ({
        path: file.path,
        lines: file.lines
          .slice(0, MAX_LINES)
          .map((line) => ({ change: line.change, line: line.number, text: cut(line) }))
      }))
    },
    text: [
      `${hasRepository ? `${repository} ` : ""}${AbbreviatedId.of(sha)} ${date} ${author.name}: ${subject.slice(0, MAX_WIDTH).toWellFormed()}`,
      ...body.slice(0, MAX_MESSAGE_LINES).map((line) => `  ${line.slice(0, MAX_WIDTH).toWellFormed()}`),
      ...lines,
      ...untouched.slice(0, MAX_LINES),
      ...more
    ].join("\n")
  }
}

/** Returns the subject, and the other lines of the message with matches. */
const messageLines = ({ in_message: ranges, message }: CommitHit): ReadonlyArray<string> => {
  let at = 0
  return message.split("\n").filter((text, index) => {
    const from = at
    at += text.length + 1
    return index === 0 || ranges.some(([start, end]) => start < at && end > from)
  })
}

/** Returns the part of a line around the first match, without indentation. */
const cut = ({ matches, text }: ChangedLine): string => {
  if (text.length <= MAX_WIDTH) return text.trimStart()
  const start = Math.max(0, Math.min((matches[0]?.[0] ?? 0) - LEAD, text.length - MAX_WIDTH))
  const part = text.slice(start, start + MAX_WIDTH).toWellFormed()
  return `${start > 0 ? "…" : ""}${part}${start + MAX_WIDTH < text.length ? "…" : ""}`
}
