/** Database rows of jobs, with the state of their check runs. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { PageRequest } from "../base/Paging.ts"
import * as PageCache from "../storage/PageCache.ts"
import { decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import { gateStates } from "./JobGateRows.ts"

export const StepRow = Schema.Struct({
  name: Schema.String,
  number: Schema.Int,
  status: Schema.String,
  conclusion: Schema.NullOr(Schema.String),
  started_at: Schema.NullOr(Schema.String),
  completed_at: Schema.NullOr(Schema.String),
  /** Position of its first byte in the log of the job. */
  log_offset: Schema.NullOr(Schema.Int)
})
export type StepRow = typeof StepRow.Type

export const WorkflowJobRow = Schema.Struct({
  /** Also the id of the check run. */
  id: Schema.Int,
  repository_id: Schema.Int,
  run_id: Schema.Int,
  attempt: Schema.Int,
  name: Schema.String,
  status: Schema.String,
  conclusion: Schema.NullOr(Schema.String),
  head_sha: Schema.String,
  head_branch: Schema.NullOr(Schema.String),
  workflow_name: Schema.String,
  labels: Schema.fromJsonString(Schema.Array(Schema.String)),
  runner_name: Schema.NullOr(Schema.String),
  steps: Schema.fromJsonString(Schema.Array(StepRow)),
  /** The job that has the log: this one, or that of an earlier attempt. Null without a log. */
  log_job_id: Schema.NullOr(Schema.Int),
  /** Name of the environment that the job deploys to, with the state of its gate. Null without one. */
  environment: Schema.NullOr(Schema.String),
  gate: Schema.NullOr(Schema.Literals(gateStates)),
  deployment_id: Schema.NullOr(Schema.Int),
  created_at: Schema.String,
  started_at: Schema.NullOr(Schema.String),
  completed_at: Schema.NullOr(Schema.String)
})
export type WorkflowJobRow = typeof WorkflowJobRow.Type

/** The members of a job that its check run lacks. */
export type JobContent = Pick<WorkflowJobRow, "labels" | "runner_name" | "steps" | "log_job_id">

/** Maximum jobs of an attempt. */
export const MAX_JOBS = 256

const one = decodeFirstRow(WorkflowJobRow)
const all = decodeRows(WorkflowJobRow)

/** Reads and writes jobs. */
export class WorkflowJobRows extends Context.Service<
  WorkflowJobRows,
  {
    /** Returns a page of the jobs of a run, by id: those of an attempt, or all. */
    list(runId: number, attempt: number | undefined, page: PageRequest): Effect.Effect<PageCache.Page<WorkflowJobRow>>
    /** Returns all jobs of an attempt, by id. */
    ofAttempt(runId: number, attempt: number): Effect.Effect<ReadonlyArray<WorkflowJobRow>>
    find(repositoryId: number, id: number): Effect.Effect<WorkflowJobRow | undefined>
    add(
      job: Pick<WorkflowJobRow, "id" | "repository_id" | "run_id" | "attempt">,
      content: JobContent
    ): Effect.Effect<void>
    set(id: number, content: JobContent): Effect.Effect<void>
    /** Records that jobs of a run have no logs. */
    removeLogs(runId: number): Effect.Effect<void>
    /** Returns the completed jobs of a workflow. */
    ofWorkflow(workflowId: number): Effect.Effect<ReadonlyArray<WorkflowJobRow>>
  }
>()("@tongs/service/runs/WorkflowJobRows") {
  static readonly layer = Layer.effect(
    WorkflowJobRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pages = PageCache.make(yield* StoreRevision, WorkflowJobRow)
      const columns = sql.literal(`
        j.id, j.repository_id, j.run_id, j.attempt, c.name, c.status, c.conclusion, c.head_sha, r.head_branch,
        w.name AS workflow_name, j.labels, j.runner_name, j.steps, j.log_job_id, g.environment, g.state AS gate,
        g.deployment_id, c.created_at, c.started_at, c.completed_at`)
      const from = sql.literal(`workflow_jobs j JOIN check_runs c ON c.id = j.id
        JOIN workflow_runs r ON r.id = j.run_id JOIN workflows w ON w.id = r.workflow_id
        LEFT JOIN job_gates g ON g.job_id = j.id`)
      const select = (where: Fragment) => sql`SELECT ${columns} FROM ${from} WHERE ${where}`
      const texts = ({ labels, steps, ...content }: JobContent) => ({
        ...content,
        labels: JSON.stringify(labels),
        steps: JSON.stringify(steps)
      })

      return WorkflowJobRows.of({
        list: (runId, attempt, range) => {
          const where = sql`j.run_id = ${runId} ${attempt === undefined ? sql`` : sql`AND j.attempt = ${attempt}`}`
          const chosen = sql`WHERE ${where} ORDER BY j.id LIMIT ${range.perPage} OFFSET ${range.offset}`
          const count = sql`SELECT count(*) AS count FROM workflow_jobs j WHERE ${where}`
          return pages({
            key: chosen,
            range,
            rows: () => sql`SELECT ${columns}, (${count}) AS total FROM ${from} ${chosen}`,
            count: () => count
          })
        },
        ofAttempt: (runId, attempt) =>
          all(sql`${select(sql`j.run_id = ${runId} AND j.attempt = ${attempt}`)} ORDER BY j.id`),
        find: (repositoryId, id) => one(select(sql`j.repository_id = ${repositoryId} AND j.id = ${id}`)),
        add: (job, content) =>
          Effect.orDie(Effect.asVoid(sql`INSERT INTO workflow_jobs ${sql.insert({ ...job, ...texts(content) })}`)),
        set: (id, content) =>
          Effect.orDie(Effect.asVoid(sql`UPDATE workflow_jobs SET ${sql.update(texts(content))} WHERE id = ${id}`)),
        removeLogs: (runId) =>
          Effect.orDie(Effect.asVoid(sql`UPDATE workflow_jobs SET log_job_id = NULL WHERE run_id = ${runId}`)),
        ofWorkflow: (workflowId) =>
          all(
            sql`${select(sql`r.workflow_id = ${workflowId} AND c.status = 'completed'`)} ORDER BY j.id DESC LIMIT 10000`
          )
      })
    })
  )
}
