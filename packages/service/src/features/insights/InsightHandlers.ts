import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Insights } from "@tongs/core/contract/groups/Insights"
import type { FieldError } from "@tongs/core/contract/Failure"
import type { Timestamp } from "@tongs/core/contract/Scalars"
import { group } from "../../api/Handlers.ts"
import { RequestRecorder as Counts } from "./RequestRecorder.ts"
import type { PageRequest } from "../../base/Paging.ts"
import * as ApiError from "../../api/ApiError.ts"
import { timestamp } from "../../base/Time.ts"
import type { OrganizationRow } from "../../accounts/OrganizationRows.ts"
import { RequestRows, routeColumns, type RequestFilter, subjectColumns } from "./RequestRows.ts"

const actorTypes = ["installation", "classic_pat", "fine_grained_pat", "oauth_app", "app_user_to_server"]

interface Period {
  readonly min_timestamp: Timestamp
  readonly max_timestamp?: Timestamp
}

const wrong = (field: string, message: string) => {
  const error: FieldError = { resource: "insights", field, code: "invalid", message }
  return ApiError.invalid(`Validation Failed: ${field} is invalid`, [error])
}

const seconds = (text: Timestamp) => Math.floor(Date.parse(text) / 1000)

const moment = (epoch: number) => timestamp(epoch * 1000)
const moments = (row: {
  readonly last_request_timestamp: number
  readonly last_rate_limited_timestamp: number | null
}) => ({
  last_request_timestamp: moment(row.last_request_timestamp),
  last_rate_limited_timestamp: row.last_rate_limited_timestamp === null ? null : moment(row.last_rate_limited_timestamp)
})

/**
 * Filter for an organization. `max_timestamp` defaults to now. GitHub documents 30 days ago as the default, but then
 * reports about the last week would be empty.
 */
const select = Effect.fnUntraced(function* (
  { id }: OrganizationRow,
  { max_timestamp, min_timestamp }: Period,
  who: Pick<RequestFilter, "actor" | "userId"> = {}
) {
  const from = seconds(min_timestamp)
  const to = max_timestamp === undefined ? Math.floor((yield* Clock.currentTimeMillis) / 1000) : seconds(max_timestamp)
  if (!Number.isFinite(from)) return yield* wrong("min_timestamp", "invalid timestamp")
  if (!Number.isFinite(to)) return yield* wrong("max_timestamp", "invalid timestamp")
  if (from > to) return yield* wrong("min_timestamp", "must not be after max_timestamp")
  return { organizationId: id, from, to, ...who } satisfies RequestFilter
})

/** Fails with `NotFound` for an unknown type of actor. */
const actor = ({ actor_id: id, actor_type: type }: { readonly actor_id: number; readonly actor_type: string }) =>
  actorTypes.includes(type) ? Effect.succeed({ actor: { type, id } }) : Effect.fail(ApiError.notFound())

interface Asked {
  readonly sort?: ReadonlyArray<string>
  readonly direction?: "asc" | "desc"
}

/** Order and page of a report. `sort` accepts several parameters and comma-separated values. */
const listing = Effect.fnUntraced(function* <Column extends string>(
  columns: ReadonlyArray<Column>,
  { direction = "desc", sort = ["total_request_count"] }: Asked,
  substring: string,
  { offset, perPage }: PageRequest
) {
  const chosen: Array<Column> = []
  for (const name of sort.flatMap((names) => names.split(","))) {
    const column = columns.find((column) => column === name.trim())
    if (column === undefined) return yield* wrong("sort", `must be one of ${columns.join(", ")}`)
    chosen.push(column)
  }
  return { sort: chosen, direction, substring, offset, perPage }
})

const units: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 24 * 3600 }

/** Parses an interval such as `5m`, `1h` or `1d` to seconds. The minimum is one minute, the precision of counts. */
const increment = (text: string) => {
  const [, count, unit = ""] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? []
  const step = Number(count) * (units[unit] ?? Number.NaN)
  return Number.isNaN(step)
    ? Effect.fail(wrong("timestamp_increment", "must be a number of minutes, hours or days, such as 5m, 1h or 1d"))
    : Effect.succeed(step)
}

export const make = Effect.gen(function* () {
  const counts = yield* Counts
  const requests = yield* RequestRows

  return group(Insights)({
    *getRouteStatsByActor({ api_route_substring = "", ...input }, { organization, page }) {
      const selection = yield* select(organization, input, yield* actor(input))
      const order = yield* listing(routeColumns, input, api_route_substring, page)
      yield* counts.flush
      const { items, total } = yield* requests.routes(selection, order)
      return { items: items.map((row) => ({ ...row, ...moments(row) })), total }
    },

    *getSubjectStats({ subject_name_substring = "", ...input }, { organization, page }) {
      const selection = yield* select(organization, input)
      const order = yield* listing(subjectColumns, input, subject_name_substring, page)
      yield* counts.flush
      const { items, total } = yield* requests.subjects(selection, order)
      return { items: items.map((row) => ({ ...row, ...moments(row) })), total }
    },

    *getSummaryStats(input, { organization }) {
      const selection = yield* select(organization, input)
      yield* counts.flush
      return yield* requests.summary(selection)
    },

    *getSummaryStatsByUser({ user_id, ...input }, { organization }) {
      if (!/^\d{1,15}$/.test(user_id)) return yield* ApiError.notFound()
      const selection = yield* select(organization, input, { userId: Number(user_id) })
      yield* counts.flush
      return yield* requests.summary(selection)
    },

    *getSummaryStatsByActor(input, { organization }) {
      const selection = yield* select(organization, input, yield* actor(input))
      yield* counts.flush
      return yield* requests.summary(selection)
    },

    *getTimeStats({ timestamp_increment, ...input }, { organization }) {
      const step = yield* increment(timestamp_increment)
      const selection = yield* select(organization, input)
      yield* counts.flush
      const rows = yield* requests.times(selection, step)
      return rows.map((row) => ({ ...row, timestamp: moment(row.timestamp) }))
    }
  })
})
