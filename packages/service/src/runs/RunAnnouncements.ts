/** Announces runs and jobs to webhooks. */
import * as Effect from "effect/Effect"
import { PublicUrl } from "../api/PublicUrl.ts"
import { CheckPullRequests } from "../checks/CheckPullRequests.ts"
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
  const events = yield* Events
  const publicUrl = yield* PublicUrl

  const run = Effect.fnUntraced(function* (at: EventContext, action: string, row: WorkflowRunRow) {
    const { repository } = at
    const urls = yield* publicUrl.urls
    const pulls = (yield* pullRequests.of(repository.row.id, [row]))(row)
    const workflow = yield* requireRow(workflows.find(repository.row.id, row.workflow_id))
    const payload = {
      workflow_run: { ...RunShapes.run(row, pulls, repository, urls), referenced_workflows: [] },
      workflow: RunShapes.workflow(workflow, repository, yield* repository.git.head, urls)
    }
    yield* events.announce({ ...at, event: "workflow_run", action, payload })
  })

  return {
    run,

    /** Announces the changes of a run's state since `before`. */
    state: Effect.fnUntraced(function* (at: EventContext, before: { readonly status: string }, row: WorkflowRunRow) {
      if (row.status === before.status || (row.status !== "in_progress" && row.status !== "completed")) return
      yield* run(at, row.status, row)
    }),

    job: Effect.fnUntraced(function* (at: EventContext, action: string, row: WorkflowJobRow) {
      const urls = yield* publicUrl.urls
      const payload = { workflow_job: RunShapes.job(row, at.repository, urls) }
      yield* events.announce({ ...at, event: "workflow_job", action, payload })
    })
  }
})
