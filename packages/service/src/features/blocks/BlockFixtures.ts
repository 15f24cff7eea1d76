/** Fixtures of accounts that users have blocked. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { BlockRows } from "../../accounts/BlockRows.ts"

export const sections = () => [
  FixtureSection.make(
    "blocks",
    Schema.Struct({ user: Schema.String, blocked: Schema.String }),
    ({ blocked, user }) => [
      FixtureSection.identity("blocked", FixtureSection.foldCase(user), FixtureSection.foldCase(blocked))
    ],
    Effect.fnUntraced(function* ({ blocked, user }) {
      const { id } = yield* FixtureSection.user("user", user)
      const { id: blockedId } = yield* FixtureSection.user("blocked", blocked)
      yield* (yield* BlockRows).add(id, blockedId)
    })
  )
]
