/** The lists of repositories: of the account, of an organization, of another account. */
import { type CatalogEntry, entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Repository } from "@tongs/core/contract/groups/Repository"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../content/Document.ts"
import * as Route from "../content/Route.ts"
import * as PagedSource from "../content/PagedSource.ts"
import type * as Source from "../content/Source.ts"
import type { TableDefinition } from "../content/Table.ts"
import * as StyledLine from "../text/StyledLine.ts"
import * as ResourceScreens from "./ResourceScreens.ts"
import type { Screen } from "./Screen.ts"

/** Items per page. Each contains a complete repository, and the client does not cache much larger responses. */
const PER_PAGE = 50

export const table: TableDefinition<Repository> = {
  columns: [
    { header: "NAME", size: "fit", maxShare: 0.5 },
    { header: "DESCRIPTION", size: "grow", optional: 3 },
    { header: "LANGUAGE", size: "fit", maxShare: 0.15, optional: 2 },
    { header: "STATE", size: "fit", optional: 1 },
    { header: "PUSHED", size: "fit", align: "right" }
  ],
  noun: ["repository", "repositories"],
  emptyMessage: {
    title: "No repositories yet",
    hint: "Start tongs inside a git repository, or pass one with --repos DIR"
  },
  row: (repository) => {
    const values = { owner: repository.owner.login, repo: repository.name }
    return {
      id: repository.full_name,
      title: repository.full_name,
      copy: repository.full_name,
      route: Route.make("commits.list", values),
      webUrl: repository.html_url,
      arguments: values,
      value: repository,
      cells: (now) => [
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
      preview: () => preview(repository)
    }
  }
}

const preview = (self: Repository): Document.Document =>
  Document.make(
    self.full_name,
    (columns) =>
      Document.fromLines(
        [
          ...StyledLine.wrap(self.full_name, columns).map((part) => StyledLine.line(part, "title")),
          ...(self.description === null
            ? []
            : StyledLine.wrap(self.description, columns).map((part) => StyledLine.line(part))),
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
        ].map((line) => ({ line }))
      ),
    { webUrl: self.html_url, value: self }
  )

const screen = (entry: CatalogEntry): Screen => {
  const generic = ResourceScreens.make(entry)
  return {
    ...generic,
    label: "repositories",
    title: () => "repositories",
    open: (environment, values) =>
      PagedSource.make<Repository>(environment, {
        definition: table,
        // The items of all three lists have the schema of a repository.
        fetch: (forge, request) =>
          ResourceScreens.pageOf(entry, values)(forge, request) as ReturnType<Source.PagedList<Repository>["fetch"]>, // oxlint-disable-line typescript/no-unsafe-type-assertion -- decoded by this schema
        isNumbered: true,
        perPage: PER_PAGE
      })
  }
}

/** The screens of the lists of repositories. */
export const screens: ReadonlyArray<Screen> = entriesOfGroup("repositories")
  .filter(({ name }) => name.startsWith("listFor"))
  .map(screen)
