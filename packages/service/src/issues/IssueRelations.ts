/** Changes sub-issues and dependencies of issues. Each change runs in one transaction with the events of both issues. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { UserRow } from "../accounts/UserRows.ts"
import { timestamp } from "../base/Time.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as Transaction from "../storage/Transaction.ts"
import { IssueEventRows } from "./IssueEventRows.ts"
import { type IssueRow, IssueRows } from "./IssueRows.ts"

/** Maximum number of sub-issues of an issue, and levels of sub-issues. */
export const MAX_SUB_ISSUES = 100
export const MAX_LEVELS = 8

const positions = decodeRows(Schema.Struct({ id: Schema.Int }))
const places = decodeRows(Schema.Struct({ place: Schema.Int }))
const levels = decodeRows(Schema.Struct({ id: Schema.Int, level: Schema.Int }))

export class IssueRelations extends Context.Service<
  IssueRelations,
  {
    /** Returns the ids of the sub-issues in their order. */
    order(parentId: number): Effect.Effect<ReadonlyArray<number>>
    /** Returns the ids of an issue and of its parents, the nearest first. */
    ancestors(id: number): Effect.Effect<ReadonlyArray<number>>
    /** Returns the number of levels of sub-issues below an issue. */
    depth(id: number): Effect.Effect<number>
    /** Returns whether an issue waits for another one, also by others. */
    isBlockedBy(id: number, blockerId: number): Effect.Effect<boolean>
    addSubIssue(actor: UserRow, parent: IssueRow, child: IssueRow): Effect.Effect<void>
    removeSubIssue(actor: UserRow, parent: IssueRow, child: IssueRow): Effect.Effect<void>
    reorder(ids: ReadonlyArray<number>): Effect.Effect<void>
    addBlocker(actor: UserRow, issue: IssueRow, blocker: IssueRow): Effect.Effect<void>
    removeBlocker(actor: UserRow, issue: IssueRow, blocker: IssueRow): Effect.Effect<void>
  }
>()("@tongs/service/issues/IssueRelations") {
  static readonly layer = Layer.effect(
    IssueRelations,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* IssueRows
      const events = yield* IssueEventRows
      const transaction = yield* Transaction.make
      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      const idsOf = (found: ReadonlyArray<{ readonly id: number }>) => found.map(({ id }) => id)
      const order = (parentId: number) =>
        Effect.map(
          positions(sql`SELECT id FROM issues WHERE parent_id = ${parentId} ORDER BY parent_position, id`),
          idsOf
        )

      /** Adds an event to both issues, each with the other one. */
      const both = Effect.fnUntraced(function* (
        actor: UserRow,
        one: IssueRow,
        other: IssueRow,
        [ofOne, ofOther]: readonly [string, string]
      ) {
        yield* events.add(
          [
            { issue: one, actorId: actor.id, event: ofOne, otherIssueId: other.id },
            { issue: other, actorId: actor.id, event: ofOther, otherIssueId: one.id }
          ],
          yield* now
        )
      })

      return IssueRelations.of({
        order,
        ancestors: (id) =>
          Effect.map(
            positions(sql`
              WITH RECURSIVE up (id, level) AS (
                SELECT id, 0 FROM issues WHERE id = ${id}
                UNION ALL SELECT i.parent_id, up.level + 1 FROM up JOIN issues i ON i.id = up.id
                WHERE i.parent_id IS NOT NULL AND up.level < ${MAX_LEVELS})
              SELECT id FROM up ORDER BY level`),
            idsOf
          ),
        depth: (id) =>
          Effect.map(
            levels(sql`
              WITH RECURSIVE down (id, level) AS (
                SELECT id, 0 FROM issues WHERE id = ${id}
                UNION ALL SELECT i.id, down.level + 1 FROM down JOIN issues i ON i.parent_id = down.id
                WHERE down.level < ${MAX_LEVELS})
              SELECT id, level FROM down ORDER BY level DESC LIMIT 1`),
            ([deepest]) => deepest?.level ?? 0
          ),
        isBlockedBy: (id, blockerId) =>
          Effect.map(
            positions(sql`
              WITH RECURSIVE blockers (id) AS (
                SELECT blocked_by_id FROM issue_dependencies WHERE issue_id = ${id}
                UNION SELECT d.blocked_by_id FROM blockers b JOIN issue_dependencies d ON d.issue_id = b.id)
              SELECT id FROM blockers WHERE id = ${blockerId}`),
            (found) => found.length > 0
          ),
        addSubIssue: Effect.fn("IssueRelations.addSubIssue")((actor, parent, child) =>
          transaction(
            Effect.gen(function* () {
              const [last] = yield* places(sql`
                SELECT coalesce(max(parent_position), -1) AS place FROM issues WHERE parent_id = ${parent.id}`)
              yield* rows.update(child.id, { parent_id: parent.id, parent_position: (last?.place ?? -1) + 1 })
              yield* both(actor, parent, child, ["sub_issue_added", "parent_issue_added"])
            })
          )
        ),
        removeSubIssue: Effect.fn("IssueRelations.removeSubIssue")((actor, parent, child) =>
          transaction(
            Effect.gen(function* () {
              yield* rows.update(child.id, { parent_id: null, parent_position: null })
              yield* both(actor, parent, child, ["sub_issue_removed", "parent_issue_removed"])
            })
          )
        ),
        reorder: (ids) =>
          transaction(
            Effect.forEach(ids, (id, index) => rows.update(id, { parent_position: index }), { discard: true })
          ),
        addBlocker: Effect.fn("IssueRelations.addBlocker")((actor, issue, blocker) =>
          transaction(
            Effect.gen(function* () {
              yield* rows.addBlocker(issue.id, blocker.id, yield* now)
              yield* both(actor, issue, blocker, ["blocked_by_added", "blocking_added"])
            })
          )
        ),
        removeBlocker: Effect.fn("IssueRelations.removeBlocker")((actor, issue, blocker) =>
          transaction(
            Effect.gen(function* () {
              yield* rows.removeBlocker(issue.id, blocker.id)
              yield* both(actor, issue, blocker, ["blocked_by_removed", "blocking_removed"])
            })
          )
        )
      })
    })
  )
}
