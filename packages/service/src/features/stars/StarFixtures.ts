/** Fixtures of stars. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import { StarRows } from "./StarRows.ts"

const { foldCase } = FixtureSection

/** Section `stars`. */
export const sections = () => [
  FixtureSection.make(
    "stars",
    Schema.Struct({
      user: Schema.String,
      repository: Schema.String,
      starred_at: Schema.optionalKey(FixtureTimestamp)
    }),
    ({ repository, user }) => [FixtureSection.identity("repository", foldCase(user), foldCase(repository))],
    Effect.fnUntraced(function* ({ repository, starred_at, user }) {
      const { id } = yield* FixtureSection.user("user", user)
      const { id: repositoryId } = yield* FixtureSection.repository("repository", repository)
      yield* (yield* StarRows).add(id, repositoryId, starred_at)
    })
  )
]
