/** The commits of a branch, tag or commit. */
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { CommitSummary } from "@tongs/core/contract/Commits"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../../content/Document.ts"
import type { Document as DocumentContent, DocumentLine } from "../../content/Document.ts"
import { shortRef } from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import type { TableDefinition } from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as Revision from "./Revision.ts"

/** Items per page: the maximum of the API, so that long lists need few requests. */
const PER_PAGE = 100

/** Creates the table of a revision's commits. */
export const table = (at: Revision.Revision): TableDefinition<CommitSummary> => ({
  columns: [
    { header: "SHA", size: "fit" },
    { header: "SUBJECT", size: "grow" },
    { header: "AUTHOR", size: "fit", maxShare: 0.2, optional: 2 },
    { header: "AGE", size: "fit", align: "right", optional: 1 }
  ],
  noun: ["commit", "commits"],
  emptyMessage: { title: "No commits yet", hint: "Create the first one: git commit, then git push" },
  row: (item) => ({
    id: item.sha,
    title: `${shortRef(item.sha)} ${subjectOf(item)}`,
    copy: item.sha,
    route: Revision.commit(at, item.sha),
    webUrl: item.html_url,
    arguments: { ...Revision.repository(at), ref: item.sha, sha: item.sha, commit_sha: item.sha },
    value: item,
    cells: (now) => [
      StyledLine.line(shortRef(item.sha), "id"),
      [
        ...(item.parents.length > 1 ? [StyledLine.span("merge ", "muted")] : []),
        ...(item.commit.message.trim() === ""
          ? StyledLine.line("no message", "muted")
          : StyledLine.line(subjectOf(item)))
      ],
      StyledLine.line(item.author?.login ?? item.commit.author?.name ?? "", "accent"),
      StyledLine.line(
        item.commit.author === null ? "" : RelativeTime.format(Date.parse(item.commit.author.date), now),
        "muted"
      )
    ],
    preview: () => preview(item, at)
  })
})

const subjectOf = ({ commit }: CommitSummary): string => commit.message.split("\n", 1)[0] ?? ""

/** Creates the document of a commit without its changes. */
export const preview = (item: CommitSummary, at: Revision.Revision): DocumentContent =>
  Document.make(item.sha, (columns) => Document.fromLines(header(item, at, columns)), {
    webUrl: item.html_url,
    value: item
  })

/** Maximum width of prose in columns, for readability. */
const MAX_PROSE_WIDTH = 100

/** Formats the message, authors, parents and verification of a commit. */
export const header = (
  { commit, parents, sha }: CommitSummary,
  at: Revision.Revision,
  columns: number
): ReadonlyArray<DocumentLine | Document.LineAtTime> => {
  const [subject = "", ...body] = commit.message.trimEnd().split("\n")
  const measure = Math.min(columns, MAX_PROSE_WIDTH)
  const prose = body.join("\n").trim()
  const { author, committer, verification } = commit
  return [
    ...(subject === ""
      ? [{ line: StyledLine.line("no message", "muted") }]
      : StyledLine.wrap(subject, measure).map((part) => ({ line: StyledLine.line(part, "title") }))),
    { line: StyledLine.empty },
    ...(prose === ""
      ? []
      : [
          ...StyledLine.wrap(prose, measure).map((part) => ({ line: StyledLine.line(part) })),
          { line: StyledLine.empty }
        ]),
    { line: StyledLine.field("commit", sha, "id"), copy: sha },
    ...(author === null ? [] : [signature("author", author)]),
    ...(committer === null || (committer.name === author?.name && committer.date === author.date)
      ? []
      : [signature("committer", committer)]),
    ...parents.map((parent) => ({
      line: StyledLine.field("parent", shortRef(parent.sha), "link"),
      route: Revision.commit(at, parent.sha),
      copy: parent.sha
    })),
    ...(verification === undefined || verification.reason === "unsigned"
      ? []
      : [
          {
            line: StyledLine.field(
              "signature",
              verification.verified ? "verified" : `not verified: ${verification.reason.replaceAll("_", " ")}`,
              verification.verified ? "success" : "warning"
            )
          }
        ])
  ]
}

const signature =
  (
    name: string,
    person: { readonly name: string; readonly email: string; readonly date: string }
  ): Document.LineAtTime =>
  (now) => ({
    line: [
      ...StyledLine.field(name, person.name, "strong"),
      StyledLine.span(` <${person.email}>`, "muted"),
      StyledLine.span(`  ${RelativeTime.format(Date.parse(person.date), now)}`)
    ],
    copy: person.email
  })

const entry = entriesOfGroup("commits").find(({ name }) => name === "list")

/** The screen of `commits.list`. */
export const screen: Screen = {
  id: "commits.list",
  label: "log",
  entry,
  required: ["owner", "repo"],
  title: (values) => {
    const ref = text(values, "sha")
    return ref === "" ? "log" : shortRef(ref)
  },
  open: (environment, values) =>
    Source.fromPages(environment, {
      definition: table(Revision.of(values)),
      fetch: (forge, { cursor: _cursor, ...options }) => {
        const { sha: _sha, ...rest } = values
        const ref = text(values, "sha")
        return forge.commits.list(
          { ...rest, owner: text(values, "owner"), repo: text(values, "repo"), ...(ref === "" ? {} : { sha: ref }) },
          options
        ).first
      },
      isNumbered: true,
      perPage: PER_PAGE
    })
}
