/** Turns the automatic merge of a pull request on and off, with its event and webhook. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { timestamp } from "../base/Time.ts"
import type { EventContext } from "../events/NewEvent.ts"
import * as Transaction from "../storage/Transaction.ts"
import { AutoMergeRows, type NewAutoMerge } from "./AutoMergeRows.ts"
import * as IssueAnnouncements from "./IssueAnnouncements.ts"
import { IssueEventRows } from "./IssueEventRows.ts"
import { IssueRows } from "./IssueRows.ts"

/** The names of events by the method of the merge. */
const enabled = { merge: "auto_merge_enabled", squash: "auto_squash_enabled", rebase: "auto_rebase_enabled" } as const // names

export const make = Effect.gen(function* () {
  const announcements = yield* IssueAnnouncements.make
  const events = yield* IssueEventRows
  const issues = yield* IssueRows
  const rows = yield* AutoMergeRows
  const transaction = yield* Transaction.make
  const now = Effect.map(Clock.currentTimeMillis, timestamp)

  const record = Effect.fnUntraced(function* ({ actor, repository }: EventContext, id: number, event: string) {
    const time = yield* now
    yield* issues.update(id, { updated_at: time })
    yield* events.add([{ issue: { id, repository_id: repository.row.id }, actorId: actor.id, event }], time)
  })

  return {
    enable: (at: EventContext, issueId: number, merge: NewAutoMerge) =>
      transaction(
        Effect.gen(function* () {
          yield* rows.set(issueId, at.actor.id, merge, yield* now)
          yield* record(at, issueId, enabled[merge.method])
          yield* announcements.changed(at, issueId, [{ action: "auto_merge_enabled" }])
        })
      ),

    /** Does nothing if it is off. */
    disable: (at: EventContext, issueId: number, reason: string) =>
      transaction(
        Effect.gen(function* () {
          if ((yield* rows.grant(issueId)) === undefined) return
          yield* rows.remove(issueId)
          yield* record(at, issueId, "auto_merge_disabled")
          yield* announcements.changed(at, issueId, [{ action: "auto_merge_disabled", more: { reason } }])
        })
      )
  }
})
