/** Database rows of gates: jobs that deploy to an environment and may wait for its protection rules. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

export const gateStates = ["waiting", "open", "closed"] as const // literal types

const JobGateRow = Schema.Struct({
  job_id: Schema.Int,
  repository_id: Schema.Int,
  run_id: Schema.Int,
  attempt: Schema.Int,
  /** Null if the environment was deleted. */
  environment_id: Schema.NullOr(Schema.Int),
  environment: Schema.String,
  /** Null if the deployment was deleted. */
  deployment_id: Schema.NullOr(Schema.Int),
  state: Schema.Literals(gateStates),
  /** When a waiting gate is tested again without a review. */
  due_at: Schema.NullOr(Schema.String),
  created_at: Schema.String
})
export type JobGateRow = typeof JobGateRow.Type

/** An approval of a gate: a review of a person, or the decision of a custom rule's app. */
const ApprovalRow = Schema.Struct({
  job_id: Schema.Int,
  kind: Schema.Literals(["review", "rule"]),
  app_id: Schema.NullOr(Schema.Int)
})
export type ApprovalRow = typeof ApprovalRow.Type

const GateReviewRow = Schema.Struct({
  id: Schema.Int,
  state: Schema.Literals(["approved", "rejected", "pending"]),
  comment: Schema.String,
  /** Null if the account was deleted. */
  user: Schema.NullOr(Schema.fromJsonString(UserRow)),
  /** Ids of the environments that still exist. */
  environment_ids: Schema.Array(Schema.Int)
})
export type GateReviewRow = typeof GateReviewRow.Type

/** A review to add, with the jobs whose gates it is about. */
export interface NewGateReview {
  readonly run_id: number
  readonly kind: ApprovalRow["kind"]
  readonly user_id: number
  readonly app_id: number | null
  readonly state: GateReviewRow["state"]
  readonly comment: string
  readonly created_at: string
  readonly jobs: ReadonlyArray<number>
}

/** Maximum reviews of a run. */
export const MAX_REVIEWS = 1000

const all = decodeRows(JobGateRow)
const approvals = decodeRows(ApprovalRow)
const added = decodeFirstRow(Schema.Struct({ id: Schema.Int }))
const reviews = decodeRows(Schema.Struct({ ...GateReviewRow.fields, environment_ids: Schema.NullOr(Schema.Int) }))

/** Reads and writes gates and their reviews. */
export class JobGateRows extends Context.Service<
  JobGateRows,
  {
    /** Returns the waiting gates of a run's latest attempt, by job. */
    waitingOfRun(runId: number): Effect.Effect<ReadonlyArray<JobGateRow>>
    waitingOfEnvironment(environmentId: number): Effect.Effect<ReadonlyArray<JobGateRow>>
    /** Returns up to 100 waiting gates that are due, the earliest first. */
    due(now: string): Effect.Effect<ReadonlyArray<JobGateRow>>
    add(gate: JobGateRow): Effect.Effect<void>
    setState(jobId: number, change: Pick<JobGateRow, "state" | "due_at">): Effect.Effect<void>
    /** Returns the approvals of gates. */
    approvals(jobIds: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<ApprovalRow>>
    /** Returns the reviews of a run, the oldest first. */
    reviews(runId: number): Effect.Effect<ReadonlyArray<GateReviewRow>>
    addReview(review: NewGateReview): Effect.Effect<void>
  }
>()("@tongs/service/runs/JobGateRows") {
  static readonly layer = Layer.effect(
    JobGateRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const user = sql.literal(accountJson(fragments, "u"))

      return JobGateRows.of({
        waitingOfRun: (runId) =>
          all(sql`
            SELECT g.* FROM job_gates g JOIN workflow_runs r ON r.id = g.run_id AND r.attempt = g.attempt
            WHERE g.run_id = ${runId} AND g.state = 'waiting' ORDER BY g.job_id`),
        waitingOfEnvironment: (environmentId) =>
          all(sql`
            SELECT * FROM job_gates WHERE environment_id = ${environmentId} AND state = 'waiting' ORDER BY job_id`),
        due: (now) =>
          all(sql`SELECT * FROM job_gates WHERE state = 'waiting' AND due_at <= ${now} ORDER BY due_at LIMIT 100`),
        add: (gate) => run(sql`INSERT INTO job_gates ${sql.insert({ ...gate })}`),
        setState: (jobId, change) =>
          run(sql`UPDATE job_gates SET ${sql.update({ ...change })} WHERE job_id = ${jobId}`),
        approvals: (jobIds) =>
          approvals(sql`
            SELECT j.job_id, v.kind, v.app_id FROM gate_review_jobs j JOIN gate_reviews v ON v.id = j.review_id
            WHERE ${fragments.isOneOf("j.job_id", jobIds)} AND v.state = 'approved'`),
        reviews: Effect.fn("JobGateRows.reviews")(function* (runId) {
          const rows = yield* reviews(sql`
            SELECT DISTINCT v.id, v.state, v.comment, ${user} AS "user", g.environment_id AS environment_ids
            FROM (SELECT * FROM gate_reviews WHERE run_id = ${runId} ORDER BY id LIMIT ${MAX_REVIEWS}) v
            LEFT JOIN users u ON u.id = v.user_id
            LEFT JOIN gate_review_jobs j ON j.review_id = v.id LEFT JOIN job_gates g ON g.job_id = j.job_id
            ORDER BY v.id, environment_ids`)
          return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((parts) =>
            parts
              .slice(0, 1)
              .map((first) => ({ ...first, environment_ids: parts.flatMap((one) => one.environment_ids ?? []) }))
          )
        }),
        addReview: Effect.fn("JobGateRows.addReview")(function* ({ jobs, ...review }) {
          const { id } = yield* requireRow(added(sql`INSERT INTO gate_reviews ${sql.insert(review)} RETURNING id`))
          for (const job_id of jobs)
            yield* run(sql`INSERT INTO gate_review_jobs ${sql.insert({ review_id: id, job_id })}`)
        })
      })
    })
  )
}
