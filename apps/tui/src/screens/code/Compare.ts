/** A comparison of two revisions: the commits that one has and the other lacks, and the changes to files. */
import * as Stream from "effect/Stream"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { CommitSummary, Comparison } from "@tongs/core/contract/groups/Commits"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as Terminal from "@tongs/core/text/Terminal"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, LineAtTime } from "../../content/Document.ts"
import * as Source from "../../content/Source.ts"
import * as ShortAge from "../../text/ShortAge.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as ChangeCounts from "./ChangeCounts.ts"
import * as CommitMessage from "./CommitMessage.ts"
import * as FileDiffs from "./FileDiffs.ts"
import * as Highlighters from "./Highlighters.ts"
import * as Person from "./Person.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

const blank: DocumentLine = { line: StyledLine.empty }

/** Creates the document of a comparison. Starts at the file with the path `path`. */
export const document = (
  self: Comparison,
  at: RevisionArguments.Revision,
  basehead: string,
  path?: string
): Document.Document => {
  const [base = "", head = ""] = basehead.split("...")
  const changes: FileDiffs.FileDiffs = {
    files: self.files ?? [],
    head: { ...at, ref: self.commits.at(-1)?.sha ?? self.merge_base_commit.sha },
    base: { ...at, ref: self.merge_base_commit.sha },
    fileRoute: (path) => RevisionArguments.compare(at, base, head, path),
    highlighterOf: Highlighters.of,
    note: (self.files ?? []).length < MAX_FILES ? undefined : `The forge returns the first ${MAX_FILES} files`
  }
  return Document.make(
    basehead,
    (columns) => FileDiffs.layout(changes, header(self, at, [base, head], columns), columns, path),
    { webUrl: self.html_url, value: self, isDiff: true }
  )
}

/** Number of files of a comparison that the API returns at most. */
const MAX_FILES = 300

const header = (
  self: Comparison,
  at: RevisionArguments.Revision,
  [base, head]: readonly [string, string],
  columns: number
): ReadonlyArray<DocumentLine | LineAtTime> => {
  const missing = self.total_commits - self.commits.length
  return [
    ...StyledLine.wrap(`${AbbreviatedId.of(head)} compared with ${AbbreviatedId.of(base)}`, columns).map((text) => ({
      line: StyledLine.line(text, "title")
    })),
    blank,
    { line: position(self) },
    {
      line: StyledLine.field("base", AbbreviatedId.of(self.merge_base_commit.sha), "link"),
      route: RevisionArguments.commit(at, self.merge_base_commit.sha),
      copy: self.merge_base_commit.sha
    },
    {
      line: [...StyledLine.field("reverse", `${AbbreviatedId.of(head)}...${AbbreviatedId.of(base)}`, "link")],
      route: RevisionArguments.compare(at, head, base)
    },
    ...(self.commits.length === 0 ? [] : [blank]),
    ...self.commits.toReversed().map((commit) => commitLine(commit, at, columns)),
    ...(missing > 0
      ? [{ line: StyledLine.line(`and ${NumberFormat.quantity(missing, "older commit")}`, "muted") }]
      : []),
    blank,
    { line: summary(self) }
  ]
}

const position = ({ ahead_by: ahead, behind_by: behind }: Comparison): Line => {
  if (ahead === 0 && behind === 0) return StyledLine.field("position", "identical")
  return [
    ...StyledLine.field("position", NumberFormat.quantity(ahead, "commit"), ahead > 0 ? "added" : "muted"),
    StyledLine.span(" ahead, "),
    StyledLine.span(NumberFormat.quantity(behind, "commit"), behind > 0 ? "removed" : "muted"),
    StyledLine.span(" behind")
  ]
}

/** Width of the columns with the author and the age. */
const AUTHOR_WIDTH = 12
const AGE_WIDTH = 5

const commitLine =
  (item: CommitSummary, at: RevisionArguments.Revision, columns: number): LineAtTime =>
  (now) => {
    const sha = AbbreviatedId.of(item.sha)
    const room = Math.max(8, Math.min(columns, 140) - Terminal.width(sha) - AUTHOR_WIDTH - AGE_WIDTH - 6)
    const { author, message } = item.commit
    return {
      line: [
        StyledLine.span(`${sha}  `, "id"),
        ...StyledLine.fit(StyledLine.line(CommitMessage.subject(message)), room),
        StyledLine.span("  "),
        ...StyledLine.fit(Person.line(author?.name ?? ""), AUTHOR_WIDTH),
        ...StyledLine.fit(
          StyledLine.line(author === null ? "" : ShortAge.format(Date.parse(author.date), now), "muted"),
          AGE_WIDTH,
          "right"
        )
      ],
      route: RevisionArguments.commit(at, item.sha),
      copy: item.sha,
      title: `${sha} ${CommitMessage.subject(message)}`,
      arguments: { ref: item.sha, commit_sha: item.sha }
    }
  }

const summary = ({ files = [] }: Comparison): Line => [
  StyledLine.span(files.length === 0 ? "No files changed" : `${NumberFormat.quantity(files.length, "file")} changed  `),
  ...ChangeCounts.line(
    files.reduce((sum, { additions }) => sum + additions, 0),
    files.reduce((sum, { deletions }) => sum + deletions, 0)
  )
]

/** The screen of `commits.compare`. The argument `path` is the file to start at. */
export const screen: Screen = {
  id: "commits.compare",
  label: "compare",
  entry: entriesOfGroup("commits").find(({ name }) => name === "compare"),
  required: ["owner", "repo", "basehead"],
  title: (values) => text(values, "basehead").split("...").map(AbbreviatedId.of).join("..."),
  open: (environment, values) => {
    const { owner, repo } = RevisionArguments.of(values)
    const basehead = text(values, "basehead")
    const path = text(values, "path")
    return Source.fromStream(environment, (forge, options) =>
      Stream.fromEffect(forge.commits.compare({ owner, repo, basehead }, options)).pipe(
        Stream.flatMap((found) =>
          Highlighters.emitTwice(
            (found.files ?? []).map(({ filename }) => filename),
            ResponseAge.age(found),
            () => document(found, { owner, repo }, basehead, path === "" ? undefined : path)
          )
        )
      )
    )
  }
}
