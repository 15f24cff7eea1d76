/** Fixtures of events. */
import { createHash } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { timestamp } from "../../base/Time.ts"
import { EventRows } from "../../events/EventRows.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"

/** Section `events`, oldest first. Adding an event triggers no webhooks. */
export const sections = () => [
  FixtureSection.make(
    "events",
    Schema.Struct({
      type: Schema.String.check(Schema.isMinLength(1)),
      actor: Schema.String,
      repository: Schema.String,
      payload: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
      public: Schema.optionalKey(Schema.Boolean),
      created_at: Schema.optionalKey(FixtureTimestamp)
    }),
    FixtureSection.wholeRow,
    Effect.fnUntraced(function* (row) {
      const { actor, created_at, payload = {}, public: isPublic, repository, type } = row
      const { id: actor_id } = yield* FixtureSection.user("actor", actor)
      const { id: repository_id, private: hidden } = yield* FixtureSection.repository("repository", repository)
      yield* (yield* EventRows).insert({
        type,
        actor_id,
        repository_id,
        public: (isPublic ?? hidden === 0) ? 1 : 0,
        payload: JSON.stringify(payload),
        // Identifies the event by the row, so that loading the same file again adds no duplicates.
        change: `fixture:${createHash("sha256").update(JSON.stringify(row)).digest("hex")}`,
        created_at: created_at ?? timestamp(yield* Clock.currentTimeMillis)
      })
    })
  )
]
