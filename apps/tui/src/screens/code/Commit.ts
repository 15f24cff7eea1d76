/** A commit: message, authors, and changes to files. */
import * as Stream from "effect/Stream"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Commit } from "@tongs/core/contract/groups/Commits"
import * as Relations from "@tongs/core/contract/Relations"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as PathText from "@tongs/core/text/PathText"
import * as Document from "../../content/Document.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as ChangeCounts from "./ChangeCounts.ts"
import * as CommitHeader from "./CommitHeader.ts"
import * as FileDiffs from "./FileDiffs.ts"
import * as Highlighters from "./Highlighters.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

const entry = entriesOfGroup("commits").find(({ name }) => name === "get")

/** Creates the document of a commit. Starts at the file with the path `path`. */
export const document = (self: Commit, at: RevisionArguments.Revision, path?: string): Document.Document => {
  const [parent] = self.parents
  const values: Arguments = { ...RevisionArguments.repository(at) }
  const known = entry === undefined ? values : { ...values, ...Relations.argumentsOf(entry, values, self) }
  const changes: FileDiffs.FileDiffs = {
    files: self.files ?? [],
    head: { ...at, ref: self.sha },
    base: parent === undefined ? undefined : { ...at, ref: parent.sha },
    fileRoute: (path) => RevisionArguments.commit(at, self.sha, path),
    highlighterOf: Highlighters.of,
    note: missingFiles(self)
  }
  return Document.make(
    self.sha,
    (columns) => {
      const head = [...CommitHeader.lines(self, at, columns), { line: StyledLine.empty }, { line: summary(self) }]
      const layout = FileDiffs.layout(changes, head, columns, path)
      return {
        ...layout,
        lineAt: (index, now) => {
          const line = layout.lineAt(index, now)
          return { ...line, arguments: { ...known, ...line.arguments } }
        }
      }
    },
    { webUrl: self.html_url, value: self, isDiff: true }
  )
}

const summary = ({ files = [], parents, stats }: Commit): Line => {
  const additions = stats?.additions ?? files.reduce((sum, file) => sum + file.additions, 0)
  const deletions = stats?.deletions ?? files.reduce((sum, file) => sum + file.deletions, 0)
  return [
    StyledLine.span(
      files.length === 0 ? "No files changed" : `${NumberFormat.quantity(files.length, "file")} changed  `
    ),
    ...ChangeCounts.line(additions, deletions),
    ...(parents.length > 1 ? [StyledLine.span("  compared with the first parent", "muted")] : [])
  ]
}

/** Number of files of a commit that the API returns at once. */
const MAX_FILES = 300

/** Returns the note that files are missing, because the API returns only the first of a large commit. */
const missingFiles = ({ files = [], stats }: Commit): string | undefined => {
  if (files.length < MAX_FILES) return undefined
  const shown = files.reduce((sum, { changes }) => sum + changes, 0)
  const missing = stats?.total === undefined ? undefined : stats.total - shown
  if (missing === 0) return undefined
  const lines =
    missing === undefined || missing < 0 ? "" : ` ${NumberFormat.quantity(missing, "changed line")} are in more files.`
  return `These are the first ${files.length} files of the commit.${lines}`
}

/** The screen of `commits.get`. The argument `path` is the file to start at. */
export const screen: Screen = {
  id: "commits.get",
  label: "commit",
  entry,
  required: ["owner", "repo", "ref"],
  title: (values) => {
    const name = PathText.nameOf(text(values, "path"))
    return `${AbbreviatedId.of(text(values, "ref"))}${name === "" ? "" : ` ${name}`}`
  },
  open: (environment, values) => {
    const { owner, ref = "", repo } = RevisionArguments.of(values)
    const path = text(values, "path")
    return Source.fromStream(environment, (forge, options) =>
      Stream.fromEffect(forge.commits.get({ owner, repo, ref }, options)).pipe(
        Stream.flatMap((commit) =>
          Highlighters.emitTwice(
            (commit.files ?? []).map(({ filename }) => filename),
            ResponseAge.age(commit),
            () => document(commit, { owner, repo }, path === "" ? undefined : path)
          )
        )
      )
    )
  }
}
