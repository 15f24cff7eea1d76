/** The commits of a branch, tag or commit. */
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { CommitSummary } from "@tongs/core/contract/groups/Commits"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as Document from "../../content/Document.ts"
import * as PagedSource from "../../content/PagedSource.ts"
import type { TableColumn, TableDefinition } from "../../content/Table.ts"
import * as ShortAge from "../../text/ShortAge.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as CommitHeader from "./CommitHeader.ts"
import * as CommitMessage from "./CommitMessage.ts"
import * as Person from "./Person.ts"
import * as RefLabels from "./RefLabels.ts"
import * as RevisionArguments from "./RevisionArguments.ts"
import * as Uncommitted from "./Uncommitted.ts"

/** Items per page: the maximum of the API, so that long lists need few requests. */
const PER_PAGE = 100

/** The columns of lists of commits. The subject takes the remaining width. */
export const columns: ReadonlyArray<TableColumn> = [
  { header: "SHA", size: "fit" },
  { header: "SUBJECT", size: "grow" },
  { header: "AUTHOR", size: "fit", optional: 2 },
  { header: "AGE", size: "fit", align: "right", optional: 1 }
]

/** Creates the table of a revision's commits. */
export const table = (
  at: RevisionArguments.Revision,
  labels: Pick<RefLabels.RefLabels, "of"> = { of: () => StyledLine.empty }
): TableDefinition<CommitSummary> => ({
  columns,
  noun: ["commit", "commits"],
  emptyMessage: { title: "No commits yet", hint: "Create the first one: git commit, then git push" },
  row: (item) => ({
    id: item.sha,
    title: `${AbbreviatedId.of(item.sha)} ${CommitMessage.subject(item.commit.message)}`,
    copy: item.sha,
    route: RevisionArguments.commit(at, item.sha),
    webUrl: item.html_url,
    arguments: {
      ...RevisionArguments.repository(at),
      ref: item.sha,
      sha: item.sha,
      commit_sha: item.sha,
      "gitRefs.sha": item.sha
    },
    value: item,
    cells: (now) => [
      StyledLine.line(AbbreviatedId.of(item.sha), "id"),
      [...labels.of(item.sha), ...subject(item)],
      Person.line(item.commit.author?.name ?? item.author?.login ?? ""),
      StyledLine.line(ShortAge.format(timeOf(item), now), "muted")
    ],
    preview: () =>
      Document.make(
        item.sha,
        (columns) =>
          Document.fromLines([
            ...(labels.of(item.sha).length === 0 ? [] : [{ line: labels.of(item.sha) }]),
            ...CommitHeader.lines(item, at, columns)
          ]),
        { webUrl: item.html_url, value: item }
      )
  })
})

/** Returns the time that orders the log: the committer's. A rebased commit keeps the author's time. */
const timeOf = ({ commit }: CommitSummary): number => Date.parse((commit.committer ?? commit.author)?.date ?? "")

const subject = ({ commit, parents }: CommitSummary): Line => {
  const text = CommitMessage.subject(commit.message).trim()
  if (text === "") return StyledLine.line("no message", "muted")
  if (parents.length < 2) return StyledLine.line(text)
  return [StyledLine.span(/^merge\b/i.test(text) ? "" : "merge ", "muted"), StyledLine.span(text, "muted")]
}

/** The screen of `commits.list`. */
export const screen: Screen = {
  id: "commits.list",
  label: "log",
  entry: entriesOfGroup("commits").find(({ name }) => name === "list"),
  required: ["owner", "repo"],
  title: (values) => {
    const ref = text(values, "sha")
    return ref === "" ? "log" : AbbreviatedId.of(ref)
  },
  open: (environment, values) => {
    const at = RevisionArguments.of(values)
    const labels = RefLabels.make(RevisionArguments.repository(at))
    return PagedSource.make(environment, {
      definition: table(at, labels),
      fetch: (forge, { cursor: _cursor, ...options }) => {
        const { sha: _sha, ...rest } = values
        const { ref } = at
        const input = { ...rest, ...RevisionArguments.repository(at), ...(ref === undefined ? {} : { sha: ref }) }
        return forge.commits.list(input, options).first
      },
      isNumbered: true,
      perPage: PER_PAGE,
      details: (forge, _visible, show) => labels.load(forge, show),
      ...(at.ref === undefined ? { above: (forge, options) => Uncommitted.rows(forge, at, options) } : {})
    })
  }
}
