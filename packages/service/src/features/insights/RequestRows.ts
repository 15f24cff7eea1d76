/**
 * Request counts of organizations by minute, caller and route. In SQLite they have a database of their own, because a
 * write to the main database every second would invalidate all cached values of the main database.
 */
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { requests } from "../../storage/migrations/requests/0001-requests.ts"
import { clusterRequests } from "../../storage/migrations/requests/0001-cluster-requests.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"
import * as Sqlite from "../../storage/Sqlite.ts"
import { decodeCount, decodeFirstRow, decodeRows, requireRow } from "../../storage/RowDecoder.ts"
import { UserRows } from "../../accounts/UserRows.ts"

/** Count of equal requests in one minute. Times are epoch seconds. */
export interface RequestCount {
  /** Login of the organization. Counts of other accounts are discarded. */
  readonly owner: string
  /** Start of the minute. */
  readonly minute: number
  readonly actorType: string
  readonly actorId: number
  readonly method: string
  readonly route: string
  readonly userId: number | undefined
  readonly subjectType: string
  readonly subjectId: number
  readonly subjectName: string
  readonly total: number
  readonly limited: number
  readonly lastRequest: number
  readonly lastLimited: number | undefined
}

/** Filter of requests. Times are epoch seconds, inclusive, with a precision of one minute. */
export interface RequestFilter {
  readonly organizationId: number
  readonly from: number
  readonly to: number
  readonly actor?: { readonly type: string; readonly id: number }
  readonly userId?: number
}

/** Filter, order and page of a report. */
export interface RequestReport<Column extends string> {
  /** Part of the route or name, case-insensitive. */
  readonly substring: string
  readonly sort: ReadonlyArray<Column>
  readonly direction: "asc" | "desc"
  readonly offset: number
  readonly perPage: number
}

const counts = { total_request_count: Schema.Int, rate_limited_request_count: Schema.Int }
const latest = { last_request_timestamp: Schema.Int, last_rate_limited_timestamp: Schema.NullOr(Schema.Int) }

const RouteRow = Schema.Struct({ http_method: Schema.String, api_route: Schema.String, ...counts, ...latest })
/** Counts of a route. Times are epoch seconds. */
export type RouteRow = typeof RouteRow.Type
const SubjectRow = Schema.Struct({
  subject_type: Schema.String,
  subject_id: Schema.Int,
  subject_name: Schema.String,
  ...counts,
  ...latest
})
/** Counts of a user or app. Times are epoch seconds. */
export type SubjectRow = typeof SubjectRow.Type
const TimeRow = Schema.Struct({ timestamp: Schema.Int, ...counts })
/** Counts of an interval that starts at `timestamp`, in epoch seconds. */
export type TimeRow = typeof TimeRow.Type
const SummaryRow = Schema.Struct(counts)
/** Counts of all selected requests. */
export type SummaryRow = typeof SummaryRow.Type

const routeRows = decodeRows(RouteRow)
const subjectRows = decodeRows(SubjectRow)
const timeRows = decodeRows(TimeRow)
const summaryRow = decodeFirstRow(SummaryRow)

/** Sort columns, whose names become part of the SQL statement. */
const common = [
  "total_request_count",
  "rate_limited_request_count",
  "last_request_timestamp",
  "last_rate_limited_timestamp"
] as const // the names are the type
/** Columns that sort routes. */
export const routeColumns = ["http_method", "api_route", ...common] as const
/** Columns that sort subjects. */
export const subjectColumns = ["subject_name", ...common] as const

/** Rows without a time come before others, as in SQLite. */
const directionOf = { asc: "ASC NULLS FIRST", desc: "DESC NULLS LAST" } as const // literal types

interface Rows<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
}

/** Request counts, in `requests.db` of the data folder or in the forge's database. */
export class RequestRows extends Context.Service<
  RequestRows,
  {
    /** Adds to existing counts, also of other processes. */
    add(tallies: ReadonlyArray<RequestCount>): Effect.Effect<void>
    /** Deletes counts before a time in epoch seconds. */
    forget(before: number): Effect.Effect<void>
    routes(
      selection: RequestFilter,
      listing: RequestReport<(typeof routeColumns)[number]>
    ): Effect.Effect<Rows<RouteRow>>
    subjects(
      selection: RequestFilter,
      listing: RequestReport<(typeof subjectColumns)[number]>
    ): Effect.Effect<Rows<SubjectRow>>
    /** Counts by intervals of `step` seconds, oldest first. Intervals without requests are missing. */
    times(selection: RequestFilter, step: number): Effect.Effect<ReadonlyArray<TimeRow>>
    summary(selection: RequestFilter): Effect.Effect<SummaryRow>
  }
>()("@tongs/service/features/insights/RequestRows") {
  /** With `isShared`, the rows are in the forge's database, which counts the requests of all its processes. */
  static readonly layer = (data: string, isShared: boolean) =>
    isShared ? Layer.provide(layer("cluster_requests"), clusterTable) : Layer.provide(layer("requests"), store(data))
}

const migrate = Migrator.make({})

const store = (data: string) =>
  Layer.effectDiscard(migrate({ loader: Migrator.fromRecord({ "0001_requests": requests }) })).pipe(
    Layer.provideMerge(Sqlite.layer({ filename: join(data, "requests.db") }))
  )

const clusterTable = Layer.effectDiscard(
  migrate({
    loader: Migrator.fromRecord({ "0001_cluster_requests": clusterRequests }),
    table: "cluster_request_migrations"
  })
)

const layer = (tableName: string) =>
  Layer.effect(
    RequestRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { contains, greatest } = SqlFragments.make(sql)
      const table = sql.literal(tableName)
      const users = yield* UserRows
      const totals = sql.literal(
        "coalesce(CAST(sum(total) AS bigint), 0) AS total_request_count, " +
          "coalesce(CAST(sum(limited) AS bigint), 0) AS rate_limited_request_count"
      )
      const lasts = sql.literal(
        "max(last_request) AS last_request_timestamp, max(last_limited) AS last_rate_limited_timestamp"
      )

      const selected = ({ actor, from, organizationId, to, userId }: RequestFilter) => sql`
        FROM ${table} WHERE organization_id = ${organizationId} AND minute <= ${to} AND last_request >= ${from}
          AND minute > ${from - 60}
          AND ${actor === undefined ? sql`true` : sql`actor_type = ${actor.type} AND actor_id = ${actor.id}`}
          AND ${userId === undefined ? sql`true` : sql`user_id = ${userId}`}`

      const ordered = ({ direction, offset, perPage, sort }: RequestReport<string>, ties: string) => sql`
        ORDER BY ${sql.literal([...sort.map((column) => `${column} ${directionOf[direction]}`), ties].join(", "))}
        LIMIT ${perPage} OFFSET ${offset}`

      const add = (tally: RequestCount, organizationId: number) => sql`
        INSERT INTO ${table} AS r (organization_id, minute, actor_type, actor_id, method, route, user_id, subject_type,
          subject_id, subject_name, total, limited, last_request, last_limited)
        VALUES (${organizationId}, ${tally.minute}, ${tally.actorType}, ${tally.actorId}, ${tally.method},
          ${tally.route}, ${tally.userId ?? null}, ${tally.subjectType}, ${tally.subjectId}, ${tally.subjectName},
          ${tally.total}, ${tally.limited}, ${tally.lastRequest}, ${tally.lastLimited ?? null})
        ON CONFLICT (organization_id, minute, actor_type, actor_id, method, route) DO UPDATE SET
          total = r.total + excluded.total, limited = r.limited + excluded.limited,
          last_request = ${sql.literal(greatest("r.last_request", "excluded.last_request"))},
          last_limited = nullif(${sql.literal(
            greatest("coalesce(r.last_limited, 0)", "coalesce(excluded.last_limited, 0)")
          )}, 0)`

      return RequestRows.of({
        add: Effect.fn("Requests.add")(function* (tallies: ReadonlyArray<RequestCount>) {
          const owned: Array<Effect.Effect<unknown, SqlError>> = []
          for (const tally of tallies) {
            const owner = yield* users.byLogin(tally.owner)
            if (owner?.type === "Organization") owned.push(add(tally, owner.id))
          }
          if (owned.length > 0) yield* Effect.orDie(sql.withTransaction(Effect.all(owned, { discard: true })))
        }),
        forget: (before) => Effect.orDie(Effect.asVoid(sql`DELETE FROM ${table} WHERE minute < ${before}`)),
        routes: (selection, listing) => {
          const from = sql`${selected(selection)} AND ${contains("route", listing.substring)}
            GROUP BY method, route`
          return Effect.all({
            items: routeRows(sql`
              SELECT method AS http_method, route AS api_route, ${totals}, ${lasts} ${from}
              ${ordered(listing, "api_route, http_method")}`),
            total: decodeCount(sql`SELECT count(*) AS count FROM (SELECT 1 ${from}) AS found`)
          })
        },
        subjects: (selection, listing) => {
          const from = sql`${selected(selection)} AND ${contains("subject_name", listing.substring)}
            GROUP BY subject_type, subject_id`
          return Effect.all({
            items: subjectRows(sql`
              SELECT subject_type, subject_id, max(subject_name) AS subject_name, ${totals}, ${lasts} ${from}
              ${ordered(listing, "subject_type, subject_id")}`),
            total: decodeCount(sql`SELECT count(*) AS count FROM (SELECT 1 ${from}) AS found`)
          })
        },
        times: (selection, step) =>
          timeRows(sql`
            SELECT minute - minute % ${step} AS timestamp, ${totals} ${selected(selection)}
            GROUP BY 1 ORDER BY 1`),
        summary: (selection) => requireRow(summaryRow(sql`SELECT ${totals} ${selected(selection)}`))
      })
    })
  )
