/** Adds and changes jobs of runs, with their check runs. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ReportedJob } from "@tongs/core/contract/groups/RunReports"
import { timestamp } from "../base/Time.ts"
import * as CheckRunContent from "../checks/CheckRunContent.ts"
import { CheckRunRows } from "../checks/CheckRunRows.ts"
import { Checks } from "../checks/Checks.ts"
import { type CheckSuiteRow, CheckSuiteRows } from "../checks/CheckSuiteRows.ts"
import type { EventContext } from "../events/NewEvent.ts"
import { requireRow } from "../storage/RowDecoder.ts"
import * as ReportContent from "./ReportContent.ts"
import * as RunAnnouncements from "./RunAnnouncements.ts"
import { type WorkflowJobRow, WorkflowJobRows } from "./WorkflowJobRows.ts"
import type { WorkflowRunRow } from "./WorkflowRunRows.ts"

export const make = Effect.gen(function* () {
  const jobs = yield* WorkflowJobRows
  const checks = yield* Checks
  const checkRuns = yield* CheckRunRows
  const suites = yield* CheckSuiteRows
  const announce = yield* RunAnnouncements.make
  const now = Effect.map(Clock.currentTimeMillis, timestamp)

  /** Returns the suite of the check runs of a run. */
  const suiteOf = (run: WorkflowRunRow) => requireRow(suites.find(run.repository_id, run.suite_id))

  /** Adds a job, or changes the job `before`. */
  const put = Effect.fnUntraced(function* (
    at: EventContext,
    run: WorkflowRunRow,
    suite: CheckSuiteRow,
    before: WorkflowJobRow | undefined,
    given: ReportedJob
  ) {
    const moment = yield* now
    const { completed_at, conclusion, labels, name, runner_name, started_at, status } = given
    const begins = before?.status !== "in_progress" && status === "in_progress"
    const known = before === undefined ? undefined : yield* requireRow(checkRuns.find(before.repository_id, before.id))
    const content = yield* Effect.fromResult(
      CheckRunContent.of(
        {
          name,
          ...(status === undefined ? {} : { status }),
          ...(conclusion === undefined ? {} : { conclusion }),
          ...(started_at === undefined ? {} : { started_at }),
          ...(completed_at === undefined || conclusion === undefined ? {} : { completed_at })
        },
        known,
        { isWorkflow: true, now: moment }
      )
    )
    const check = begins && started_at === undefined ? { ...content, started_at: moment } : content
    const own = {
      labels: labels ?? before?.labels ?? [],
      runner_name: runner_name ?? before?.runner_name ?? null,
      steps: given.steps === undefined ? (before?.steps ?? []) : ReportContent.steps(given.steps),
      log_job_id: before?.log_job_id ?? null
    }
    const { id: repository_id } = at.repository.row
    if (before === undefined || known === undefined) {
      const workflow = { id: run.workflow_id, runId: run.id }
      const { id } = yield* checks.createJobRun(at, suite, check, workflow)
      yield* jobs.add({ id, repository_id, run_id: run.id, attempt: run.latest_attempt }, own)
      const row = yield* requireRow(jobs.find(repository_id, id))
      yield* announce.job(at, row.status === "waiting" ? "waiting" : "queued", row)
      if (row.status === "in_progress" || row.status === "completed") yield* announce.job(at, row.status, row)
      return row
    }
    yield* checks.updateRun(at, known, check, [])
    yield* jobs.set(before.id, own)
    const row = yield* requireRow(jobs.find(repository_id, before.id))
    const isAnnounced = ["waiting", "in_progress", "completed"].includes(row.status)
    if (row.status !== before.status && isAnnounced) yield* announce.job(at, row.status, row)
    return row
  })

  return {
    suiteOf,
    put,

    /** Adds a completed job of the attempt before to the next attempt. */
    copy: Effect.fnUntraced(function* (
      at: EventContext,
      run: WorkflowRunRow,
      suite: CheckSuiteRow,
      job: WorkflowJobRow
    ) {
      const { completed_at, conclusion, id, labels, log_job_id, name, runner_name, started_at, steps } = job
      const { actions, details_url, external_id, summary, text, title } = yield* requireRow(
        checkRuns.find(job.repository_id, id)
      )
      const content = { actions, details_url, external_id, summary, text, title }
      const copy = yield* checks.createJobRun(
        at,
        suite,
        { ...content, name, status: "completed", conclusion, started_at, completed_at },
        { id: run.workflow_id, runId: run.id }
      )
      const of = { repository_id: run.repository_id, run_id: run.id, attempt: run.latest_attempt }
      yield* jobs.add({ ...of, id: copy.id }, { labels, log_job_id, runner_name, steps })
    }),

    /** Completes the jobs that a completed run left open: those that began as cancelled, the others as skipped. */
    close: Effect.fnUntraced(function* (at: EventContext, run: WorkflowRunRow, suite: CheckSuiteRow) {
      const all = yield* jobs.ofAttempt(run.id, run.latest_attempt)
      yield* Effect.forEach(
        all.filter(({ status }) => status !== "completed"),
        (job) => {
          const isCancelled = run.conclusion === "cancelled" || job.status === "in_progress"
          const closed = { name: job.name, conclusion: isCancelled ? "cancelled" : "skipped" } as const // literal types
          // The name was valid before.
          return Effect.catchTag(put(at, run, suite, job, closed), "ValidationFailed", Effect.die)
        },
        { discard: true }
      )
    })
  }
})
