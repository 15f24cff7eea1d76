/** Database rows of deployments. */
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

export const DeploymentRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  sha: Schema.String,
  ref: Schema.String,
  task: Schema.String,
  payload: Schema.fromJsonString(Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.Unknown)])),
  original_environment: Schema.String,
  /** Compared without the case of ASCII letters. */
  environment: Schema.String,
  description: Schema.NullOr(Schema.String),
  transient: Schema.Int,
  production: Schema.Int,
  /** State of the newest status; null without one. */
  state: Schema.NullOr(Schema.Literals(deploymentStates)),
  app_id: Schema.NullOr(Schema.Int),
  /** Null if the account was deleted. */
  creator: Schema.NullOr(Schema.fromJsonString(UserRow)),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type DeploymentRow = typeof DeploymentRow.Type

/** A deployment to add. */
export interface NewDeployment extends Omit<
  DeploymentRow,
  "id" | "creator" | "original_environment" | "state" | "updated_at"
> {
  readonly creator_id: number
}

/** Conditions on a list of deployments. */
export interface DeploymentFilter {
  readonly sha?: string | undefined
  readonly ref?: string | undefined
  readonly task?: string | undefined
  readonly environment?: string | undefined
}

const one = decodeFirstRow(DeploymentRow)
const all = decodeRows(DeploymentRow)
const added = decodeFirstRow(Schema.Struct({ id: Schema.Int }))
const ids = decodeRows(Schema.Struct({ id: Schema.Int }))
const deployed = decodeRows(Schema.Struct({ sha: Schema.String, environment: Schema.String }))

/** True for a deployment that counts as the present one of its environment. */
export const isActive = ({ state }: DeploymentRow): boolean => state === null || state === "success"

/** Reads and writes deployments. */
export class DeploymentRows extends Context.Service<
  DeploymentRows,
  {
    /** Returns a page of the deployments of a repository, the newest first. */
    list(
      repositoryId: number,
      filter: DeploymentFilter,
      page: PageRequest
    ): Effect.Effect<{ readonly items: ReadonlyArray<DeploymentRow>; readonly total: number }>
    find(repositoryId: number, id: number): Effect.Effect<DeploymentRow | undefined>
    /** Returns the deployments of commits, the oldest first. */
    ofCommits(repositoryId: number, oids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<DeploymentRow>>
    /** Returns the deployments of ids, by id. */
    byIds(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<DeploymentRow>>
    /** Returns the number of deployments to an environment. */
    count(repositoryId: number, environment: string): Effect.Effect<number>
    add(deployment: NewDeployment): Effect.Effect<DeploymentRow>
    remove(id: number): Effect.Effect<void>
    /** Sets the state, and the environment to which a status moved the deployment. */
    setState(
      id: number,
      change: Pick<DeploymentRow, "environment" | "updated_at"> & { readonly state: string }
    ): Effect.Effect<void>
    /** Returns the earlier successful deployments to an environment that are neither transient nor production. */
    superseded(deployment: DeploymentRow): Effect.Effect<ReadonlyArray<DeploymentRow>>
    /**
     * Returns the environments to which commits were deployed successfully, in lower case, by the ids of the commits. A
     * deployment that succeeded and was replaced by another counts.
     */
    deployedTo(
      repositoryId: number,
      oids: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, ReadonlySet<string>>>
    /** Returns the ids of the open pull requests (of their issues) whose head is a commit. */
    pullRequests(repositoryId: number, oid: string): Effect.Effect<ReadonlyArray<number>>
  }
>()("@tongs/service/deployments/DeploymentRows") {
  static readonly layer = Layer.effect(
    DeploymentRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const columns = sql.literal(
        `SELECT d.*, ${accountJson(fragments, "u")} AS creator FROM deployments d LEFT JOIN users u ON u.id = d.creator_id`
      )
      const find = (repositoryId: number, id: number) =>
        one(sql`${columns} WHERE d.repository_id = ${repositoryId} AND d.id = ${id}`)

      const matches = (repositoryId: number, { environment, ref, sha, task }: DeploymentFilter) =>
        sql.and([
          sql`d.repository_id = ${repositoryId}`,
          ...(sha === undefined ? [] : [sql`d.sha = ${sha}`]),
          ...(ref === undefined ? [] : [sql`d.ref = ${ref}`]),
          ...(task === undefined ? [] : [sql`d.task = ${task}`]),
          ...(environment === undefined ? [] : [fragments.hasName("d.environment", environment)])
        ])

      return DeploymentRows.of({
        list: Effect.fn("DeploymentRows.list")(function* (repositoryId, filter, { offset, perPage }) {
          const where = matches(repositoryId, filter)
          const items = yield* all(sql`${columns} WHERE ${where} ORDER BY d.id DESC LIMIT ${perPage} OFFSET ${offset}`)
          return { items, total: yield* decodeCount(sql`SELECT count(*) AS count FROM deployments d WHERE ${where}`) }
        }),
        find,
        ofCommits: (repositoryId, oids) =>
          all(sql`
            ${columns} WHERE d.repository_id = ${repositoryId} AND ${fragments.isOneOfTexts("d.sha", oids)} ORDER BY d.id`),
        byIds: (found) => all(sql`${columns} WHERE ${fragments.isOneOf("d.id", found)} ORDER BY d.id`),
        count: (repositoryId, environment) =>
          decodeCount(sql`SELECT count(*) AS count FROM deployments d WHERE ${matches(repositoryId, { environment })}`),
        add: Effect.fn("DeploymentRows.add")(function* (deployment) {
          const { created_at, environment, payload, repository_id } = deployment
          const row = {
            ...deployment,
            payload: JSON.stringify(payload),
            original_environment: environment,
            updated_at: created_at
          }
          const { id } = yield* requireRow(added(sql`INSERT INTO deployments ${sql.insert(row)} RETURNING id`))
          return yield* requireRow(find(repository_id, id))
        }),
        remove: (id) => run(sql`DELETE FROM deployments WHERE id = ${id}`),
        setState: (id, change) => run(sql`UPDATE deployments SET ${sql.update({ ...change })} WHERE id = ${id}`),
        superseded: ({ environment, id, repository_id }) =>
          all(sql`
            ${columns} WHERE ${matches(repository_id, { environment })} AND d.id < ${id} AND d.state = 'success'
              AND d.transient = 0 AND d.production = 0
            ORDER BY d.id`),
        deployedTo: Effect.fn("DeploymentRows.deployedTo")(function* (repositoryId, oids) {
          const found = yield* deployed(sql`
            SELECT DISTINCT d.sha, lower(d.environment) AS environment FROM deployments d
            WHERE d.repository_id = ${repositoryId} AND ${fragments.isOneOfTexts("d.sha", oids)}
              AND (d.state = 'success' OR (d.state = 'inactive' AND EXISTS (
                SELECT 1 FROM deployment_statuses s WHERE s.deployment_id = d.id AND s.state = 'success')))`)
          const bySha = Map.groupBy(found, ({ sha }) => sha)
          return new Map([...bySha].map(([sha, rows]) => [sha, new Set(rows.map(({ environment }) => environment))]))
        }),
        pullRequests: (repositoryId, oid) =>
          Effect.map(
            ids(sql`
              SELECT p.issue_id AS id FROM pull_requests p JOIN issues i ON i.id = p.issue_id AND i.state = 'open'
              WHERE p.repository_id = ${repositoryId} AND p.head_sha = ${oid} ORDER BY p.issue_id LIMIT ${MAX_PULLS}`),
            (rows) => rows.map(({ id }) => id)
          )
      })
    })
  )
}

/** Maximum pull requests that have an event of one deployment. */
const MAX_PULLS = 100
