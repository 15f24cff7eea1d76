/** Fixtures of saved searches. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { timestamp } from "../../base/Time.ts"
import { SavedSearchRows } from "./SavedSearchRows.ts"
import * as SeenResults from "./SeenResults.ts"

/** Section `saved_searches`. All results of these searches are new. */
export const sections = () => [
  FixtureSection.make(
    "saved_searches",
    Schema.Struct({ user: Schema.String, name: Schema.String, query: Schema.String }),
    ({ name, user }) => [FixtureSection.identity("name", FixtureSection.foldCase(user), name)],
    Effect.fnUntraced(function* ({ name, query, user }) {
      const { id } = yield* FixtureSection.user("user", user)
      const now = timestamp(yield* Clock.currentTimeMillis)
      const row = { name, query, seen: SeenResults.encode([]), is_exact: 1, created_at: now, seen_at: now }
      yield* Effect.orDie((yield* SavedSearchRows).add(id, row))
    })
  )
]
