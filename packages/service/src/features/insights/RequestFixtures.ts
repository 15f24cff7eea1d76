/** Fixtures of request counts. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { type RequestCount, RequestRows } from "./RequestRows.ts"

const Counts = Schema.Array(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))

const HOUR = 3600

/** Section `api_requests`: requests of a user or an installation to an organization, by hour. */
export const sections = () => [
  FixtureSection.make(
    "api_requests",
    Schema.Struct({
      organization: Schema.String,
      user: Schema.String,
      /** Name of the app of an installation. */
      subject_name: Schema.optionalKey(Schema.String),
      actor_type: Schema.optionalKey(Schema.String),
      /** Id of the token or installation. */
      actor_id: Schema.Int,
      http_method: Schema.optionalKey(Schema.String),
      api_route: Schema.String,
      /** Number of requests in each of the last hours, oldest first. */
      hours: Counts,
      /** Number of requests that a rate limit rejected. */
      rate_limited_hours: Schema.optionalKey(Counts)
    }),
    ({ actor_id, actor_type, api_route, http_method, organization }) => [
      FixtureSection.identity(
        "api_route",
        FixtureSection.foldCase(organization),
        actor_type ?? "default",
        actor_id,
        http_method ?? "default",
        api_route
      )
    ],
    Effect.fnUntraced(function* (row) {
      const { actor_id: actorId, actor_type: actorType = "classic_pat", hours, rate_limited_hours = [] } = row
      yield* FixtureSection.organization("organization", row.organization)
      const user = yield* FixtureSection.user("user", row.user)
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const isInstallation = actorType === "installation"
      const tallies = hours.flatMap((total, index): ReadonlyArray<RequestCount> => {
        const time = now - (hours.length - index) * HOUR
        const limited = rate_limited_hours[index] ?? 0
        if (total === 0) return []
        return [
          {
            owner: row.organization,
            minute: time - (time % 60),
            method: row.http_method ?? "GET",
            route: row.api_route,
            actorType,
            actorId,
            userId: isInstallation ? undefined : user.id,
            subjectType: isInstallation ? "installation" : "user",
            subjectId: isInstallation ? actorId : user.id,
            subjectName: row.subject_name ?? user.login,
            total,
            limited,
            lastRequest: time,
            lastLimited: limited === 0 ? undefined : time
          }
        ]
      })
      yield* (yield* RequestRows).add(tallies)
    })
  )
]
