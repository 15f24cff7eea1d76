/**
 * Formats details of the selected row for the preview on wide screens. Needs no request: the list contains the details.
 */
import type { CommitSummary } from "@tongs/core/contract/Commits"
import type { Repository } from "@tongs/core/contract/Repository"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line, Role } from "../text/StyledLine.ts"

/** Formats the details of a repository. */
export const repository = (self: Repository, columns: number): ReadonlyArray<Line> => [
  ...wrapped(self.full_name, columns, "title"),
  ...(self.description === null ? [] : wrapped(self.description, columns)),
  StyledLine.empty,
  StyledLine.field("branch", self.default_branch),
  ...(self.language === null ? [] : [StyledLine.field("language", self.language)]),
  ...(self.license === null ? [] : [StyledLine.field("licence", self.license.name)]),
  StyledLine.field("size", NumberFormat.bytes(self.size * 1_000)),
  ...(self.topics === undefined || self.topics.length === 0
    ? []
    : [StyledLine.field("topics", self.topics.join(", "))]),
  ...(self.pushed_at === null ? [] : [StyledLine.field("pushed", self.pushed_at)]),
  ...(self.clone_url === "" ? [] : [StyledLine.field("clone", self.clone_url)])
]

/** Formats the message and authors of a commit. */
export const commit = (sha: string, self: CommitSummary["commit"], columns: number): ReadonlyArray<Line> => {
  const [subject = "", ...body] = self.message.trimEnd().split("\n")
  return [
    ...wrapped(subject, columns, "title"),
    ...wrapped(body.join("\n"), columns),
    StyledLine.empty,
    StyledLine.field("commit", sha, "id"),
    ...(self.author === null
      ? []
      : [
          StyledLine.field("author", `${self.author.name} <${self.author.email}>`),
          StyledLine.field("date", self.author.date)
        ]),
    ...(self.committer === null || self.committer.name === self.author?.name
      ? []
      : [StyledLine.field("committer", `${self.committer.name} <${self.committer.email}>`)])
  ]
}

const wrapped = (text: string, columns: number, role?: Role): ReadonlyArray<Line> =>
  text === "" ? [] : StyledLine.wrap(text, columns).map((part) => StyledLine.line(part, role))
