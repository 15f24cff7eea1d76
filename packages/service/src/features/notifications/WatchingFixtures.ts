/** Fixtures of watched repositories. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { timestamp } from "../../base/Time.ts"
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
  )
]
