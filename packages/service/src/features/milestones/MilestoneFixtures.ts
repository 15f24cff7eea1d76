/** Fixtures of milestones. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import { timestamp } from "../../base/Time.ts"
import { MilestoneRows } from "../../issues/MilestoneRows.ts"

/** Section `milestones`. Numbers follow the order of the rows. */
export const sections = () => [
  FixtureSection.make(
    "milestones",
    Schema.Struct({
      repository: Schema.String,
      creator: Schema.String,
      title: Schema.String,
      description: Schema.optionalKey(Schema.String),
      state: Schema.optionalKey(Schema.Literals(["open", "closed"])),
      due_on: Schema.optionalKey(FixtureTimestamp),
      created_at: Schema.optionalKey(FixtureTimestamp)
    }),
    ({ repository, title }) => [FixtureSection.identity("title", FixtureSection.foldCase(repository), title)],
    Effect.fnUntraced(function* ({ created_at, creator, description = null, due_on = null, repository, state, title }) {
      const { id } = yield* FixtureSection.repository("repository", repository)
      const { id: creatorId } = yield* FixtureSection.user("creator", creator)
      const closed_at = state === "closed" ? timestamp(yield* Clock.currentTimeMillis) : null
      const content = { title, description, due_on: due_on === null ? null : timestamp(Date.parse(due_on)), closed_at }
      // Keeps an existing milestone unchanged.
      yield* Effect.ignore((yield* MilestoneRows).add(id, creatorId, content, created_at))
    })
  )
]
