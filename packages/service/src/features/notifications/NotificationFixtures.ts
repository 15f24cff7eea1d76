/** Fixtures of watched repositories, and of notifications. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { notificationReasons } from "@tongs/core/contract/groups/Notifications"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import { timestamp } from "../../base/Time.ts"
import { IssueRows } from "../../issues/IssueRows.ts"
import { NotificationRows } from "../../notifications/NotificationRows.ts"
import { SubscriptionRows } from "../../notifications/SubscriptionRows.ts"

export const sections = () => [
  FixtureSection.make(
    "watching",
    Schema.Struct({
      user: Schema.String,
      repository: Schema.String,
      /** True to be notified of nothing in the repository. */
      ignored: Schema.optionalKey(Schema.Boolean)
    }),
    ({ repository, user }) => [
      FixtureSection.identity("repository", FixtureSection.foldCase(user), FixtureSection.foldCase(repository))
    ],
    Effect.fnUntraced(function* ({ ignored = false, repository, user }) {
      const { id: userId } = yield* FixtureSection.user("user", user)
      const { id } = yield* FixtureSection.repository("repository", repository)
      const now = timestamp(yield* Clock.currentTimeMillis)
      yield* (yield* SubscriptionRows).watch(userId, id, ignored, now)
    })
  ),
  FixtureSection.make(
    "notifications",
    Schema.Struct({
      user: Schema.String,
      repository: Schema.String,
      /** Number of the issue. */
      issue: Schema.Int,
      /** `subscribed` by default. */
      reason: Schema.optionalKey(Schema.Literals(notificationReasons)),
      read: Schema.optionalKey(Schema.Boolean),
      updated_at: Schema.optionalKey(FixtureTimestamp)
    }),
    ({ issue, repository, user }) => [
      FixtureSection.identity(
        "issue",
        FixtureSection.foldCase(user),
        FixtureSection.foldCase(repository),
        String(issue)
      )
    ],
    Effect.fnUntraced(function* ({ issue, read = false, reason = "subscribed", repository, updated_at, user }) {
      const { id: userId } = yield* FixtureSection.user("user", user)
      const { id } = yield* FixtureSection.repository("repository", repository)
      const found = yield* (yield* IssueRows).find(id, issue)
      if (found === undefined) return yield* FixtureSection.failAt("issue", `no issue ${issue} in ${repository}`)
      const time = updated_at === undefined ? yield* Clock.currentTimeMillis : Date.parse(updated_at)
      const thread = {
        user_id: userId,
        repository_id: id,
        issue_id: found.id,
        reason,
        unread: read ? 0 : 1,
        updated_at: timestamp(time)
      }
      yield* (yield* NotificationRows).add(thread)
    })
  )
]
