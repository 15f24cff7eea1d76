/** Unassigns accounts from issues to which they can no longer be assigned, because they lost a role. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { UserRow } from "../accounts/UserRows.ts"
import type { EventContext } from "../events/NewEvent.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { AssigneeRows } from "./AssigneeRows.ts"
import { IssueRows } from "./IssueRows.ts"
import { Issues } from "./Issues.ts"

/** The page that one statement reads: the issues that are still assigned. */
const firstIssues = { page: 1, perPage: 100, offset: 0 }

const assigned = decodeRows(Schema.Struct({ repository_id: Schema.Int, user_id: Schema.Int }))

const accounts = decodeRows(UserRow)

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { isOneOf } = SqlFragments.make(sql)
  const assignees = yield* AssigneeRows
  const issueRows = yield* IssueRows
  const issues = yield* Issues
  const registry = yield* RepositoryRegistry

  const unassign = Effect.fnUntraced(function* (at: EventContext, user: UserRow) {
    const isAssigned = sql`i.repository_id = ${at.repository.row.id}
      AND i.id IN (SELECT a.issue_id FROM issue_assignees a WHERE a.user_id = ${user.id})`
    for (;;) {
      const { items } = yield* issueRows.page(isAssigned, sql`i.id`, firstIssues)
      if (items.length === 0) return
      for (const issue of items)
        yield* issues.update(at, issue, { assignees: issue.assignees.filter(({ id }) => id !== user.id) })
    }
  })

  /** Unassigns those of the accounts that can no longer be assigned in a repository. */
  const inRepository = Effect.fnUntraced(function* (at: EventContext, users: ReadonlyArray<UserRow>) {
    const kept = new Set((yield* assignees.among(at.repository.row, users)).map(({ id }) => id))
    for (const user of users) if (!kept.has(user.id)) yield* unassign(at, user)
  })

  return {
    inRepository,
    /** Unassigns all accounts that can no longer be assigned in a repository. */
    ofRepository: Effect.fnUntraced(function* (at: EventContext) {
      const found = yield* accounts(sql`
        SELECT u.* FROM users u WHERE u.id IN (
          SELECT a.user_id FROM issue_assignees a JOIN issues i ON i.id = a.issue_id
          WHERE i.repository_id = ${at.repository.row.id}) ORDER BY u.id`)
      if (found.length > 0) yield* inRepository(at, found)
    }),
    /** The same in all repositories of an owner. `actor`: the account that took the roles away. */
    ofOwner: Effect.fnUntraced(function* (actor: UserRow, ownerId: number, users: ReadonlyArray<UserRow>) {
      if (users.length === 0) return
      const pairs = yield* assigned(sql`
        SELECT DISTINCT i.repository_id, a.user_id FROM issue_assignees a
        JOIN issues i ON i.id = a.issue_id JOIN repositories r ON r.id = i.repository_id
        WHERE r.owner_id = ${ownerId} AND ${isOneOf(
          "a.user_id",
          users.map(({ id }) => id)
        )}`)
      const ids = new Set(pairs.map(({ repository_id }) => repository_id))
      if (ids.size === 0) return
      for (const repository of yield* registry.open(yield* registry.byIds(ids))) {
        const here = new Set(pairs.flatMap((pair) => (pair.repository_id === repository.row.id ? [pair.user_id] : [])))
        yield* inRepository(
          { actor, repository },
          users.filter(({ id }) => here.has(id))
        )
      }
    })
  }
})
