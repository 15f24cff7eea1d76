/** Database rows of linked branches: the branches of the work on an issue. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

export const LinkedBranchRow = Schema.Struct({
  id: Schema.Int,
  issue_id: Schema.Int,
  /** The repository of the branch, which may be another one than that of the issue. */
  repository_id: Schema.Int,
  /** Name of the branch, without `refs/heads/`. */
  name: Schema.String
})
export type LinkedBranchRow = typeof LinkedBranchRow.Type

const one = decodeFirstRow(LinkedBranchRow)
const all = decodeRows(LinkedBranchRow)

/** Reads and writes linked branches. */
export class LinkedBranchRows extends Context.Service<
  LinkedBranchRows,
  {
    /** Returns the linked branches of issues, the oldest first. */
    ofIssues(issueIds: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, ReadonlyArray<LinkedBranchRow>>>
    find(id: number): Effect.Effect<LinkedBranchRow | undefined>
    /** Links a branch, or returns the existing row. Undefined if the issue or the repository was deleted. */
    add(branch: Omit<LinkedBranchRow, "id">): Effect.Effect<LinkedBranchRow | undefined>
    remove(id: number): Effect.Effect<void>
    /** Removes all links of a deleted branch. */
    removeBranch(repositoryId: number, name: string): Effect.Effect<void>
  }
>()("@tongs/service/issues/LinkedBranchRows") {
  static readonly layer = Layer.effect(
    LinkedBranchRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isOneOf } = SqlFragments.make(sql)
      return LinkedBranchRows.of({
        ofIssues: (issueIds) =>
          Effect.map(
            all(sql`SELECT * FROM linked_branches WHERE ${isOneOf("issue_id", issueIds)} ORDER BY id`),
            (rows) => Map.groupBy(rows, ({ issue_id }) => issue_id)
          ),
        find: (id) => one(sql`SELECT * FROM linked_branches WHERE id = ${id}`),
        add: Effect.fn("LinkedBranchRows.add")(function* ({ issue_id, name, repository_id }) {
          yield* Effect.orDie(sql`
            INSERT INTO linked_branches (issue_id, repository_id, name)
            SELECT i.id, r.id, ${name} FROM issues i, repositories r
            WHERE i.id = ${issue_id} AND r.id = ${repository_id} ON CONFLICT DO NOTHING`)
          return yield* one(sql`
            SELECT * FROM linked_branches
            WHERE issue_id = ${issue_id} AND repository_id = ${repository_id} AND name = ${name}`)
        }),
        remove: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM linked_branches WHERE id = ${id}`)),
        removeBranch: (repositoryId, name) =>
          Effect.orDie(
            Effect.asVoid(sql`DELETE FROM linked_branches WHERE repository_id = ${repositoryId} AND name = ${name}`)
          )
      })
    })
  )
}
