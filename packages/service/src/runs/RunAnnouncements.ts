/** Announces runs and jobs to webhooks. */
import * as Effect from "effect/Effect"
import { PublicUrl } from "../api/PublicUrl.ts"
import { CheckPullRequests } from "../checks/CheckPullRequests.ts"
import * as DeploymentChanges from "../deployments/DeploymentChanges.ts"
import { DeploymentRows } from "../deployments/DeploymentRows.ts"
import * as DeploymentShapes from "../deployments/DeploymentShapes.ts"
import { Events } from "../events/Events.ts"
import type { EventContext } from "../events/NewEvent.ts"
import { requireRow } from "../storage/RowDecoder.ts"
import * as RunShapes from "./RunShapes.ts"
import type { WorkflowJobRow } from "./WorkflowJobRows.ts"
import { WorkflowRows } from "./WorkflowRows.ts"
import type { WorkflowRunRow } from "./WorkflowRunRows.ts"

export const make = Effect.gen(function* () {
  const workflows = yield* WorkflowRows
  const pullRequests = yield* CheckPullRequests
  const deployments = yield* DeploymentRows
  const { apps } = yield* DeploymentChanges.make
  const events = yield* Events
  const publicUrl = yield* PublicUrl

  const runShape = Effect.fnUntraced(function* ({ repository }: EventContext, row: WorkflowRunRow) {
    const pulls = (yield* pullRequests.of(repository.row.id, [row]))(row)
    return { ...RunShapes.run(row, pulls, repository, yield* publicUrl.urls), referenced_workflows: [] }
  })

  const jobShape = Effect.fnUntraced(function* ({ repository }: EventContext, row: WorkflowJobRow) {
    return RunShapes.job(row, repository, yield* publicUrl.urls)
  })

  /** Creates the members of a payload about a run. */
  const origin = Effect.fnUntraced(function* (at: EventContext, row: WorkflowRunRow) {
    const { repository } = at
    const workflow = yield* requireRow(workflows.find(repository.row.id, row.workflow_id))
    return {
      workflow_run: yield* runShape(at, row),
      workflow: RunShapes.workflow(workflow, repository, yield* repository.git.head, yield* publicUrl.urls)
    }
  })

  const run = Effect.fnUntraced(function* (at: EventContext, action: string, row: WorkflowRunRow) {
    yield* events.announce({ ...at, event: "workflow_run", action, payload: yield* origin(at, row) })
  })

  /** Returns the deployment of a job, if it has one. */
  const deployment = Effect.fnUntraced(function* ({ repository }: EventContext, job: WorkflowJobRow) {
    if (job.deployment_id === null) return null
    const row = yield* deployments.find(job.repository_id, job.deployment_id)
    if (row === undefined) return null
    return DeploymentShapes.deployment(row, yield* apps([row]), repository, yield* publicUrl.urls)
  })

  return {
    deployment,
    jobShape,
    origin,
    run,
    runShape,

    /** Creates the members of a payload about reviews of jobs. */
    review: Effect.fnUntraced(function* (at: EventContext, row: WorkflowRunRow, jobs: ReadonlyArray<WorkflowJobRow>) {
      const runs = yield* Effect.forEach(jobs, (job) =>
        Effect.map(jobShape(at, job), ({ conclusion, created_at, html_url, id, name, status }) => {
          const { environment } = job
          return { id, name, status, conclusion, html_url, created_at, updated_at: row.updated_at, environment }
        })
      )
      const since = jobs[0]?.created_at ?? row.updated_at
      return { workflow_run: yield* runShape(at, row), since, workflow_job_run: runs[0], workflow_job_runs: runs }
    }),

    /** Announces the changes of a run's state since `before`. */
    state: Effect.fnUntraced(function* (at: EventContext, before: { readonly status: string }, row: WorkflowRunRow) {
      if (row.status === before.status || (row.status !== "in_progress" && row.status !== "completed")) return
      yield* run(at, row.status, row)
    }),

    job: Effect.fnUntraced(function* (at: EventContext, action: string, row: WorkflowJobRow) {
      const own = yield* deployment(at, row)
      const payload = {
        workflow_job: yield* jobShape(at, row),
        ...(own === null ? {} : { deployment: own })
      }
      yield* events.announce({ ...at, event: "workflow_job", action, payload })
    })
  }
})
