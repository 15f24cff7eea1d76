/** The message, authors, parents and verification of a commit as lines. */
import type { CommitSummary } from "@tongs/core/contract/groups/Commits"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import type { DocumentLine, LineAtTime } from "../../content/Document.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as CommitMessage from "./CommitMessage.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

/** Maximum width of prose in columns, for readability. */
const MAX_PROSE_WIDTH = 88

const blank: DocumentLine = { line: StyledLine.empty }

/** The parts of a commit that are formatted. */
export interface CommitParts extends Pick<CommitSummary, "sha" | "parents"> {
  readonly commit: Pick<CommitSummary["commit"], "message" | "author" | "committer" | "verification">
}

/** Formats everything about a commit except its changes. */
export const lines = (
  { commit, parents, sha }: CommitParts,
  at: RevisionArguments.Revision,
  columns: number
): ReadonlyArray<DocumentLine | LineAtTime> => {
  const subject = CommitMessage.subject(commit.message).trim()
  const body = CommitMessage.body(commit.message)
  const width = Math.min(columns, MAX_PROSE_WIDTH)
  const { author, committer } = commit
  return [
    ...(subject === ""
      ? [{ line: StyledLine.line("no message", "muted") }]
      : StyledLine.wrap(subject, width).map((text) => ({ line: StyledLine.line(text, "title"), copy: subject }))),
    blank,
    ...(body === "" ? [] : [...StyledLine.wrap(body, width).map((text) => ({ line: StyledLine.line(text) })), blank]),
    { line: StyledLine.field("commit", sha, "id"), copy: sha },
    ...(author === null ? [] : [person("author", author), time("date", author)]),
    ...(committer === null || isSamePerson(committer, author) ? [] : [person("committer", committer)]),
    ...(committer === null || committer.date === author?.date ? [] : [time("committed", committer)]),
    ...parents.map((parent) => ({
      line: StyledLine.field("parent", AbbreviatedId.of(parent.sha), "link"),
      route: RevisionArguments.commit(at, parent.sha),
      copy: parent.sha
    })),
    ...verification(commit.verification)
  ]
}

type Signature = NonNullable<CommitSummary["commit"]["author"]>

const isSamePerson = (one: Signature, other: Signature | null): boolean =>
  one.name === other?.name && one.email === other.email

const person = (name: string, { email, name: fullName }: Signature): DocumentLine => ({
  line: [...StyledLine.field(name, fullName, "strong"), StyledLine.span(`  ${email}`, "muted")],
  copy: `${fullName} <${email}>`
})

const time =
  (name: string, { date }: Signature): LineAtTime =>
  (now) => ({
    line: [
      ...StyledLine.field(name, minutes(date)),
      StyledLine.span(`  ${RelativeTime.format(Date.parse(date), now)}`, "muted")
    ],
    copy: date
  })

/** Formats a time to the minute: `2026-01-02 03:04 UTC`. */
const minutes = (date: string): string => {
  const time = Date.parse(date)
  return Number.isNaN(time) ? date : `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`
}

const verification = (found: CommitSummary["commit"]["verification"]): ReadonlyArray<DocumentLine> => {
  if (found === undefined || found.reason === "unsigned") return []
  const text = found.verified ? "verified" : `not verified: ${found.reason.replaceAll("_", " ")}`
  return [{ line: StyledLine.field("signature", text, found.verified ? "success" : "warning") }]
}
