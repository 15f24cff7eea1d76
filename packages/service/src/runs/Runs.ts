/**
 * Changes runs. Each change is one transaction with the check runs of its jobs and the deliveries of webhooks. The forge
 * itself runs nothing: dispatches and reruns wait for the reports of a runner.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RunReport } from "@tongs/core/contract/groups/RunReports"
import type { Conflict, Forbidden, NotFound, ValidationFailed } from "@tongs/core/contract/Failure"
import * as ApiError from "../api/ApiError.ts"
import * as Shapes from "../api/Shapes.ts"
import { timestamp } from "../base/Time.ts"
import { Checks, type HeadCommit } from "../checks/Checks.ts"
import type { EventContext } from "../events/NewEvent.ts"
import type { GitError } from "../git/values/GitError.ts"
import { isOid } from "../git/values/Oid.ts"
import * as Transaction from "../storage/Transaction.ts"
import * as JobChanges from "./JobChanges.ts"
import { JobGateRows } from "./JobGateRows.ts"
import { JobLogs } from "./JobLogs.ts"
import * as ReportContent from "./ReportContent.ts"
import * as RunAnnouncements from "./RunAnnouncements.ts"
import { WorkflowDefinitions } from "./WorkflowDefinitions.ts"
import { MAX_JOBS, type WorkflowJobRow, WorkflowJobRows } from "./WorkflowJobRows.ts"
import { type WorkflowRow, WorkflowRows } from "./WorkflowRows.ts"
import { type WorkflowRunRow, WorkflowRunRows } from "./WorkflowRunRows.ts"

/** A run after a report, and whether the report created it. */
export interface ReportResult {
  readonly run: WorkflowRunRow
  readonly isNew: boolean
}

/** A run to create. */
export interface RunOrigin {
  readonly workflow: WorkflowRow
  readonly appId: number
  readonly head: HeadCommit
  readonly branch: string | null
  readonly event: string
  readonly title: string
  readonly externalId?: string | undefined
  /** Inputs of a dispatch. */
  readonly inputs?: Readonly<Record<string, string>> | undefined
  readonly startedAt?: string | undefined
  readonly id?: number | undefined
}

/** The jobs that run again. */
export type RerunSelection =
  | { readonly kind: "all" }
  | { readonly kind: "failed" }
  | { readonly job: number; readonly kind: "job" }

/** Maximum length of the title from a commit message, in characters. */
const MAX_TITLE = 255

/** Conclusions of jobs that `rerun-failed-jobs` runs again. */
const failed: ReadonlySet<string | null> = new Set(["failure", "cancelled", "timed_out", "action_required", "stale"])

type Failures = NotFound | ValidationFailed | GitError

export class Runs extends Context.Service<
  Runs,
  {
    /** Creates a queued run. */
    create(at: EventContext, origin: RunOrigin): Effect.Effect<WorkflowRunRow, GitError>
    /** Creates or changes the run of a report. `appId` and `id` are those of a new run. */
    report(
      at: EventContext,
      appId: number,
      report: RunReport,
      id?: number
    ): Effect.Effect<ReportResult, Conflict | Failures>
    /** Begins the next attempt. Jobs that are not selected keep their results. */
    rerun(
      at: EventContext,
      run: WorkflowRunRow,
      selection: RerunSelection
    ): Effect.Effect<WorkflowRunRow, Forbidden | Failures>
    /** Completes a run and its jobs as cancelled. */
    cancel(at: EventContext, run: WorkflowRunRow): Effect.Effect<void, Conflict | NotFound | GitError>
    /** Queues a run that waits for an approval. */
    approve(at: EventContext, run: WorkflowRunRow): Effect.Effect<void, Forbidden | NotFound | GitError>
    /** Deletes a completed run with its check runs and logs. */
    remove(run: WorkflowRunRow): Effect.Effect<void, Forbidden>
  }
>()("@tongs/service/runs/Runs") {
  static readonly layer = Layer.effect(
    Runs,
    Effect.gen(function* () {
      const workflows = yield* WorkflowRows
      const definitions = yield* WorkflowDefinitions
      const runs = yield* WorkflowRunRows
      const jobs = yield* WorkflowJobRows
      const gates = yield* JobGateRows
      const logs = yield* JobLogs
      const checks = yield* Checks
      const announce = yield* RunAnnouncements.make
      const changes = yield* JobChanges.make
      const transaction = yield* Transaction.make
      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      const create = Effect.fnUntraced(function* (at: EventContext, origin: RunOrigin) {
        const { head, workflow } = origin
        const { suite } = yield* checks.ensureSuite(at, origin.appId, head)
        const created = yield* now
        const started_at = origin.startedAt ?? created
        const { author, committer, message, tree } = head.commit
        const row = yield* runs.add(
          {
            ...(origin.id === undefined ? {} : { id: origin.id }),
            repository_id: at.repository.row.id,
            workflow_id: workflow.id,
            external_id: origin.externalId ?? null,
            app_id: origin.appId,
            suite_id: suite.id,
            actor_id: at.actor.id,
            run_number: yield* workflows.nextNumber(workflow.id),
            event: origin.event,
            display_title: origin.title,
            head_branch: origin.branch,
            head_sha: head.oid,
            head_commit: {
              tree_id: tree,
              message,
              timestamp: Shapes.signature(committer).date,
              author: { name: author.name, email: author.email },
              committer: { name: committer.name, email: committer.email }
            },
            inputs: origin.inputs === undefined ? null : JSON.stringify(origin.inputs),
            created_at: started_at
          },
          { status: "queued", conclusion: null, started_at, updated_at: created }
        )
        yield* announce.run(at, "requested", row)
        return row
      })

      const invalid = (field: string, message: string) =>
        ApiError.invalid(`Validation Failed: ${message}`, [{ resource: "WorkflowRun", field, code: "custom", message }])

      /** Returns the workflow of a report, which may exist on another branch than the default one only. */
      const workflowOf = Effect.fnUntraced(function* (
        { repository }: EventContext,
        { workflow: path, workflow_name }: RunReport
      ) {
        if (path === undefined) return yield* invalid("workflow", "workflow is missing for a new run")
        const known = yield* workflows.byPath(repository.row.id, path)
        if (known !== undefined) return known
        return yield* workflows.put({ repositoryId: repository.row.id, path, name: workflow_name ?? path, blob: null })
      })

      const createReported = Effect.fnUntraced(function* (
        at: EventContext,
        appId: number,
        report: RunReport,
        id?: number
      ) {
        const oid = report.head_sha?.toLowerCase()
        if (oid === undefined) return yield* invalid("head_sha", "head_sha is missing for a new run")
        const commit = isOid(oid) ? yield* at.repository.git.commit(oid) : undefined
        if (commit === undefined) return yield* ApiError.invalid(`No commit found for SHA: ${oid.slice(0, 200)}`)
        const [title = ""] = commit.message.split("\n", 1)
        return yield* create(at, {
          workflow: yield* workflowOf(at, report),
          appId,
          head: { oid, commit },
          branch: report.head_branch ?? null,
          event: report.event ?? "push",
          title: report.display_title ?? [...title].slice(0, MAX_TITLE).join(""),
          externalId: report.external_id,
          id,
          startedAt: ReportContent.time(report.run_started_at)
        })
      })

      const findReported = Effect.fnUntraced(function* (at: EventContext, appId: number, report: RunReport) {
        const { external_id, run_id } = report
        const { id } = at.repository.row
        if (run_id !== undefined) return (yield* runs.find(id, run_id)) ?? (yield* ApiError.notFound())
        return external_id === undefined ? undefined : yield* runs.byExternalId(id, appId, external_id)
      })

      /** Begins the next attempt of a completed run. */
      const nextAttempt = Effect.fnUntraced(function* (at: EventContext, run: WorkflowRunRow) {
        const moment = yield* now
        const state = { status: "queued", conclusion: null, started_at: moment, updated_at: moment }
        const row = yield* runs.addAttempt(run, at.actor.id, state)
        yield* announce.run(at, "requested", row)
        return row
      })

      /** Returns the attempt that a report is about. */
      const attemptOf = Effect.fnUntraced(function* (at: EventContext, run: WorkflowRunRow, report: RunReport) {
        const { latest_attempt: latest } = run
        const { run_attempt: attempt = latest } = report
        if (attempt === latest + 1 && run.status === "completed") return yield* nextAttempt(at, run)
        if (attempt !== latest) {
          return yield* ApiError.conflict(`The latest attempt of workflow run ${run.id} is ${latest}, not ${attempt}.`)
        }
        if (run.conclusion === "cancelled") return yield* ApiError.conflict(`Workflow run ${run.id} was cancelled.`)
        return run
      })

      const report = Effect.fnUntraced(function* (
        at: EventContext,
        appId: number,
        given: RunReport,
        id?: number
      ): Effect.fn.Return<ReportResult, Conflict | Failures> {
        const found = yield* findReported(at, appId, given)
        const before =
          found === undefined ? yield* createReported(at, appId, given, id) : yield* attemptOf(at, found, given)
        const suite = yield* changes.suiteOf(before)
        const known = new Map((yield* jobs.ofAttempt(before.id, before.latest_attempt)).map((job) => [job.name, job]))
        const added = (given.jobs ?? []).filter(({ name }) => !known.has(name)).length
        if (known.size + added > MAX_JOBS) return yield* invalid("jobs", `an attempt has at most ${MAX_JOBS} jobs`)
        for (const job of given.jobs ?? []) {
          known.set(job.name, yield* changes.put(at, before, suite, known.get(job.name), job))
        }
        const state = ReportContent.stateOf(given, [...known.values()], before)
        const updated_at = yield* now
        const started_at =
          ReportContent.time(given.run_started_at) ??
          (before.status === "queued" && state.status === "in_progress" ? updated_at : before.started_at)
        const run = yield* runs.setState(before, { ...state, started_at, updated_at })
        if (run.status === "completed") yield* changes.close(at, run)
        yield* announce.state(at, before, run)
        return { run, isNew: found === undefined }
      })

      const rerun = Effect.fnUntraced(function* (
        at: EventContext,
        run: WorkflowRunRow,
        selection: RerunSelection
      ): Effect.fn.Return<WorkflowRunRow, Forbidden | Failures> {
        if (run.status !== "completed")
          return yield* ApiError.forbidden(
            `The workflow run containing this job is already running. Cancel run ${run.id} first.`
          )
        const before = yield* jobs.ofAttempt(run.id, run.latest_attempt)
        const isSelected = ({ conclusion, id }: WorkflowJobRow) =>
          selection.kind === "all" || (selection.kind === "failed" ? failed.has(conclusion) : id === selection.job)
        if (before.length > 0 && !before.some(isSelected))
          return yield* ApiError.forbidden("This workflow run has no such jobs.")
        const next = yield* nextAttempt(at, run)
        const suite = yield* changes.suiteOf(run)
        for (const job of before) {
          yield* isSelected(job) ? changes.again(at, next, suite, job) : changes.copy(at, next, suite, job)
        }
        return next
      })

      const cancel = Effect.fnUntraced(function* (at: EventContext, run: WorkflowRunRow) {
        if (run.status === "completed")
          return yield* ApiError.conflict("Cannot cancel a workflow run that is completed.")
        const state = { status: "completed", conclusion: "cancelled", started_at: run.started_at }
        const row = yield* runs.setState(run, { ...state, updated_at: yield* now })
        yield* changes.close(at, row)
        yield* announce.state(at, run, row)
      })

      const approve = Effect.fnUntraced(function* (at: EventContext, run: WorkflowRunRow) {
        const hasGates = run.status === "waiting" && (yield* gates.waitingOfRun(run.id)).length > 0
        const waits = (run.status === "waiting" && !hasGates) || run.conclusion === "action_required"
        if (!waits) return yield* ApiError.forbidden("This workflow run does not wait for an approval.")
        const state = { status: "queued", conclusion: null, started_at: run.started_at }
        yield* announce.run(at, "requested", yield* runs.setState(run, { ...state, updated_at: yield* now }))
      })

      /** Reads a run again in a transaction, because a simultaneous change may have completed it. */
      const current = (run: WorkflowRunRow) =>
        Effect.flatMap(runs.find(run.repository_id, run.id), (row) =>
          row === undefined ? Effect.fail(ApiError.notFound()) : Effect.succeed(row)
        )

      return Runs.of({
        create: Effect.fn("Runs.create")((at, origin) => transaction(create(at, origin))),
        report: Effect.fn("Runs.report")(function* (at, appId, given, id) {
          yield* Effect.fromResult(ReportContent.check(given))
          yield* definitions.sync(at.repository)
          return yield* transaction(report(at, appId, given, id))
        }),
        rerun: Effect.fn("Runs.rerun")((at, run, selection) =>
          transaction(Effect.flatMap(current(run), (row) => rerun(at, row, selection)))
        ),
        cancel: Effect.fn("Runs.cancel")((at, run) =>
          transaction(Effect.flatMap(current(run), (row) => cancel(at, row)))
        ),
        approve: Effect.fn("Runs.approve")((at, run) =>
          transaction(Effect.flatMap(current(run), (row) => approve(at, row)))
        ),
        remove: Effect.fn("Runs.remove")(function* (run) {
          if (run.status !== "completed")
            return yield* ApiError.forbidden("Could not delete the workflow run, because it is not completed.")
          yield* transaction(Effect.andThen(checks.removeOfWorkflowRun(run.suite_id, run.id), runs.remove(run.id)))
          yield* logs.removeRun(run.repository_id, run.id)
        })
      })
    })
  )
}
