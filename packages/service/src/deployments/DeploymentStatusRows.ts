/** Database rows of the statuses of deployments. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { deploymentStates } from "@tongs/core/contract/groups/DeploymentStatuses"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import type { PageRequest } from "../base/Paging.ts"
import { decodeCount, decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

export const DeploymentStatusRow = Schema.Struct({
  id: Schema.Int,
  deployment_id: Schema.Int,
  state: Schema.Literals(deploymentStates),
  description: Schema.String,
  environment: Schema.String,
  log_url: Schema.String,
  environment_url: Schema.String,
  app_id: Schema.NullOr(Schema.Int),
  /** Null if the account was deleted. */
  creator: Schema.NullOr(Schema.fromJsonString(UserRow)),
  created_at: Schema.String
})
export type DeploymentStatusRow = typeof DeploymentStatusRow.Type

/** A status to add. */
export interface NewDeploymentStatus extends Omit<DeploymentStatusRow, "id" | "creator"> {
  readonly creator_id: number
}

/** Maximum statuses of a deployment. */
export const MAX_STATUSES = 1000

const one = decodeFirstRow(DeploymentStatusRow)
const all = decodeRows(DeploymentStatusRow)
const added = decodeFirstRow(Schema.Struct({ id: Schema.Int }))

/** Reads and writes statuses of deployments. */
export class DeploymentStatusRows extends Context.Service<
  DeploymentStatusRows,
  {
    /** Returns a page of the statuses of a deployment, the newest first. */
    list(
      deploymentId: number,
      page: PageRequest
    ): Effect.Effect<{ readonly items: ReadonlyArray<DeploymentStatusRow>; readonly total: number }>
    /** Returns the statuses of deployments by the deployment's id, the newest first. */
    ofDeployments(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, ReadonlyArray<DeploymentStatusRow>>>
    find(deploymentId: number, id: number): Effect.Effect<DeploymentStatusRow | undefined>
    count(deploymentId: number): Effect.Effect<number>
    add(status: NewDeploymentStatus): Effect.Effect<DeploymentStatusRow>
  }
>()("@tongs/service/deployments/DeploymentStatusRows") {
  static readonly layer = Layer.effect(
    DeploymentStatusRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const columns = sql.literal(
        `SELECT s.*, ${accountJson(fragments, "u")} AS creator
         FROM deployment_statuses s LEFT JOIN users u ON u.id = s.creator_id`
      )
      const find = (deploymentId: number, id: number) =>
        one(sql`${columns} WHERE s.deployment_id = ${deploymentId} AND s.id = ${id}`)
      const count = (deploymentId: number) =>
        decodeCount(sql`SELECT count(*) AS count FROM deployment_statuses WHERE deployment_id = ${deploymentId}`)

      return DeploymentStatusRows.of({
        list: Effect.fn("DeploymentStatusRows.list")(function* (deploymentId, { offset, perPage }) {
          const items = yield* all(sql`
            ${columns} WHERE s.deployment_id = ${deploymentId}
            ORDER BY s.id DESC LIMIT ${perPage} OFFSET ${offset}`)
          return { items, total: yield* count(deploymentId) }
        }),
        ofDeployments: (ids) =>
          Effect.map(
            all(sql`${columns} WHERE ${fragments.isOneOf("s.deployment_id", ids)} ORDER BY s.id DESC`),
            (rows) => Map.groupBy(rows, ({ deployment_id }) => deployment_id)
          ),
        find,
        count,
        add: Effect.fn("DeploymentStatusRows.add")(function* (status) {
          const { id } = yield* requireRow(
            added(sql`INSERT INTO deployment_statuses ${sql.insert({ ...status })} RETURNING id`)
          )
          return yield* requireRow(find(status.deployment_id, id))
        })
      })
    })
  )
}
