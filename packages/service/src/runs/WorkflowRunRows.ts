/** Database rows of runs and their attempts. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import type { PageRequest } from "../base/Paging.ts"
import * as PageCache from "../storage/PageCache.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"

const Person = Schema.Struct({ name: Schema.String, email: Schema.String })

/** The commit of a run, which the run keeps so that lists need not read git. */
export const RunCommit = Schema.Struct({
  tree_id: Schema.String,
  message: Schema.String,
  timestamp: Schema.String,
  author: Person,
  committer: Person
})
export type RunCommit = typeof RunCommit.Type

/** A run with the state of one attempt. */
export const WorkflowRunRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  workflow_id: Schema.Int,
  workflow_name: Schema.String,
  workflow_path: Schema.String,
  external_id: Schema.NullOr(Schema.String),
  app_id: Schema.Int,
  suite_id: Schema.Int,
  /** Null if the account was deleted. */
  actor: Schema.NullOr(Schema.fromJsonString(UserRow)),
  triggering_actor: Schema.NullOr(Schema.fromJsonString(UserRow)),
  run_number: Schema.Int,
  /** The attempt of the state. */
  attempt: Schema.Int,
  latest_attempt: Schema.Int,
  event: Schema.String,
  display_title: Schema.String,
  head_branch: Schema.NullOr(Schema.String),
  head_sha: Schema.String,
  head_commit: Schema.fromJsonString(RunCommit),
  /** Inputs of a dispatch as JSON. */
  inputs: Schema.NullOr(Schema.String),
  status: Schema.String,
  conclusion: Schema.NullOr(Schema.String),
  started_at: Schema.String,
  created_at: Schema.String,
  updated_at: Schema.String
})
export type WorkflowRunRow = typeof WorkflowRunRow.Type

/** A run to add, with its first attempt. */
export interface NewWorkflowRun {
  readonly id?: number
  readonly repository_id: number
  readonly workflow_id: number
  readonly external_id: string | null
  readonly app_id: number
  readonly suite_id: number
  readonly actor_id: number
  readonly run_number: number
  readonly event: string
  readonly display_title: string
  readonly head_branch: string | null
  readonly head_sha: string
  readonly head_commit: RunCommit
  readonly inputs: string | null
  readonly created_at: string
}

/** The state of an attempt. */
export interface AttemptState {
  readonly status: string
  readonly conclusion: string | null
  readonly started_at: string
  readonly updated_at: string
}

export interface WorkflowRunFilter {
  readonly workflowId?: number | undefined
  readonly actor?: string | undefined
  readonly branch?: string | undefined
  readonly event?: string | undefined
  /** A status or a conclusion. */
  readonly status?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly suiteId?: number | undefined
  readonly sha?: string | undefined
}

const one = decodeFirstRow(WorkflowRunRow)
const all = decodeRows(WorkflowRunRow)
const ids = decodeFirstRow(Schema.Struct({ id: Schema.Int }))

/** Reads and writes runs. */
export class WorkflowRunRows extends Context.Service<
  WorkflowRunRows,
  {
    /** Returns a page of runs with the state of their latest attempt, the newest first. */
    list(
      repositoryId: number,
      filter: WorkflowRunFilter,
      page: PageRequest
    ): Effect.Effect<PageCache.Page<WorkflowRunRow>>
    /** Returns a run with the state of an attempt, by default the latest one. */
    find(repositoryId: number, id: number, attempt?: number): Effect.Effect<WorkflowRunRow | undefined>
    byExternalId(repositoryId: number, appId: number, externalId: string): Effect.Effect<WorkflowRunRow | undefined>
    /** Returns the runs with these ids that exist, by id. */
    byIds(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, WorkflowRunRow>>
    /** Returns the newest run of each check suite, by the id of the suite. */
    ofSuites(suiteIds: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, WorkflowRunRow>>
    add(run: NewWorkflowRun, state: AttemptState): Effect.Effect<WorkflowRunRow>
    /** Begins the next attempt. */
    addAttempt(run: WorkflowRunRow, actorId: number, state: AttemptState): Effect.Effect<WorkflowRunRow>
    /** Sets the state of the latest attempt. */
    setState(run: WorkflowRunRow, state: AttemptState): Effect.Effect<WorkflowRunRow>
    remove(id: number): Effect.Effect<void>
  }
>()("@tongs/service/runs/WorkflowRunRows") {
  static readonly layer = Layer.effect(
    WorkflowRunRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const pages = PageCache.make(yield* StoreRevision, WorkflowRunRow)
      const [actor, triggering] = [accountJson(fragments, "u"), accountJson(fragments, "t")]
      const columns = sql.literal(`
        r.id, r.repository_id, r.workflow_id, w.name AS workflow_name, w.path AS workflow_path, r.external_id, r.app_id,
        r.suite_id, ${actor} AS actor, ${triggering} AS triggering_actor, r.run_number, a.attempt,
        r.attempt AS latest_attempt, r.event, r.display_title, r.head_branch, r.head_sha, r.head_commit, r.inputs,
        a.status, a.conclusion, a.started_at, r.created_at, a.updated_at`)
      const from = (attempt: number | undefined) => sql`
        FROM workflow_runs r JOIN workflows w ON w.id = r.workflow_id
        JOIN workflow_attempts a ON a.run_id = r.id AND a.attempt = ${attempt ?? sql.literal("r.attempt")}
        LEFT JOIN users u ON u.id = r.actor_id LEFT JOIN users t ON t.id = a.triggering_actor_id`
      const select = (where: Fragment, attempt?: number) => sql`SELECT ${columns} ${from(attempt)} WHERE ${where}`
      const byId = (id: number) => requireRow(one(select(sql`r.id = ${id}`)))

      return WorkflowRunRows.of({
        list: (repositoryId, filter, range) => {
          const { actor: login, branch, event, sha, status, suiteId, workflowId } = filter
          const conditions = [
            sql`r.repository_id = ${repositoryId}`,
            workflowId === undefined ? undefined : sql`r.workflow_id = ${workflowId}`,
            login === undefined ? undefined : fragments.hasName("u.login", login),
            branch === undefined ? undefined : sql`r.head_branch = ${branch}`,
            event === undefined ? undefined : sql`r.event = ${event}`,
            status === undefined ? undefined : sql`(a.status = ${status} OR a.conclusion = ${status})`,
            filter.from === undefined ? undefined : sql`r.created_at >= ${filter.from}`,
            filter.to === undefined ? undefined : sql`r.created_at <= ${filter.to}`,
            suiteId === undefined ? undefined : sql`r.suite_id = ${suiteId}`,
            sha === undefined ? undefined : sql`r.head_sha = ${sha}`
          ]
          const where = sql.and(conditions.filter((one) => one !== undefined))
          const chosen = sql`WHERE ${where} ORDER BY r.id DESC LIMIT ${range.perPage} OFFSET ${range.offset}`
          const count = sql`SELECT count(*) AS count ${from(undefined)} WHERE ${where}`
          return pages({
            key: chosen,
            range,
            rows: () => sql`SELECT ${columns}, (${count}) AS total ${from(undefined)} ${chosen}`,
            count: () => count
          })
        },
        find: (repositoryId, id, attempt) =>
          one(select(sql`r.repository_id = ${repositoryId} AND r.id = ${id}`, attempt)),
        byExternalId: (repositoryId, appId, externalId) =>
          one(select(sql`r.repository_id = ${repositoryId} AND r.app_id = ${appId} AND r.external_id = ${externalId}`)),
        byIds: (found) =>
          Effect.map(
            all(select(fragments.isOneOf("r.id", found))),
            (rows) => new Map(rows.map((row) => [row.id, row]))
          ),
        ofSuites: (suiteIds) =>
          Effect.map(
            all(
              sql`${select(sql`r.id IN (
              SELECT max(id) FROM workflow_runs WHERE ${fragments.isOneOf("suite_id", suiteIds)} GROUP BY suite_id)`)}`
            ),
            (rows) => new Map(rows.map((row) => [row.suite_id, row]))
          ),
        add: Effect.fn("WorkflowRunRows.add")(function* (run, state) {
          const row = { ...run, head_commit: JSON.stringify(run.head_commit), attempt: 1 }
          const { id } = yield* requireRow(ids(sql`INSERT INTO workflow_runs ${sql.insert(row)} RETURNING id`))
          if (run.id !== undefined) yield* fragments.followIds("workflow_runs")
          const attempt = { ...state, run_id: id, attempt: 1, triggering_actor_id: run.actor_id }
          yield* Effect.orDie(sql`INSERT INTO workflow_attempts ${sql.insert(attempt)}`)
          return yield* byId(id)
        }),
        addAttempt: Effect.fn("WorkflowRunRows.addAttempt")(function* ({ id, latest_attempt }, actorId, state) {
          const attempt = latest_attempt + 1
          yield* Effect.orDie(sql`UPDATE workflow_runs SET attempt = ${attempt} WHERE id = ${id}`)
          const row = { ...state, run_id: id, attempt, triggering_actor_id: actorId }
          yield* Effect.orDie(sql`INSERT INTO workflow_attempts ${sql.insert(row)}`)
          return yield* byId(id)
        }),
        setState: Effect.fn("WorkflowRunRows.setState")(function* ({ id, latest_attempt }, state) {
          const { conclusion, started_at, status, updated_at } = state
          yield* Effect.orDie(sql`
            UPDATE workflow_attempts SET ${sql.update({ conclusion, started_at, status, updated_at })} WHERE run_id = ${id} AND attempt = ${latest_attempt}`)
          return yield* byId(id)
        }),
        remove: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM workflow_runs WHERE id = ${id}`))
      })
    })
  )
}
