import * as Effect from "effect/Effect"
import { type WorkflowJob, WorkflowJobs } from "@tongs/core/contract/groups/WorkflowJobs"
import * as ApiError from "../../api/ApiError.ts"
import { group, redirect } from "../../api/Handlers.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as RunShapes from "../../runs/RunShapes.ts"
import { Runs } from "../../runs/Runs.ts"
import { type WorkflowJobRow, WorkflowJobRows } from "../../runs/WorkflowJobRows.ts"
import type { Page } from "../../storage/PageCache.ts"
import { LogDownloads } from "./LogDownloads.ts"
import * as WorkflowTarget from "./WorkflowTarget.ts"

/** Handlers of jobs. */
export const make = Effect.gen(function* () {
  const rows = yield* WorkflowJobRows
  const runs = yield* Runs
  const downloads = yield* LogDownloads
  const target = yield* WorkflowTarget.make

  const list = ({ items, total }: Page<WorkflowJobRow>, { repository, urls }: RepositoryContext) => ({
    items: items.map((row) => RunShapes.job(row, repository, urls)),
    total,
    wrap: (jobs: ReadonlyArray<WorkflowJob>) => ({ total_count: total, jobs })
  })

  return group(WorkflowJobs)({
    *listForRun({ filter, run_id }, context) {
      const run = yield* target.run(run_id, context)
      return list(yield* rows.list(run.id, filter === "all" ? undefined : run.attempt, context.page), context)
    },

    *listForAttempt({ attempt_number, run_id }, context) {
      const run = yield* target.run(run_id, context, attempt_number)
      return list(yield* rows.list(run.id, run.attempt, context.page), context)
    },

    *get({ job_id }, context) {
      return RunShapes.job(yield* target.job(job_id, context), context.repository, context.urls)
    },

    *downloadLogs({ job_id }, context) {
      const job = yield* target.job(job_id, context)
      return redirect((yield* downloads.jobLink(job, context.urls)) ?? (yield* ApiError.notFound()))
    },

    *rerun({ job_id }, context) {
      const job = yield* target.job(job_id, context)
      const at = { actor: context.caller.user, repository: context.repository }
      const run = yield* target.run(job.run_id, context)
      if (job.attempt !== run.latest_attempt)
        return yield* ApiError.forbidden("Only a job of the latest attempt can run again.")
      yield* runs.rerun(at, run, { kind: "job", job: job.id })
      return {}
    }
  })
})
