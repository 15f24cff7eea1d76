/** The workflow, run or job of a request. */
import * as Effect from "effect/Effect"
import * as ApiError from "../../api/ApiError.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { CheckPullRequests } from "../../checks/CheckPullRequests.ts"
import * as RunShapes from "../../runs/RunShapes.ts"
import { FOLDER, WorkflowDefinitions } from "../../runs/WorkflowDefinitions.ts"
import { WorkflowJobRows } from "../../runs/WorkflowJobRows.ts"
import { WorkflowRows } from "../../runs/WorkflowRows.ts"
import { type WorkflowRunRow, WorkflowRunRows } from "../../runs/WorkflowRunRows.ts"

/** Creates the functions that find them. */
export const make = Effect.gen(function* () {
  const definitions = yield* WorkflowDefinitions
  const workflows = yield* WorkflowRows
  const runs = yield* WorkflowRunRows
  const jobs = yield* WorkflowJobRows
  const pullRequests = yield* CheckPullRequests

  /** Returns the workflow with an id or a file name. */
  const workflow = Effect.fnUntraced(function* (idOrName: string, { repository }: RepositoryContext) {
    yield* definitions.sync(repository)
    const { id } = repository.row
    const isId = /^\d{1,15}$/.test(idOrName)
    const path = idOrName.startsWith(`${FOLDER}/`) ? idOrName : `${FOLDER}/${idOrName}`
    const found = yield* isId ? workflows.find(id, Number(idOrName)) : workflows.byPath(id, path)
    return found ?? (yield* ApiError.notFound())
  })

  const run = Effect.fnUntraced(function* (id: number, { repository }: RepositoryContext, attempt?: number) {
    return (yield* runs.find(repository.row.id, id, attempt)) ?? (yield* ApiError.notFound())
  })

  const job = Effect.fnUntraced(function* (id: number, { repository }: RepositoryContext) {
    return (yield* jobs.find(repository.row.id, id)) ?? (yield* ApiError.notFound())
  })

  /** Creates runs, with one statement for all pull requests. */
  const runShapes = Effect.fnUntraced(function* (
    rows: ReadonlyArray<WorkflowRunRow>,
    { repository, urls }: RepositoryContext,
    exclude: "true" | "false" | undefined
  ) {
    const pulls = exclude === "true" ? () => [] : yield* pullRequests.of(repository.row.id, rows)
    return rows.map((row) => RunShapes.run(row, pulls(row), repository, urls))
  })

  const runShape = Effect.fnUntraced(function* (
    row: WorkflowRunRow,
    context: RepositoryContext,
    exclude?: "true" | "false"
  ) {
    const [shape] = yield* runShapes([row], context, exclude)
    return shape ?? (yield* ApiError.notFound())
  })

  return { job, run, runShape, runShapes, workflow }
})
