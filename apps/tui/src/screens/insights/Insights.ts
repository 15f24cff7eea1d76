/** The statistics of an organization's API requests: in total, over time, by caller and by route. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Document from "../../content/Document.ts"
import type { DocumentLine } from "../../content/Document.ts"
import type { Arguments } from "../../content/Route.ts"
import * as PagedSource from "../../content/PagedSource.ts"
import * as Source from "../../content/Source.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as Grid from "../organization/Grid.ts"
import { blank, heading, periods } from "../organization/Heading.ts"
import * as Part from "../organization/Part.ts"
import { type Screen, text } from "../Screen.ts"
import * as Period from "./Period.ts"
import * as Statistics from "./Statistics.ts"
import * as Tables from "./Tables.ts"

/** Items per page: the maximum of the API. */
const PER_PAGE = 100

const entryOf = (name: string) => entriesOfGroup("insights").find((entry) => entry.name === name)

const screen = (
  name: string,
  label: string,
  required: ReadonlyArray<string>,
  open: Screen["open"],
  title: (values: Arguments) => string = () => label
): Screen => ({
  id: `insights.${name}`,
  label,
  // Created on first use, because the first frame does not need this object.
  get entry() {
    return entryOf(name)
  },
  required,
  title: (values) => `${title(values)}, ${Period.of(values).label}`,
  defaults: (now) => ({ ...Period.query({}, now), timestamp_increment: Period.of({}).increment }),
  changePeriod: (values, step) => Period.change(values, step),
  open
})

const periodLine = (values: Arguments, columns: number): DocumentLine => {
  const { label } = Period.of(values)
  return periods(
    Period.all.map((period) => period.label),
    label,
    columns
  )
}

/** Number of lines of the chart in the summary, and of the chart on a separate screen. */
const SUMMARY_ROWS = 9
const CHART_ROWS = 14

const summary = screen("getSummaryStats", "summary", ["org"], (environment, values) =>
  Source.fromEffect(
    environment,
    (forge, options) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const period = Period.of(values)
        const query = { org: text(values, "org"), ...Period.query(values, now) }
        const parts = yield* Effect.all(
          {
            totals: Part.load(forge.insights.getSummaryStats(query, options)),
            times: Part.load(forge.insights.getTimeStats({ ...query, timestamp_increment: period.increment }, options)),
            subjects: Part.load(forge.insights.getSubjectStats(query, { ...options, perPage: PER_PAGE }).first)
          },
          { concurrency: 3 }
        )
        yield* Part.failIfAll(Object.values(parts))
        return { ...parts, now, period }
      }),
    ({ now, period, subjects, times, totals }) =>
      Document.make(
        text(values, "org"),
        (columns) =>
          Document.fromLines([
            periodLine(values, columns),
            blank,
            ...Part.lines(totals, columns, (counts) => Statistics.totals(counts, columns)),
            blank,
            heading("Callers with the most requests. Enter shows their routes"),
            ...Part.lines(subjects, columns, ({ items }) =>
              items.length === 0
                ? [{ line: StyledLine.line("No requests in this time", "muted") }]
                : Tables.callers(items, values, columns)
            ),
            blank,
            heading(`Requests per ${period.increment === "1h" ? "hour" : "day"} (UTC)`),
            ...Part.lines(times, columns, (stats) =>
              Statistics.overTime(stats, period, now, { columns, rows: SUMMARY_ROWS })
            )
          ]),
        { value: Part.value(totals) }
      ),
    ({ subjects, times, totals }) => Part.age([totals, times, subjects])
  )
)

const overTime = screen("getTimeStats", "over time", ["org"], (environment, values) =>
  Source.fromEffect(
    environment,
    (forge, options) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const wanted = text(values, "timestamp_increment")
        const period: Period.Period = {
          ...Period.of(values),
          ...(wanted === "1h" || wanted === "1d" ? { increment: wanted } : {})
        }
        const timestamp_increment = wanted === "" ? period.increment : wanted
        const query = { org: text(values, "org"), ...Period.query(values, now), timestamp_increment }
        const stats = yield* forge.insights.getTimeStats(query, options)
        return { stats, now, period }
      }),
    ({ now, period, stats }) =>
      Document.make(text(values, "org"), (columns) => {
        const intervals = stats
          .toReversed()
          .map(({ timestamp, ...counts }) => ({ ...counts, time: Date.parse(timestamp) }))
        const most = intervals.reduce((most, { total_request_count }) => Math.max(most, total_request_count), 0)
        return Document.fromLines([
          periodLine(values, columns),
          blank,
          heading(`Requests per ${period.increment === "1h" ? "hour" : "day"} (UTC)`),
          ...Statistics.overTime(stats, period, now, { columns, rows: CHART_ROWS }),
          ...(stats.length === 0
            ? []
            : [
                blank,
                ...Grid.lines(
                  [
                    { header: "TIME", size: "grow" },
                    { header: "REQUESTS", size: "fit", align: "right" },
                    { header: "RATE LIMITED", size: "fit", align: "right" },
                    { header: "", size: "fit", optional: 1 }
                  ],
                  intervals.map((counts) => ({
                    cells: [
                      StyledLine.line(Statistics.longLabel(counts.time, period)),
                      StyledLine.line(NumberFormat.format(counts.total_request_count), "strong"),
                      Tables.limitedCell(counts),
                      Statistics.bar(counts, most)
                    ]
                  })),
                  columns
                )
              ])
        ])
      }),
    ({ stats }) => Part.age([Part.succeed(stats)])
  )
)

/** Returns the requests of pages, which record the largest total for the bars. */
const recorder = () => {
  let largest = 0
  return {
    largest: () => largest,
    record: (page: { readonly items: ReadonlyArray<Statistics.Counts> }) => {
      for (const item of page.items) largest = Math.max(largest, item.total_request_count)
    }
  }
}

const subjects = screen("getSubjectStats", "by caller", ["org"], (environment, values) => {
  const { largest, record } = recorder()
  return PagedSource.make(environment, {
    definition: Tables.subjects(values, largest),
    fetch: (forge, { cursor: _cursor, ...request }) =>
      Effect.gen(function* () {
        const query = { org: text(values, "org"), ...Period.query(values, yield* Clock.currentTimeMillis) }
        return yield* Effect.tap(forge.insights.getSubjectStats(query, request).first, (page) =>
          Effect.sync(() => record(page))
        )
      }),
    isNumbered: true,
    perPage: PER_PAGE
  })
})

const actorTitle = (values: Arguments): string =>
  text(values, "actor_name") || `${Tables.words(text(values, "actor_type"))} ${text(values, "actor_id")}`

const routes = screen(
  "getRouteStatsByActor",
  "routes",
  ["org", "actor_type", "actor_id"],
  (environment, values) => {
    const { largest, record } = recorder()
    return PagedSource.make(environment, {
      definition: Tables.routes(largest),
      fetch: (forge, { cursor: _cursor, ...request }) =>
        Effect.gen(function* () {
          const query = { ...actorOf(values), ...Period.query(values, yield* Clock.currentTimeMillis) }
          return yield* Effect.tap(forge.insights.getRouteStatsByActor(query, request).first, (page) =>
            Effect.sync(() => record(page))
          )
        }),
      isNumbered: true,
      perPage: PER_PAGE
    })
  },
  actorTitle
)

const actorOf = (values: Arguments) => ({
  org: text(values, "org"),
  actor_type: text(values, "actor_type"),
  actor_id: Number(text(values, "actor_id"))
})

/** Creates the document with the totals of one caller. */
const totalsDocument = (name: string, counts: Statistics.Counts, values: Arguments, note: string): Document.Document =>
  Document.make(
    name,
    (columns) =>
      Document.fromLines([
        ...StyledLine.wrap(name, columns).map((part) => ({ line: StyledLine.line(part, "title") })),
        periodLine(values, columns),
        blank,
        ...Statistics.totals(counts, columns),
        ...(note === "" ? [] : [blank, ...StyledLine.wrap(note, columns).map(mutedLine)])
      ]),
    { value: counts }
  )

const mutedLine = (part: string): DocumentLine => ({ line: StyledLine.line(part, "muted") })

const byActor = screen(
  "getSummaryStatsByActor",
  "totals",
  ["org", "actor_type", "actor_id"],
  (environment, values) =>
    Source.fromEffect(
      environment,
      (forge, options) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          forge.insights.getSummaryStatsByActor({ ...actorOf(values), ...Period.query(values, now) }, options)
        ),
      (counts) => totalsDocument(actorTitle(values), counts, values, "")
    ),
  actorTitle
)

const userTitle = (values: Arguments): string => text(values, "actor_name") || `user ${text(values, "user_id")}`

const byUser = screen(
  "getSummaryStatsByUser",
  "totals of a user",
  ["org", "user_id"],
  (environment, values) =>
    Source.fromEffect(
      environment,
      (forge, options) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          forge.insights.getSummaryStatsByUser(
            { org: text(values, "org"), user_id: text(values, "user_id"), ...Period.query(values, now) },
            options
          )
        ),
      (counts) =>
        totalsDocument(
          userTitle(values),
          counts,
          values,
          "The sum of the user's tokens and apps. Forges count routes by token or app only."
        )
    ),
  userTitle
)

/** The screens of request statistics. */
export const screens: ReadonlyArray<Screen> = [summary, overTime, subjects, routes, byActor, byUser]
