/** The lists of the terminal UI: their columns, and the rows for items of the contract. */
import type { Branch } from "@tongs/core/contract/Branches"
import type { CommitSummary } from "@tongs/core/contract/Commits"
import type { ContentEntry } from "@tongs/core/contract/Contents"
import type { Repository } from "@tongs/core/contract/Repository"
import type { CodeSearchItem, TextMatch } from "@tongs/core/contract/Search"
import type { Tag } from "@tongs/core/contract/Tags"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Preview from "./Preview.ts"
import * as ScreenContent from "./ScreenContent.ts"
import type { List, ListDefinition } from "./ScreenContent.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line, Span } from "../text/StyledLine.ts"
import { type Revision, shortRef } from "./Route.ts"

/** The list of the user's repositories. */
export const repositories: ListDefinition<Repository> = {
  columns: [
    { size: "fit", maxShare: 0.5 },
    { size: "grow", optional: 3 },
    { size: "fit", maxShare: 0.15, optional: 2 },
    { size: "fit", optional: 1 },
    { size: "fit", align: "right" }
  ],
  noun: ["repository", "repositories"],
  emptyMessage: {
    title: "No repositories yet",
    hint: "Start tongs inside a git repository, or pass one with --repos DIR"
  },
  rows: (repository, now) => [
    {
      id: repository.full_name,
      route: { _tag: "Repository", owner: repository.owner.login, repo: repository.name, tab: "log" },
      webUrl: repository.html_url,
      cells: [
        StyledLine.line(repository.full_name, "strong"),
        StyledLine.line(repository.description ?? "", "muted"),
        StyledLine.line(repository.language ?? "", "accent"),
        StyledLine.line(
          [repository.private ? "private" : "", repository.archived ? "archived" : ""].join(" ").trim(),
          "warning"
        ),
        StyledLine.line(
          repository.pushed_at === null ? "" : RelativeTime.format(Date.parse(repository.pushed_at), now),
          "muted"
        )
      ],
      preview: (columns) => Preview.repository(repository, columns)
    }
  ]
}

/** Creates the list of a repository's branches. */
export const branches = (at: Revision): ListDefinition<Branch> => ({
  columns: [{ size: "grow" }, { size: "fit", optional: 1 }, { size: "fit" }],
  noun: ["branch", "branches"],
  emptyMessage: { title: "No branches yet", hint: "Push a commit to create one: git push -u origin main" },
  rows: (branch) => [
    {
      id: branch.name,
      route: { ...at, _tag: "Repository", ref: branch.name, tab: "log" },
      cells: [
        StyledLine.line(branch.name),
        StyledLine.line(branch.protected ? "protected" : "", "accent"),
        StyledLine.line(shortRef(branch.commit.sha), "id")
      ]
    }
  ]
})

/** Marks the default branch in the list of branches. */
export const markDefault = (self: List, name: string): List =>
  ScreenContent.appendRows(
    { ...self, rows: [] },
    self.rows.map((row) =>
      row.id !== name
        ? row
        : {
            ...row,
            cells: [
              StyledLine.line(name, "strong"),
              [StyledLine.span("default ", "accent"), ...(row.cells[1] ?? [])],
              row.cells[2] ?? StyledLine.empty
            ]
          }
    ),
    self
  )

/** Creates the list of a repository's tags. */
export const tags = (at: Revision): ListDefinition<Tag> => ({
  columns: [{ size: "grow" }, { size: "fit" }],
  noun: ["tag", "tags"],
  emptyMessage: { title: "No tags yet", hint: "Create one for a release: git tag v1.0.0 && git push --tags" },
  rows: (tag) => [
    {
      id: tag.name,
      route: { ...at, _tag: "Repository", ref: tag.name, tab: "log" },
      cells: [StyledLine.line(tag.name), StyledLine.line(shortRef(tag.commit.sha), "id")]
    }
  ]
})

/** Creates the list of a revision's commits. */
export const log = (at: Revision): ListDefinition<CommitSummary> => ({
  columns: [
    { size: "fit" },
    { size: "grow" },
    { size: "fit", maxShare: 0.2, optional: 2 },
    { size: "fit", align: "right", optional: 1 }
  ],
  noun: ["commit", "commits"],
  emptyMessage: { title: "No commits yet", hint: "Create the first one: git commit, then git push" },
  rows: ({ sha, commit, author, html_url, parents }, now) => [
    {
      id: sha,
      route: { ...at, _tag: "Commit", sha },
      webUrl: html_url,
      cells: [
        StyledLine.line(shortRef(sha), "id"),
        [
          ...(parents.length > 1 ? [StyledLine.span("merge ", "muted")] : []),
          ...(commit.message.trim() === ""
            ? StyledLine.line("no message", "muted")
            : StyledLine.line(commit.message.split("\n", 1)[0] ?? ""))
        ],
        StyledLine.line(author?.login ?? commit.author?.name ?? "", "accent"),
        StyledLine.line(commit.author === null ? "" : RelativeTime.format(Date.parse(commit.author.date), now), "muted")
      ],
      preview: (columns) => Preview.commit(sha, commit, columns)
    }
  ]
})

const entries = (at: Revision): ListDefinition<ContentEntry> => ({
  columns: [{ size: "grow" }, { size: "fit", optional: 1 }, { size: "fit", align: "right" }],
  noun: ["entry", "entries"],
  emptyMessage: { title: "Empty folder", hint: "Esc goes back" },
  rows: (entry) => [
    {
      id: entry.path,
      route: { ...at, _tag: entry.type === "dir" ? "Folder" : "File", path: entry.path },
      webUrl: entry.html_url,
      cells: [
        entry.type === "dir" ? StyledLine.line(`${entry.name}/`, "accent") : StyledLine.line(entry.name),
        StyledLine.line(entry.type === "file" || entry.type === "dir" ? "" : entry.type, "muted"),
        StyledLine.line(entry.type === "file" ? NumberFormat.bytes(entry.size) : "", "muted")
      ]
    }
  ]
})

/** Creates the list of a folder's content: folders before files, each sorted by name. */
export const folder = (all: ReadonlyArray<ContentEntry>, at: Revision, now: number): List => {
  const rank = (entry: ContentEntry) => (entry.type === "dir" ? 0 : 1)
  const sorted = all.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, "en"))
  const kind = entries(at)
  return ScreenContent.appendRows(
    ScreenContent.emptyList(kind),
    sorted.flatMap((entry) => kind.rows(entry, now)),
    { total: all.length, isFullyLoaded: true, incompleteResults: false }
  )
}

/** Creates the list of code search results: one row for each matching line. */
export const search = (at: Revision, query: string): ListDefinition<CodeSearchItem> => ({
  columns: [{ size: "fit", maxShare: 0.4, truncate: "start" }, { size: "grow" }],
  noun: ["match", "matches"],
  emptyMessage: {
    title: `No matches for ${query}`,
    hint: "Try fewer or shorter words, or a qualifier: path:src extension:ts"
  },
  rows: (item) => {
    const found = (item.text_matches ?? []).filter((match) => match.property === "content").flatMap(matchingLines)
    return (found.length === 0 ? [undefined] : found).map((match) => ({
      id: item.path,
      route: { ...at, _tag: "File", path: item.path, find: match?.text },
      webUrl: item.html_url,
      cells: [StyledLine.line(item.path, "accent"), match?.line ?? StyledLine.empty]
    }))
  }
})

interface MatchingLine {
  /** The line as it is in the file, without changes for display. */
  readonly text: string
  readonly line: Line
}

/** Returns the lines of a fragment that contain matches, with the matches highlighted. */
const matchingLines = ({ fragment, matches }: TextMatch): ReadonlyArray<MatchingLine> => {
  const found: Array<MatchingLine> = []
  let start = 0
  for (const text of fragment.split("\n")) {
    const end = start + text.length
    const inside = matches
      .map(({ indices }) => [indices[0] ?? 0, indices[1] ?? 0] as const) // a pair
      .filter(([from, to]) => from >= start && to <= end && to > from)
      .toSorted((a, b) => a[0] - b[0])
    if (inside.length > 0) found.push({ text, line: highlighted(text, inside, start) })
    start = end + 1
  }
  return found
}

const highlighted = (text: string, matches: ReadonlyArray<readonly [number, number]>, offset: number): Line => {
  const indent = text.length - text.trimStart().length
  const spans: Array<Span> = []
  let at = indent
  for (const [from, to] of matches) {
    if (from - offset < at) continue
    spans.push(
      StyledLine.span(text.slice(at, from - offset)),
      StyledLine.span(text.slice(from - offset, to - offset), "match")
    )
    at = to - offset
  }
  spans.push(StyledLine.span(text.slice(at)))
  return spans.filter((span) => span.text !== "")
}
