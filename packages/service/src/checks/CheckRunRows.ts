/** Database rows of check runs and their annotations. */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { PageRequest } from "../base/Paging.ts"
import * as PageCache from "../storage/PageCache.ts"
import { decodeCount, decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"

export const CheckRunRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  suite_id: Schema.Int,
  app_id: Schema.Int,
  head_sha: Schema.String,
  name: Schema.String,
  status: Schema.String,
  conclusion: Schema.NullOr(Schema.String),
  external_id: Schema.NullOr(Schema.String),
  details_url: Schema.NullOr(Schema.String),
  started_at: Schema.NullOr(Schema.String),
  completed_at: Schema.NullOr(Schema.String),
  title: Schema.NullOr(Schema.String),
  summary: Schema.NullOr(Schema.String),
  text: Schema.NullOr(Schema.String),
  /** Buttons as JSON. */
  actions: Schema.NullOr(Schema.String),
  annotations_count: Schema.Int,
  created_at: Schema.String,
  /** The workflow and the run of which the check run is a job. Null for all other check runs. */
  workflow_id: Schema.NullOr(Schema.Int),
  workflow_run_id: Schema.NullOr(Schema.Int)
})
export type CheckRunRow = typeof CheckRunRow.Type

/** The members of a check run that its app changes. */
export type CheckRunContent = Omit<
  CheckRunRow,
  | "id"
  | "repository_id"
  | "suite_id"
  | "app_id"
  | "head_sha"
  | "annotations_count"
  | "created_at"
  | "workflow_id"
  | "workflow_run_id"
>

export type NewCheckRun = Omit<CheckRunRow, "id" | "annotations_count">

export const AnnotationRow = Schema.Struct({
  id: Schema.Int,
  run_id: Schema.Int,
  path: Schema.String,
  start_line: Schema.Int,
  end_line: Schema.Int,
  start_column: Schema.NullOr(Schema.Int),
  end_column: Schema.NullOr(Schema.Int),
  annotation_level: Schema.String,
  title: Schema.NullOr(Schema.String),
  message: Schema.String,
  raw_details: Schema.NullOr(Schema.String)
})
export type AnnotationRow = typeof AnnotationRow.Type

export interface RunFilter {
  readonly name: string | undefined
  readonly status: string | undefined
  readonly appId: number | undefined
  /** If true, only the newest check run of each name and workflow in a suite. */
  readonly isLatest: boolean
}

/** Statuses and conclusions of the newest check runs of a suite. */
const RunState = Schema.Struct({ status: Schema.String, conclusion: Schema.NullOr(Schema.String) })
export type RunState = typeof RunState.Type

const one = decodeFirstRow(CheckRunRow)
const all = decodeRows(CheckRunRow)
const states = decodeRows(RunState)

/** Maximum check runs of one name in a suite. Older ones are deleted, as GitHub documents. */
const MAX_SAME_NAME = 1000

type RunPage = Effect.Effect<PageCache.Page<CheckRunRow>>

/** Reads and writes check runs. */
export class CheckRunRows extends Context.Service<
  CheckRunRows,
  {
    listOfCommit(repositoryId: number, sha: string, filter: RunFilter, page: PageRequest): RunPage
    listOfSuite(suiteId: number, filter: RunFilter, page: PageRequest): RunPage
    find(repositoryId: number, id: number): Effect.Effect<CheckRunRow | undefined>
    /** Returns the check runs with these ids that exist, by id. */
    byIds(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, CheckRunRow>>
    /** Number of different names in a suite. */
    names(suiteId: number): Effect.Effect<number>
    /** States of the newest check runs of a suite, without duplicates. */
    states(suiteId: number): Effect.Effect<ReadonlyArray<RunState>>
    /** Adds a check run, which becomes the newest of its name, in the transaction of the caller. */
    add(run: NewCheckRun): Effect.Effect<CheckRunRow>
    /** Changes a check run, in the transaction of the caller. */
    set(run: CheckRunRow, content: CheckRunContent): Effect.Effect<CheckRunRow>
    /** Deletes the check runs of a workflow run, in the transaction of the caller. Older ones become the newest again. */
    removeOfWorkflowRun(workflowRunId: number): Effect.Effect<void>
    annotations(runId: number, page: PageRequest): Effect.Effect<PageCache.Page<AnnotationRow>>
    annotate(runId: number, annotations: ReadonlyArray<Omit<AnnotationRow, "id" | "run_id">>): Effect.Effect<void>
  }
>()("@tongs/service/checks/CheckRunRows") {
  static readonly layer = Layer.effect(
    CheckRunRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isOneOf } = SqlFragments.make(sql)
      const revision = yield* StoreRevision
      const pages = PageCache.make(revision, CheckRunRow)
      const annotationPages = PageCache.make(revision, AnnotationRow)
      const run = (statement: Effect.Effect<unknown, SqlError>) => Effect.orDie(Effect.asVoid(statement))
      const byId = (id: number) => requireRow(one(sql`SELECT * FROM check_runs WHERE id = ${id}`))

      /** Returns a page of check runs, the newest first. */
      const list = (of: Fragment, { appId, isLatest, name, status }: RunFilter, range: PageRequest) => {
        const where = sql.and([
          of,
          ...(isLatest ? [sql`is_latest = 1`] : []),
          ...(appId === undefined ? [] : [sql`app_id = ${appId}`]),
          ...(name === undefined ? [] : [sql`name = ${name}`]),
          ...(status === undefined ? [] : [sql`status = ${status}`])
        ])
        const chosen = sql`WHERE ${where} ORDER BY id DESC LIMIT ${range.perPage} OFFSET ${range.offset}`
        const count = sql`SELECT count(*) AS count FROM check_runs WHERE ${where}`
        return pages({
          key: chosen,
          range,
          rows: () => sql`SELECT *, (${count}) AS total FROM check_runs ${chosen}`,
          count: () => count
        })
      }

      /** Condition: the check runs of a name and workflow in a suite, of which one is the newest. */
      const same = ({ name, suite_id, workflow_id }: Pick<CheckRunRow, "suite_id" | "name" | "workflow_id">) =>
        sql`suite_id = ${suite_id} AND name = ${name} AND workflow_id IS NOT DISTINCT FROM ${workflow_id}`

      /** Marks the newest check run of a name in a suite. */
      const mark = (of: Pick<CheckRunRow, "suite_id" | "name" | "workflow_id">) =>
        run(sql`
          UPDATE check_runs SET is_latest = CASE WHEN id = (
            SELECT max(id) FROM check_runs WHERE ${same(of)}) THEN 1 ELSE 0 END
          WHERE ${same(of)}`)

      return CheckRunRows.of({
        listOfCommit: (repositoryId, sha, filter, range) =>
          list(sql`repository_id = ${repositoryId} AND head_sha = ${sha}`, filter, range),
        listOfSuite: (suiteId, filter, range) => list(sql`suite_id = ${suiteId}`, filter, range),
        find: (repositoryId, id) =>
          one(sql`SELECT * FROM check_runs WHERE repository_id = ${repositoryId} AND id = ${id}`),
        byIds: (ids) =>
          Effect.map(
            all(sql`SELECT * FROM check_runs WHERE ${isOneOf("id", ids)}`),
            (found) => new Map(found.map((row) => [row.id, row]))
          ),
        names: (suiteId) =>
          decodeCount(sql`SELECT count(*) AS count FROM check_runs WHERE suite_id = ${suiteId} AND is_latest = 1`),
        states: (suiteId) =>
          states(sql`
            SELECT DISTINCT status, conclusion FROM check_runs WHERE suite_id = ${suiteId} AND is_latest = 1`),
        add: Effect.fn("CheckRunRows.add")(function* (given) {
          yield* run(sql`UPDATE check_runs SET is_latest = 0 WHERE ${same(given)} AND is_latest = 1`)
          const added = yield* requireRow(
            one(sql`INSERT INTO check_runs ${sql.insert({ ...given, annotations_count: 0, is_latest: 1 })} RETURNING *`)
          )
          yield* run(sql`
            DELETE FROM check_runs WHERE ${same(given)} AND id <= (
              SELECT id FROM check_runs WHERE ${same(given)}
              ORDER BY id DESC LIMIT 1 OFFSET ${MAX_SAME_NAME})`)
          return added
        }),
        set: Effect.fn("CheckRunRows.set")(function* (before, content) {
          yield* run(sql`UPDATE check_runs SET ${sql.update({ ...content })} WHERE id = ${before.id}`)
          if (content.name !== before.name) {
            yield* mark(before)
            yield* mark({ ...before, name: content.name })
          }
          return yield* byId(before.id)
        }),
        removeOfWorkflowRun: Effect.fn("CheckRunRows.removeOfWorkflowRun")(function* (id) {
          const removed = yield* all(sql`SELECT * FROM check_runs WHERE workflow_run_id = ${id}`)
          yield* run(sql`DELETE FROM check_runs WHERE workflow_run_id = ${id}`)
          for (const row of removed.filter(
            ({ name }, index) => removed.findIndex((one) => one.name === name) === index
          ))
            yield* mark(row)
        }),
        annotations: (runId, range) => {
          const chosen = sql`WHERE run_id = ${runId} ORDER BY id LIMIT ${range.perPage} OFFSET ${range.offset}`
          const count = sql`SELECT count(*) AS count FROM check_annotations WHERE run_id = ${runId}`
          return annotationPages({
            key: chosen,
            range,
            rows: () => sql`SELECT *, (${count}) AS total FROM check_annotations ${chosen}`,
            count: () => count
          })
        },
        annotate: Effect.fn("CheckRunRows.annotate")(function* (runId, annotations) {
          if (!Arr.isReadonlyArrayNonEmpty(annotations)) return
          yield* run(sql`
            INSERT INTO check_annotations ${sql.insert(Arr.map(annotations, (one) => ({ ...one, run_id: runId })))}`)
          yield* run(sql`
            UPDATE check_runs SET annotations_count = annotations_count + ${annotations.length} WHERE id = ${runId}`)
        })
      })
    })
  )
}
