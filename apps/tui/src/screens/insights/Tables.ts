/** The tables of request statistics: the callers with the number of requests, and the routes of a caller. */
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { RouteStats, SubjectStats } from "@tongs/core/contract/groups/Insights"
import * as Relations from "@tongs/core/contract/Relations"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../../content/Document.ts"
import type { DocumentLine } from "../../content/Document.ts"
import * as Route from "../../content/Route.ts"
import type { Arguments } from "../../content/Route.ts"
import type { TableDefinition } from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import * as Grid from "../organization/Grid.ts"
import { blank } from "../organization/Heading.ts"
import { text } from "../Screen.ts"
import * as Statistics from "./Statistics.ts"

/** Number of callers in the summary. */
const MAX_CALLERS = 8

const noRequests = { title: "No requests in this time", hint: "Press ] for a longer time" }

const subjectEntry = () => entriesOfGroup("insights").find(({ name }) => name === "getSubjectStats")

/** Returns the further screens of a caller: an actor's requests by route, or a user's totals. */
const linkOf = (
  item: SubjectStats,
  values: Arguments
): { readonly arguments: Arguments; readonly route: Route.Route } => {
  const entry = subjectEntry()
  const known = entry === undefined ? {} : Relations.argumentsOf(entry, values, item)
  const shared = { org: text(values, "org"), actor_name: item.subject_name, ...periodOf(values) }
  const route =
    item.subject_type === "user"
      ? Route.make("insights.getSummaryStatsByUser", { ...shared, user_id: String(item.subject_id) })
      : Route.make("insights.getRouteStatsByActor", {
          ...shared,
          actor_type: item.subject_type,
          actor_id: item.subject_id
        })
  return { arguments: known, route }
}

const periodOf = (values: Arguments): Arguments =>
  Object.fromEntries(
    ["period", "min_timestamp", "max_timestamp"].flatMap((name) =>
      values[name] === undefined ? [] : [[name, values[name]]]
    )
  )

/** Formats the name of a type: `classic_pat` as `classic pat`. */
export const words = (name: string): string => name.replaceAll("_", " ")

/** Formats the callers with the most requests. */
export const callers = (
  items: ReadonlyArray<SubjectStats>,
  values: Arguments,
  columns: number
): ReadonlyArray<DocumentLine> => {
  const most = items.reduce((most, item) => Math.max(most, item.total_request_count), 0)
  const total = items.reduce((sum, item) => sum + item.total_request_count, 0)
  return Grid.lines(
    [
      { header: "CALLER", size: "grow" },
      { header: "TYPE", size: "fit", optional: 2 },
      { header: "REQUESTS", size: "fit", align: "right" },
      { header: "SHARE", size: "fit", align: "right", optional: 1 },
      { header: "", size: "fit", optional: 3 },
      { header: "RATE LIMITED", size: "fit", align: "right" }
    ],
    items.slice(0, MAX_CALLERS).map((item) => ({
      ...linkOf(item, values),
      copy: item.subject_name,
      title: item.subject_name,
      cells: [
        StyledLine.line(item.subject_name, "strong"),
        StyledLine.line(words(item.subject_type), "muted"),
        StyledLine.line(NumberFormat.format(item.total_request_count)),
        StyledLine.line(Statistics.share(item.total_request_count, total), "muted"),
        Statistics.bar(item, most),
        limitedCell(item)
      ]
    })),
    columns
  )
}

/** Formats the number of rate limited requests. */
export const limitedCell = ({ rate_limited_request_count: limited }: Statistics.Counts): Line =>
  StyledLine.line(limited === 0 ? "none" : NumberFormat.format(limited), limited === 0 ? "muted" : "error")

const lastColumn = { header: "LAST", size: "fit", align: "right", optional: 1 } as const // literal types

const age = (timestamp: string | null | undefined, now: number) =>
  StyledLine.line(typeof timestamp !== "string" ? "" : RelativeTime.format(Date.parse(timestamp), now), "muted")

/** Creates the table of callers. `largest` returns the largest total, for the bars. */
export const subjects = (values: Arguments, largest: () => number): TableDefinition<SubjectStats> => ({
  columns: [
    { header: "CALLER", size: "grow" },
    { header: "TYPE", size: "fit", optional: 2 },
    { header: "REQUESTS", size: "fit", align: "right" },
    { header: "", size: "fit", optional: 3 },
    { header: "LIMITED", size: "fit", align: "right" },
    lastColumn
  ],
  noun: ["caller", "callers"],
  hasHeader: true,
  emptyMessage: noRequests,
  row: (item) => ({
    ...linkOf(item, values),
    id: `${item.subject_type} ${item.subject_id}`,
    title: item.subject_name,
    copy: item.subject_name,
    value: item,
    cells: (now) => [
      StyledLine.line(item.subject_name, "strong"),
      StyledLine.line(words(item.subject_type), "muted"),
      StyledLine.line(NumberFormat.format(item.total_request_count)),
      Statistics.bar(item, largest()),
      limitedCell(item),
      age(item.last_request_timestamp, now)
    ],
    preview: () => subjectPreview(item)
  })
})

const subjectPreview = (item: SubjectStats): Document.Document =>
  Document.make(item.subject_name, (columns) =>
    Document.fromLines([
      ...StyledLine.wrap(item.subject_name, columns).map((part) => ({ line: StyledLine.line(part, "title") })),
      { line: StyledLine.line(`${words(item.subject_type)} ${item.subject_id}`, "muted") },
      blank,
      ...Statistics.totals(item, columns),
      blank,
      (now) => ({ line: [StyledLine.span("last request       ", "muted"), ...age(item.last_request_timestamp, now)] }),
      (now) => ({
        line: [
          StyledLine.span("last rate limited  ", "muted"),
          ...(typeof item.last_rate_limited_timestamp !== "string"
            ? StyledLine.line("never")
            : age(item.last_rate_limited_timestamp, now))
        ]
      })
    ])
  )

/** Creates the table of a caller's routes. */
export const routes = (largest: () => number): TableDefinition<RouteStats> => ({
  columns: [
    { header: "METHOD", size: "fit" },
    { header: "ROUTE", size: "grow" },
    { header: "REQUESTS", size: "fit", align: "right" },
    { header: "", size: "fit", optional: 3 },
    { header: "LIMITED", size: "fit", align: "right" },
    lastColumn
  ],
  noun: ["route", "routes"],
  hasHeader: true,
  emptyMessage: noRequests,
  row: (item) => ({
    id: `${item.http_method} ${item.api_route}`,
    title: `${item.http_method} ${item.api_route}`,
    copy: item.api_route,
    arguments: {},
    value: item,
    cells: (now) => [
      StyledLine.line(item.http_method, "accent"),
      StyledLine.line(item.api_route),
      StyledLine.line(NumberFormat.format(item.total_request_count), "strong"),
      Statistics.bar(item, largest()),
      limitedCell(item),
      age(item.last_request_timestamp, now)
    ]
  })
})
