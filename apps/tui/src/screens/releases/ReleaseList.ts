/** The releases of a repository. */
import * as Effect from "effect/Effect"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Release } from "@tongs/core/contract/groups/Releases"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as PagedSource from "../../content/PagedSource.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Route from "../../content/Route.ts"
import type { TableDefinition } from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as ReleaseDocument from "./ReleaseDocument.ts"

/** Releases per page. Each contains its notes, and the client does not cache much larger responses. */
const PER_PAGE = 30

/** Creates the table. `latest` returns the id of the latest release, if known. */
const table = (values: Arguments, latest: () => number | undefined): TableDefinition<Release> => ({
  hasHeader: true,
  columns: [
    { header: "TAG", size: "fit", maxShare: 0.4 },
    { header: "TITLE", size: "grow", optional: 1 },
    { header: "STATE", size: "fit" },
    { header: "ASSETS", size: "fit", align: "right", optional: 2 },
    { header: "AUTHOR", size: "fit", maxShare: 0.2, optional: 3 },
    { header: "PUBLISHED", size: "fit", align: "right" }
  ],
  noun: ["release", "releases"],
  emptyMessage: { title: "No releases", hint: "n creates one" },
  row: (release) => {
    const known = { owner: values["owner"], repo: values["repo"], release_id: release.id }
    return {
      id: String(release.id),
      title: `release ${release.tag_name}`,
      copy: release.tag_name,
      route: Route.make("releases.get", known),
      webUrl: release.html_url,
      arguments: { ...known, tag: release.tag_name },
      value: release,
      cells: (now) => [
        StyledLine.line(release.tag_name, release.draft ? "muted" : "id"),
        StyledLine.line(release.name ?? ""),
        ReleaseDocument.marks(release, latest()),
        StyledLine.line(NumberFormat.format(release.assets.length), "number"),
        StyledLine.line(release.author?.login ?? "", "muted"),
        StyledLine.line(
          release.published_at === null ? "" : RelativeTime.format(Date.parse(release.published_at), now),
          "muted"
        )
      ]
    }
  }
})

/** The screen of the releases of a repository. */
export const screen: Screen = {
  id: "releases.list",
  label: "releases",
  get entry() {
    return entriesOfGroup("releases").find(({ name }) => name === "list")
  },
  required: ["owner", "repo"],
  title: () => "releases",
  open: (environment, values) => {
    const repository = { owner: text(values, "owner"), repo: text(values, "repo") }
    let latest: number | undefined
    return PagedSource.make(environment, {
      definition: table(values, () => latest),
      fetch: (forge, { cursor: _cursor, ...options }) => forge.releases.list(repository, options).first,
      isNumbered: true,
      perPage: PER_PAGE,
      details: (forge, _, show) =>
        forge.releases.getLatest(repository, { priority: "interactive" }).pipe(
          Effect.flatMap(({ id }) => {
            latest = id
            return show
          }),
          Effect.catchTag("NotFound", () => Effect.void)
        )
    })
  }
}
