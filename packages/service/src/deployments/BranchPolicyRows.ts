/** Database rows of branch policies of environments. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { policyTypes } from "@tongs/core/contract/groups/DeploymentBranchPolicies"
import type { PageRequest } from "../base/Paging.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"

const BranchPolicyRow = Schema.Struct({
  id: Schema.Int,
  environment_id: Schema.Int,
  /** The pattern. */
  name: Schema.String,
  type: Schema.Literals(policyTypes)
})
export type BranchPolicyRow = typeof BranchPolicyRow.Type

const one = decodeFirstRow(BranchPolicyRow)
const all = decodeRows(BranchPolicyRow)

/** Reads and writes branch policies. */
export class BranchPolicyRows extends Context.Service<
  BranchPolicyRows,
  {
    list(
      environmentId: number,
      page: PageRequest
    ): Effect.Effect<{ readonly items: ReadonlyArray<BranchPolicyRow>; readonly total: number }>
    find(environmentId: number, id: number): Effect.Effect<BranchPolicyRow | undefined>
    /** Finds an equal policy. */
    equal(policy: Omit<BranchPolicyRow, "id">): Effect.Effect<BranchPolicyRow | undefined>
    /** Adds a policy. Returns undefined if the environment has an equal one. */
    add(policy: Omit<BranchPolicyRow, "id">): Effect.Effect<BranchPolicyRow | undefined>
    rename(id: number, name: string): Effect.Effect<void>
    remove(id: number): Effect.Effect<void>
  }
>()("@tongs/service/deployments/BranchPolicyRows") {
  static readonly layer = Layer.effect(
    BranchPolicyRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      return BranchPolicyRows.of({
        list: Effect.fn("BranchPolicyRows.list")(function* (environmentId, { offset, perPage }) {
          const items = yield* all(sql`
            SELECT * FROM deployment_branch_policies WHERE environment_id = ${environmentId}
            ORDER BY id LIMIT ${perPage} OFFSET ${offset}`)
          const total = yield* decodeCount(
            sql`SELECT count(*) AS count FROM deployment_branch_policies WHERE environment_id = ${environmentId}`
          )
          return { items, total }
        }),
        find: (environmentId, id) =>
          one(sql`SELECT * FROM deployment_branch_policies WHERE environment_id = ${environmentId} AND id = ${id}`),
        equal: ({ environment_id, name, type }) =>
          one(sql`
            SELECT * FROM deployment_branch_policies
            WHERE environment_id = ${environment_id} AND type = ${type} AND name = ${name}`),
        add: (policy) =>
          one(sql`
            INSERT INTO deployment_branch_policies ${sql.insert({ ...policy })} ON CONFLICT DO NOTHING RETURNING *`),
        rename: (id, name) => run(sql`UPDATE deployment_branch_policies SET name = ${name} WHERE id = ${id}`),
        remove: (id) => run(sql`DELETE FROM deployment_branch_policies WHERE id = ${id}`)
      })
    })
  )
}
