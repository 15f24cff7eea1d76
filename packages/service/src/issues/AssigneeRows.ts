/** The accounts to which issues of a repository can be assigned. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { UserRow } from "../accounts/UserRows.ts"
import type { PageRequest } from "../base/Paging.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import { decodeCount, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

const users = decodeRows(UserRow)

/**
 * Reads the accounts that can be assigned: those with write access, members of the organization who may read the
 * repository, and for a certain issue its author and those who commented.
 */
export class AssigneeRows extends Context.Service<
  AssigneeRows,
  {
    list(
      repository: RepositoryRow,
      page: PageRequest
    ): Effect.Effect<{ readonly items: ReadonlyArray<UserRow>; readonly total: number }>
    /** Returns those of the accounts that can be assigned. */
    among(
      repository: RepositoryRow,
      accounts: ReadonlyArray<UserRow>,
      issueId?: number
    ): Effect.Effect<ReadonlyArray<UserRow>>
  }
>()("@tongs/service/issues/AssigneeRows") {
  static readonly layer = Layer.effect(
    AssigneeRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isOneOf } = SqlFragments.make(sql)
      const isAssignable = ({ id, owner, private: hidden }: RepositoryRow) => sql`u.type = 'User' AND (
        u.id IN (SELECT user_id FROM repository_roles
          WHERE repository_id = ${id} AND permission IN ('write', 'maintain', 'admin'))
        OR u.id IN (SELECT user_id FROM memberships WHERE organization_id = ${owner.id}
          AND (${hidden} = 0 OR user_id IN (SELECT user_id FROM repository_roles WHERE repository_id = ${id}))))`

      return AssigneeRows.of({
        list: Effect.fn("AssigneeRows.list")(function* (repository, { offset, perPage }) {
          const where = isAssignable(repository)
          const items = yield* users(
            sql`SELECT u.* FROM users u WHERE ${where} ORDER BY u.id LIMIT ${perPage} OFFSET ${offset}`
          )
          return { items, total: yield* decodeCount(sql`SELECT count(*) AS count FROM users u WHERE ${where}`) }
        }),
        among: (repository, accounts, issueId) => {
          if (accounts.length === 0) return Effect.succeed([])
          const ids = accounts.map(({ id }) => id)
          const involved =
            issueId === undefined
              ? sql``
              : sql` OR u.id IN (SELECT author_id FROM issues WHERE id = ${issueId}
                  UNION SELECT author_id FROM issue_comments WHERE issue_id = ${issueId})`
          return users(sql`
            SELECT u.* FROM users u WHERE ${isOneOf("u.id", ids)} AND (${isAssignable(repository)}${involved})
            ORDER BY u.id`)
        }
      })
    })
  )
}
