/** Adds and changes jobs of runs, with their check runs. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Conflict, ValidationFailed } from "@tongs/core/contract/Failure"
import type { ReportedJob } from "@tongs/core/contract/groups/RunReports"
import * as ApiError from "../api/ApiError.ts"
import { timestamp } from "../base/Time.ts"
import * as CheckRunContent from "../checks/CheckRunContent.ts"
import { type CheckRunRow, CheckRunRows } from "../checks/CheckRunRows.ts"
import { Checks } from "../checks/Checks.ts"
import { type CheckSuiteRow, CheckSuiteRows } from "../checks/CheckSuiteRows.ts"
import type { EventContext } from "../events/NewEvent.ts"
import type { GitError } from "../git/values/GitError.ts"
import { requireRow } from "../storage/RowDecoder.ts"
import * as JobGates from "./JobGates.ts"
import * as ReportContent from "./ReportContent.ts"
import * as RunAnnouncements from "./RunAnnouncements.ts"
import { type WorkflowJobRow, WorkflowJobRows } from "./WorkflowJobRows.ts"
import type { WorkflowRunRow } from "./WorkflowRunRows.ts"

/** Conclusions of jobs that did not deploy, which a waiting job can have. */
const ends: ReadonlySet<string> = new Set(["cancelled", "skipped", "failure", "timed_out"])

/** For a change that keeps the name and environment of a job, which were valid before. */
const keepsContent = <A>(effect: Effect.Effect<A, Conflict | GitError | ValidationFailed>) =>
  Effect.catchTags(effect, { ValidationFailed: Effect.die, Conflict: Effect.die })

export const make = Effect.gen(function* () {
  const jobs = yield* WorkflowJobRows
  const checks = yield* Checks
  const checkRuns = yield* CheckRunRows
  const suites = yield* CheckSuiteRows
  const announce = yield* RunAnnouncements.make
  const gates = yield* JobGates.make
  const now = Effect.map(Clock.currentTimeMillis, timestamp)

  /** Returns the suite of the check runs of a run. */
  const suiteOf = (run: WorkflowRunRow) => requireRow(suites.find(run.repository_id, run.suite_id))

  /** Returns the status that a report gives to a job, which stays `waiting` until its gate opens. */
  const statusOf = Effect.fnUntraced(function* (given: ReportedJob, waitsFor: string | undefined) {
    const { conclusion, status } = given
    if (waitsFor === undefined) return status
    if (conclusion !== undefined && ends.has(conclusion)) return undefined
    if (conclusion !== undefined || status === "in_progress") return yield* JobGates.stillWaits(given, waitsFor)
    return "waiting"
  })

  const contentOf = Effect.fnUntraced(function* (
    given: ReportedJob,
    status: ReportedJob["status"],
    known: CheckRunRow | undefined,
    summary: string | undefined
  ) {
    const moment = yield* now
    const { completed_at, conclusion, name, started_at } = given
    const content = yield* Effect.fromResult(
      CheckRunContent.of(
        {
          name,
          ...(status === undefined ? {} : { status }),
          ...(conclusion === undefined ? {} : { conclusion }),
          ...(started_at === undefined ? {} : { started_at }),
          ...(completed_at === undefined || conclusion === undefined ? {} : { completed_at }),
          ...(summary === undefined ? {} : { output: { title: name, summary } })
        },
        known,
        { isWorkflow: true, now: moment }
      )
    )
    const begins = known?.status !== "in_progress" && status === "in_progress"
    return begins && started_at === undefined ? { ...content, started_at: moment } : content
  })

  /** Adds a job. One with an environment may have to wait, or is refused. */
  const add = Effect.fnUntraced(function* (
    at: EventContext,
    run: WorkflowRunRow,
    suite: CheckSuiteRow,
    given: ReportedJob
  ) {
    const { environment, labels = [], runner_name = null, steps = [] } = given
    const isEnded = given.conclusion !== undefined && ends.has(given.conclusion)
    const admission = environment === undefined || isEnded ? undefined : yield* gates.admit(at, run, environment)
    const waitsFor = admission?.kind === "waiting" ? admission.environment.name : undefined
    const isRefused = admission?.kind === "refused"
    const job = isRefused ? { name: given.name, conclusion: "failure" as const } : given // a literal type
    const status = isRefused ? undefined : yield* statusOf(job, waitsFor)
    const check = yield* contentOf(job, status, undefined, isRefused ? admission.message : undefined)
    const { id: repository_id } = at.repository.row
    const { id } = yield* checks.createJobRun(at, suite, check, { id: run.workflow_id, runId: run.id })
    const own = { labels, runner_name, steps: ReportContent.steps(steps), log_job_id: null }
    yield* jobs.add({ id, repository_id, run_id: run.id, attempt: run.latest_attempt }, own)
    if (admission !== undefined && admission.kind !== "refused") yield* gates.add(at, run, id, admission)
    const row = yield* requireRow(jobs.find(repository_id, id))
    yield* announce.job(at, row.status === "waiting" ? "waiting" : "queued", row)
    if (row.status === "in_progress" || row.status === "completed") yield* announce.job(at, row.status, row)
    yield* gates.follow(at, run, undefined, row)
    if (admission?.kind === "waiting")
      yield* gates.announceWaiting(at, run, row, admission.environment, admission.pending)
    return row
  })

  /** Changes a job. `summary` is the text of its check run. */
  const change = Effect.fnUntraced(function* (
    at: EventContext,
    run: WorkflowRunRow,
    before: WorkflowJobRow,
    given: ReportedJob,
    summary?: string
  ) {
    const { environment, labels, runner_name, steps } = given
    if (environment !== undefined && environment.toLowerCase() !== before.environment?.toLowerCase())
      return yield* ApiError.invalid("Validation Failed: the environment of a job cannot change", [
        { resource: "WorkflowJob", field: "environment", code: "invalid" }
      ])
    const waitsFor = before.gate === "waiting" ? (before.environment ?? undefined) : undefined
    const status = yield* statusOf(given, waitsFor)
    const known = yield* requireRow(checkRuns.find(before.repository_id, before.id))
    const check = yield* contentOf(given, status, known, summary)
    yield* checks.updateRun(at, known, check, [])
    yield* jobs.set(before.id, {
      labels: labels ?? before.labels,
      runner_name: runner_name ?? before.runner_name,
      steps: steps === undefined ? before.steps : ReportContent.steps(steps),
      log_job_id: before.log_job_id
    })
    const row = yield* requireRow(jobs.find(before.repository_id, before.id))
    const wasWaiting = before.status === "waiting" && row.status === "queued"
    const isAnnounced = wasWaiting || ["waiting", "in_progress", "completed"].includes(row.status)
    if (row.status !== before.status && isAnnounced) yield* announce.job(at, row.status, row)
    yield* gates.follow(at, run, before, row)
    return row
  })

  /** Adds a job, or changes the job `before`. */
  const put = (
    at: EventContext,
    run: WorkflowRunRow,
    suite: CheckSuiteRow,
    before: WorkflowJobRow | undefined,
    given: ReportedJob
  ) => (before === undefined ? add(at, run, suite, given) : change(at, run, before, given))

  return {
    suiteOf,
    put,

    /** Queues a job whose gate is open. */
    queue: (at: EventContext, run: WorkflowRunRow, job: WorkflowJobRow) =>
      keepsContent(change(at, run, job, { name: job.name, status: "queued" })),

    /** Fails a waiting job. */
    fail: (at: EventContext, run: WorkflowRunRow, job: WorkflowJobRow, message: string) =>
      keepsContent(change(at, run, job, { name: job.name, conclusion: "failure" }, message)),

    /** Queues a job of the attempt before in the next attempt. */
    again: (
      at: EventContext,
      run: WorkflowRunRow,
      suite: CheckSuiteRow,
      { environment, labels, name }: WorkflowJobRow
    ) => {
      const job = { name, labels, status: "queued", ...(environment === null ? {} : { environment }) } as const // a literal type
      return Effect.catchTag(add(at, run, suite, job), "Conflict", Effect.die)
    },

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
    close: Effect.fnUntraced(function* (at: EventContext, run: WorkflowRunRow) {
      const all = yield* jobs.ofAttempt(run.id, run.latest_attempt)
      yield* Effect.forEach(
        all.filter(({ status }) => status !== "completed"),
        (job) => {
          const isCancelled = run.conclusion === "cancelled" || job.status === "in_progress"
          const closed = { name: job.name, conclusion: isCancelled ? "cancelled" : "skipped" } as const // literal types
          return keepsContent(change(at, run, job, closed))
        },
        { discard: true }
      )
    })
  }
})
