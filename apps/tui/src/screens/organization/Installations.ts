/** The apps that are installed in an organization. */
import type * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Forge } from "@tongs/core/client/Forge"
import type { Failure } from "@tongs/core/contract/Failure"
import type { Installation } from "@tongs/core/contract/groups/Installations"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../../content/Document.ts"
import type { DocumentLine } from "../../content/Document.ts"
import type { Content } from "../../content/Content.ts"
import * as Route from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as Table from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as Grid from "./Grid.ts"
import { blank, type Fact, fact, heading } from "./Heading.ts"

/** Maximum number of installations of the account among which the organization's installations are searched. */
const MAX_SEARCHED = 1_000

/** Returns the installations in an organization that the account can access. */
export const list = (
  forge: Forge["Service"],
  org: string,
  options: Source.LoadOptions
): Effect.Effect<ReadonlyArray<Installation>, Failure> =>
  forge.installations.listForAuthenticatedUser({ ...options, perPage: 100 }).items.pipe(
    Stream.take(MAX_SEARCHED),
    Stream.filter(({ account }) => account?.login.toLowerCase() === org.toLowerCase()),
    Stream.runCollect
  )

const nameOf = ({ app_id, app_slug }: Installation): string => app_slug ?? `app ${app_id}`

const cells = (item: Installation): ReadonlyArray<Line> => [
  StyledLine.line(nameOf(item), "strong"),
  StyledLine.line(permissionsOf(item), "muted"),
  StyledLine.line(repositoriesOf(item)),
  stateOf(item)
]

const permissionsOf = ({ permissions }: Installation): string =>
  Object.entries(permissions)
    .map(([name, level]) => `${name.replaceAll("_", " ")} ${level}`)
    .join(", ")

const repositoriesOf = ({ repository_selection }: Installation): string =>
  repository_selection === undefined ? "" : `${repository_selection} repositories`

const stateOf = ({ suspended_at }: Installation): Line =>
  typeof suspended_at === "string" ? StyledLine.line("suspended", "warning") : StyledLine.line("active", "success")

const columnsOf: ReadonlyArray<Table.TableColumn> = [
  { header: "APP", size: "fit", maxShare: 0.4 },
  { header: "PERMISSIONS", size: "grow" },
  { header: "REPOSITORIES", size: "fit", optional: 1 },
  { header: "STATE", size: "fit" }
]

const routeOf = ({ id }: Installation, org: string): Route.Route =>
  Route.make("installedApp", { org, installation_id: id })

const requestsOf = (item: Installation, org: string): Route.Route =>
  Route.make("insights.getRouteStatsByActor", {
    org,
    actor_type: "installation",
    actor_id: item.id,
    actor_name: nameOf(item)
  })

/** Formats installations as lines of a document. Enter opens an installation. */
export const lines = (items: ReadonlyArray<Installation>, org: string, columns: number): ReadonlyArray<DocumentLine> =>
  items.length === 0
    ? [{ line: StyledLine.line("No installed apps that this account can access", "muted") }]
    : Grid.lines(
        columnsOf,
        items.map((item) => ({
          cells: cells(item),
          route: routeOf(item, org),
          title: nameOf(item),
          copy: nameOf(item)
        })),
        columns
      )

const table = (org: string): Table.TableDefinition<Installation> => ({
  columns: columnsOf,
  noun: ["installation", "installations"],
  hasHeader: true,
  emptyMessage: {
    title: "No installed apps",
    hint: "The list contains only the installations that this account can access"
  },
  row: (item) => ({
    id: String(item.id),
    title: nameOf(item),
    copy: nameOf(item),
    webUrl: item.html_url,
    route: routeOf(item, org),
    arguments: { org, actor_type: "installation", actor_id: item.id },
    value: item,
    cells: () => cells(item),
    preview: () => document(item, org)
  })
})

export const document = (self: Installation, org: string): Document.Document =>
  Document.make(
    nameOf(self),
    (columns) => {
      const facts: ReadonlyArray<Fact> = [
        { name: "installation", value: String(self.id), role: "id" },
        { name: "app", value: String(self.app_id), role: "id" },
        { name: "repositories", value: repositoriesOf(self) },
        { name: "events", value: self.events.length === 0 ? "none" : self.events.join(", ") }
      ]
      return Document.fromLines([
        ...StyledLine.wrap(nameOf(self), columns).map((part) => ({ line: StyledLine.line(part, "title") })),
        blank,
        ...facts.flatMap((one) => fact(one, columns)),
        (now) => fact({ name: "updated", value: ageOf(self.updated_at, now) }, columns)[0] ?? blank,
        ...(typeof self.suspended_at === "string"
          ? fact({ name: "suspended by", value: self.suspended_by?.login ?? "unknown", role: "warning" }, columns)
          : []),
        blank,
        { line: StyledLine.line("Requests of the last 30 days by route", "link"), route: requestsOf(self, org) },
        blank,
        heading("Permissions"),
        ...Object.entries(self.permissions).flatMap(([name, level]) =>
          fact({ name: name.replaceAll("_", " "), value: level, role: level === "read" ? "plain" : "warning" }, columns)
        )
      ])
    },
    { value: self, webUrl: self.html_url }
  )

const ageOf = (timestamp: string | undefined, now: number): string =>
  timestamp === undefined ? "" : RelativeTime.format(Date.parse(timestamp), now)

const installedApps: Screen = {
  id: "installedApps",
  label: "installed apps",
  required: ["org"],
  title: () => "installed apps",
  open: (environment, values) => {
    const org = text(values, "org")
    const definition = table(org)
    return Source.fromEffect(
      environment,
      (forge, options) => list(forge, org, options),
      (items) => Table.make(definition, Table.fromRows(items.map(definition.row)))
    )
  }
}

const installedApp: Screen = {
  id: "installedApp",
  label: "installed app",
  required: ["org", "installation_id"],
  title: (values) => `installation ${text(values, "installation_id")}`,
  open: (environment, values) => {
    const [org, id] = [text(values, "org"), text(values, "installation_id")]
    return Source.fromEffect(
      environment,
      (forge, options) => list(forge, org, options),
      (items): Content => {
        const found = items.find((item) => String(item.id) === id)
        return found === undefined
          ? { _tag: "Notice", id, title: "Not found", hint: "The app may have been uninstalled. Press Esc to go back" }
          : document(found, org)
      }
    )
  }
}

/** The screens of the apps that are installed in an organization: the list, and one app. */
export const screens: ReadonlyArray<Screen> = [installedApps, installedApp]
