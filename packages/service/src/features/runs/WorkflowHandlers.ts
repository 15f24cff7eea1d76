import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Workflow, Workflows } from "@tongs/core/contract/groups/Workflows"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { Events } from "../../events/Events.ts"
import * as DispatchInputs from "../../runs/DispatchInputs.ts"
import * as RunShapes from "../../runs/RunShapes.ts"
import { Runs } from "../../runs/Runs.ts"
import { WorkflowDefinitions } from "../../runs/WorkflowDefinitions.ts"
import { WorkflowJobRows } from "../../runs/WorkflowJobRows.ts"
import { type WorkflowRow, WorkflowRows } from "../../runs/WorkflowRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as CheckTarget from "../checks/CheckTarget.ts"
import * as BilledTime from "./BilledTime.ts"
import * as WorkflowTarget from "./WorkflowTarget.ts"

/** Maximum members and maximum size as JSON, in characters, of the data of an event, and maximum length of its name. */
const MAX_MEMBERS = 10
const MAX_PAYLOAD = 65_535
const MAX_EVENT = 100

/** Handlers of workflows. */
export const make = Effect.gen(function* () {
  const definitions = yield* WorkflowDefinitions
  const rows = yield* WorkflowRows
  const jobs = yield* WorkflowJobRows
  const runs = yield* Runs
  const events = yield* Events
  const apps = yield* CheckTarget.make
  const target = yield* WorkflowTarget.make
  const transaction = yield* Transaction.make

  const shapes = Effect.fnUntraced(function* (
    found: ReadonlyArray<WorkflowRow>,
    { repository, urls }: RepositoryContext
  ) {
    const branch = yield* repository.git.head
    return found.map((row) => RunShapes.workflow(row, repository, branch, urls))
  })

  /** Returns the branch or tag with a name, and its commit. */
  const refOf = Effect.fnUntraced(function* (given: string, { repository: { git } }: RepositoryContext) {
    const names = given.startsWith("refs/") ? [given] : [`refs/heads/${given}`, `refs/tags/${given}`]
    for (const name of names) {
      const isRef = /^refs\/(heads|tags)\/./.test(name) && (yield* git.ref(name)) !== undefined
      const oid = isRef ? yield* git.resolve(name) : undefined
      const commit = oid === undefined ? undefined : yield* git.commit(oid)
      if (oid !== undefined && commit !== undefined) return { name, oid, commit }
    }
    return yield* ApiError.invalid(`No ref found for: ${given.slice(0, 200)}`)
  })

  const setState = Effect.fnUntraced(function* (id: string, state: WorkflowRow["state"], context: RepositoryContext) {
    const row = yield* target.workflow(id, context)
    const verb = state === "active" ? "enable" : "disable"
    if (row.state === "deleted") return yield* ApiError.invalid(`Cannot ${verb} a deleted workflow.`)
    if (row.state !== state) yield* rows.setState(row.id, state)
  })

  return group(Workflows)({
    *list(_, context) {
      yield* definitions.sync(context.repository)
      const { items, total } = yield* rows.list(context.repository.row.id, context.page)
      return {
        items: yield* shapes(items, context),
        total,
        wrap: (workflows: ReadonlyArray<Workflow>) => ({ total_count: total, workflows })
      }
    },

    *get({ workflow_id }, context) {
      const [shape] = yield* shapes([yield* target.workflow(workflow_id, context)], context)
      return shape ?? (yield* ApiError.notFound())
    },

    *disable({ workflow_id }, context) {
      yield* setState(workflow_id, "disabled_manually", context)
    },

    *enable({ workflow_id }, context) {
      yield* setState(workflow_id, "active", context)
    },

    *dispatch({ inputs: given = {}, ref, return_run_details, workflow_id }, context) {
      const { caller, repository, urls } = context
      const workflow = yield* target.workflow(workflow_id, context)
      if (workflow.state === "disabled_manually")
        return yield* ApiError.invalid("Cannot trigger a 'workflow_dispatch' on a disabled workflow")
      const { commit, name, oid } = yield* refOf(ref, context)
      const declared = (yield* definitions.read(repository, oid, workflow.path))?.inputs
      if (declared === undefined) return yield* ApiError.invalid("Workflow does not have 'workflow_dispatch' trigger")
      const inputs = DispatchInputs.of(declared, given)
      if (Result.isFailure(inputs)) return yield* ApiError.invalid(inputs.failure)
      const at = { actor: caller.user, repository }
      const appId = yield* apps.appId(caller)
      const run = yield* transaction(
        Effect.gen(function* () {
          const payload = { inputs: inputs.success, ref: name, workflow: workflow.path }
          yield* events.announce({ ...at, event: "workflow_dispatch", action: null, payload })
          return yield* runs.create(at, {
            workflow,
            appId,
            head: { oid, commit },
            branch: name.replace(/^refs\/(heads|tags)\//, ""),
            event: "workflow_dispatch",
            title: workflow.name,
            inputs: inputs.success
          })
        })
      )
      if (return_run_details === false) return undefined
      return {
        workflow_run_id: run.id,
        run_url: `${Shapes.repositoryUrl(repository, urls)}/actions/runs/${run.id}`,
        html_url: `${urls.html}/${repository.fullName}/actions/runs/${run.id}`
      }
    },

    *getUsage({ workflow_id }, context) {
      const { id } = yield* target.workflow(workflow_id, context)
      const billed = BilledTime.bySystem(yield* jobs.ofWorkflow(id))
      return { billable: Object.fromEntries(billed.map(({ system, total_ms }) => [system, { total_ms }])) }
    },

    *sendEvent({ client_payload = {}, event_type }, { caller, repository }: SignedInRepositoryContext) {
      const invalid = (field: string, message: string) =>
        ApiError.invalid(`Invalid request.\n\n${message}`, [
          { resource: "RepositoryDispatch", field, code: "custom", message }
        ])
      if (event_type.trim() === "" || [...event_type].length > MAX_EVENT)
        return yield* invalid("event_type", `event_type must have 1 to ${MAX_EVENT} characters.`)
      if (Object.keys(client_payload).length > MAX_MEMBERS)
        return yield* invalid("client_payload", `No more than ${MAX_MEMBERS} properties are allowed.`)
      if (JSON.stringify(client_payload).length > MAX_PAYLOAD)
        return yield* invalid("client_payload", "client_payload is too large.")
      yield* events.announce({
        actor: caller.user,
        repository,
        event: "repository_dispatch",
        action: event_type,
        payload: { branch: yield* repository.git.head, client_payload }
      })
    }
  })
})
