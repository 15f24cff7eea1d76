/** Statistics of an organization's API requests. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, Timestamp } from "../Scalars.ts"

const count = Schema.Int.annotate(Presentation.format("count"))
const counts = { total_request_count: count, rate_limited_request_count: count }
const countColumns = { REQUESTS: "total_request_count", LIMITED: "rate_limited_request_count" }
const latestColumns = { ...countColumns, LAST: "last_request_timestamp" }
const moment = Schema.String.annotate(Presentation.format("age"))
const latest = {
  last_request_timestamp: Schema.NullOr(moment),
  /** Time of the last rate-limited request. Some forges omit this member if no request was limited. */
  last_rate_limited_timestamp: Schema.optionalKey(Schema.NullOr(moment))
}

/** Request counts of one route. */
export const RouteStats = Schema.Struct({
  http_method: Schema.String,
  api_route: Schema.String,
  ...counts,
  ...latest
}).annotate({
  identifier: "RouteStats",
  ...Presentation.of({
    columns: { METHOD: "http_method", ROUTE: "api_route", ...latestColumns },
    title: "api_route"
  })
})
export type RouteStats = typeof RouteStats.Type

/** Request counts of one caller. */
export const SubjectStats = Schema.Struct({
  subject_type: Schema.String,
  subject_id: Schema.Int,
  subject_name: Schema.String,
  ...counts,
  ...latest
}).annotate({
  identifier: "SubjectStats",
  ...Presentation.of({
    columns: { TYPE: "subject_type", ID: "subject_id", NAME: "subject_name", ...latestColumns },
    identity: ["subject_type", "subject_id"],
    title: "subject_name",
    arguments: {
      actor_type: { path: "subject_type", pattern: "^(?!user$)(.+)$" },
      actor_id: "subject_id",
      user_id: { path: "subject_id", when: { subject_type: "user" } },
      username: { path: "subject_name", when: { subject_type: "user" } }
    },
    opens: ["insights.getRouteStatsByActor", "insights.getSummaryStatsByUser"]
  })
})
export type SubjectStats = typeof SubjectStats.Type

/** Total request counts. */
export const SummaryStats = Schema.Struct(counts).annotate({ identifier: "SummaryStats" })
export type SummaryStats = typeof SummaryStats.Type

/** Request counts of one interval. */
export const TimeStats = Schema.Struct({
  timestamp: Timestamp.annotate(Presentation.format("line")),
  ...counts
}).annotate({ identifier: "TimeStats", ...Presentation.of({ columns: { TIME: "timestamp", ...countColumns } }) })
export type TimeStats = typeof TimeStats.Type

const period = {
  min_timestamp: Timestamp.annotate({ description: "Start of the period, for example 2026-01-31T12:00:00Z." }),
  max_timestamp: Schema.optionalKey(Timestamp.annotate({ description: "End of the period; now by default." }))
}
const direction = Schema.optionalKey(Schema.Literals(["asc", "desc"]).annotate({ description: "desc by default." }))
const actorPath = {
  ...organizationPath,
  actor_type: openEnum(["installation", "classic_pat", "fine_grained_pat", "oauth_app", "app_user_to_server"]).annotate(
    {
      description: "`installation`, `classic_pat`, `fine_grained_pat`, `oauth_app` or `app_user_to_server`."
    }
  ),
  actor_id: Schema.Int.annotate({ description: "Id of the actor." })
}
const sort = (columns: string) =>
  Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description: `Columns to sort by, total_request_count by default: ${columns}.`
    })
  )

const reads = {
  permission: [[{ target: "organization", category: "api_insights", level: "read" }]],
  scopes: ["read:org"],
  access: "administer"
} as const
const error = [notFound, validationFailed] as const

/** Endpoints of request statistics. */
export class Insights extends Group.make("insights", () => [
  HttpApiEndpoint.get("getRouteStatsByActor", "/orgs/:org/insights/api/route-stats/:actor_type/:actor_id", {
    params: actorPath,
    query: {
      ...period,
      direction,
      sort: sort(
        "http_method, api_route, total_request_count, rate_limited_request_count, last_request_timestamp, last_rate_limited_timestamp"
      ),
      api_route_substring: Schema.optionalKey(
        Schema.String.annotate({ description: "Substring of the route, case-insensitive." })
      ),
      ...pageQuery
    },
    success: Paged(Schema.Array(RouteStats)),
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "api-insights/get-route-stats-by-actor",
      summary: "Count an actor's requests by route",
      command: "route-stats",
      ...reads,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("getSubjectStats", "/orgs/:org/insights/api/subject-stats", {
    params: organizationPath,
    query: {
      ...period,
      direction,
      sort: sort(
        "subject_name, total_request_count, rate_limited_request_count, last_request_timestamp, last_rate_limited_timestamp"
      ),
      subject_name_substring: Schema.optionalKey(
        Schema.String.annotate({ description: "Substring of the name, case-insensitive." })
      ),
      ...pageQuery
    },
    success: Paged(Schema.Array(SubjectStats)),
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "api-insights/get-subject-stats",
      summary: "Count requests by caller",
      words: "top callers, who used the budget",
      command: "subject-stats",
      ...reads,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("getSummaryStats", "/orgs/:org/insights/api/summary-stats", {
    params: organizationPath,
    query: period,
    success: SummaryStats,
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "api-insights/get-summary-stats",
      summary: "Count all requests",
      command: "summary-stats",
      ...reads
    })
  ),
  HttpApiEndpoint.get("getSummaryStatsByUser", "/orgs/:org/insights/api/summary-stats/users/:user_id", {
    params: { ...organizationPath, user_id: Schema.String.annotate({ description: "Id of the user." }) },
    query: period,
    success: SummaryStats,
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "api-insights/get-summary-stats-by-user",
      summary: "Count a user's requests",
      command: "summary-stats-by-user",
      ...reads
    })
  ),
  HttpApiEndpoint.get("getSummaryStatsByActor", "/orgs/:org/insights/api/summary-stats/:actor_type/:actor_id", {
    params: actorPath,
    query: period,
    success: SummaryStats,
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "api-insights/get-summary-stats-by-actor",
      summary: "Count an actor's requests",
      command: "summary-stats-by-actor",
      ...reads
    })
  ),
  HttpApiEndpoint.get("getTimeStats", "/orgs/:org/insights/api/time-stats", {
    params: organizationPath,
    query: {
      ...period,
      timestamp_increment: Schema.String.annotate({ description: "Length of an interval: `5m`, `10m`, `1h` or `1d`." })
    },
    success: Schema.Array(TimeStats),
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "api-insights/get-time-stats",
      summary: "Count requests over time",
      command: "time-stats",
      description: "Oldest interval first, without intervals that have no requests.",
      ...reads
    })
  )
]) {}
