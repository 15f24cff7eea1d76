import * as Effect from "effect/Effect"
import { type WorkflowRun, WorkflowRuns } from "@tongs/core/contract/groups/WorkflowRuns"
import * as QueryRange from "@tongs/core/query/items/QueryRange"
import * as ApiError from "../../api/ApiError.ts"
import { group, redirect } from "../../api/Handlers.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { JobLogs } from "../../runs/JobLogs.ts"
import { Runs } from "../../runs/Runs.ts"
import { WorkflowJobRows } from "../../runs/WorkflowJobRows.ts"
import { type WorkflowRunFilter, WorkflowRunRows } from "../../runs/WorkflowRunRows.ts"
import * as BilledTime from "./BilledTime.ts"
import { LogDownloads } from "./LogDownloads.ts"
import * as WorkflowTarget from "./WorkflowTarget.ts"

interface FilterInput {
  readonly actor?: string
  readonly branch?: string
  readonly event?: string
  readonly status?: string
  readonly created?: string
  readonly check_suite_id?: number
  readonly head_sha?: string
  readonly exclude_pull_requests?: "true" | "false"
}

/** Handlers of runs. */
export const make = Effect.gen(function* () {
  const rows = yield* WorkflowRunRows
  const jobs = yield* WorkflowJobRows
  const logs = yield* JobLogs
  const runs = yield* Runs
  const downloads = yield* LogDownloads
  const target = yield* WorkflowTarget.make

  const filterOf = Effect.fnUntraced(function* (input: FilterInput, workflowId: number | undefined) {
    const { actor, branch, check_suite_id: suiteId, created, event, head_sha: sha, status } = input
    const range = created === undefined ? {} : QueryRange.dates("created", created)
    if ("message" in range) return yield* ApiError.invalid(`Invalid created: ${range.message}`)
    const { from, to } = range
    return { workflowId, actor, branch, event, status, from, to, suiteId, sha } satisfies WorkflowRunFilter
  })

  const list = Effect.fnUntraced(function* (
    input: FilterInput,
    workflowId: number | undefined,
    context: RepositoryContext
  ) {
    const filter = yield* filterOf(input, workflowId)
    const { items, total } = yield* rows.list(context.repository.row.id, filter, context.page)
    return {
      items: yield* target.runShapes(items, context, input.exclude_pull_requests),
      total,
      wrap: (workflow_runs: ReadonlyArray<WorkflowRun>) => ({ total_count: total, workflow_runs })
    }
  })

  const download = Effect.fnUntraced(function* (id: number, context: RepositoryContext, attempt?: number) {
    const row = yield* target.run(id, context, attempt)
    return redirect((yield* downloads.runLink(row, context.urls)) ?? (yield* ApiError.notFound()))
  })

  return group(WorkflowRuns)({
    *listForRepo(input, context) {
      return yield* list(input, undefined, context)
    },

    *listForWorkflow({ workflow_id, ...input }, context) {
      const { id } = yield* target.workflow(workflow_id, context)
      return yield* list(input, id, context)
    },

    *get({ exclude_pull_requests, run_id }, context) {
      return yield* target.runShape(yield* target.run(run_id, context), context, exclude_pull_requests)
    },

    *delete({ run_id }, context) {
      yield* runs.remove(yield* target.run(run_id, context))
    },

    *getAttempt({ attempt_number, exclude_pull_requests, run_id }, context) {
      const row = yield* target.run(run_id, context, attempt_number)
      return yield* target.runShape(row, context, exclude_pull_requests)
    },

    *rerun({ run_id }, context) {
      const at = { actor: context.caller.user, repository: context.repository }
      yield* runs.rerun(at, yield* target.run(run_id, context), { kind: "all" })
      return {}
    },

    *rerunFailedJobs({ run_id }, context) {
      const at = { actor: context.caller.user, repository: context.repository }
      yield* runs.rerun(at, yield* target.run(run_id, context), { kind: "failed" })
      return {}
    },

    *cancel({ run_id }, context) {
      const at = { actor: context.caller.user, repository: context.repository }
      yield* runs.cancel(at, yield* target.run(run_id, context))
      return {}
    },

    *cancelForcibly({ run_id }, context) {
      const at = { actor: context.caller.user, repository: context.repository }
      yield* runs.cancel(at, yield* target.run(run_id, context))
      return {}
    },

    *approve({ run_id }, context) {
      const at = { actor: context.caller.user, repository: context.repository }
      yield* runs.approve(at, yield* target.run(run_id, context))
      return {}
    },

    *downloadLogs({ run_id }, context) {
      return yield* download(run_id, context)
    },

    *downloadAttemptLogs({ attempt_number, run_id }, context) {
      return yield* download(run_id, context, attempt_number)
    },

    *deleteLogs({ run_id }, context) {
      const { id, repository_id } = yield* target.run(run_id, context)
      yield* jobs.removeLogs(id)
      yield* logs.removeRun(repository_id, id)
    },

    *getUsage({ run_id }, context) {
      const run = yield* target.run(run_id, context)
      const billed = BilledTime.bySystem(yield* jobs.ofAttempt(run.id, run.attempt))
      const duration = Math.max(0, Date.parse(run.updated_at) - Date.parse(run.started_at))
      return {
        billable: Object.fromEntries(
          billed.map(({ jobs: own, system, total_ms }) => [system, { total_ms, jobs: own.length, job_runs: own }])
        ),
        ...(run.status === "completed" ? { run_duration_ms: duration } : {})
      }
    }
  })
})
