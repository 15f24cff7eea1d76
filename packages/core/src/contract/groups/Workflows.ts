/** Workflows: the files in `.github/workflows` of the default branch. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { readsActions, writesActions } from "../ActionsAccess.ts"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { AnyJson, openEnum, Timestamp } from "../Scalars.ts"

/** A workflow. */
export const Workflow = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.String,
  name: Schema.String,
  path: Schema.String,
  state: openEnum(["active", "deleted", "disabled_fork", "disabled_inactivity", "disabled_manually"]),
  created_at: Timestamp,
  updated_at: Timestamp,
  url: Schema.String,
  html_url: Schema.String,
  badge_url: Schema.String,
  deleted_at: Schema.optionalKey(Timestamp)
}).annotate({
  identifier: "Workflow",
  ...Presentation.of({
    columns: { ID: "id", NAME: "name", STATE: "state", PATH: "path", UPDATED: "updated_at" },
    title: "name",
    identity: ["id"],
    arguments: { workflow_id: "id", path: "path" }
  })
})
export type Workflow = typeof Workflow.Type

/** A page of workflows. */
export const WorkflowList = Schema.Struct({
  total_count: Schema.Int,
  workflows: Schema.Array(Workflow)
}).annotate({ identifier: "WorkflowList" })

const Billed = Schema.Struct({ total_ms: Schema.optionalKey(Schema.Int) })

/** Billable time of a workflow in milliseconds, by operating system. */
export const WorkflowUsage = Schema.Struct({
  billable: Schema.Struct({
    UBUNTU: Schema.optionalKey(Billed),
    MACOS: Schema.optionalKey(Billed),
    WINDOWS: Schema.optionalKey(Billed)
  })
}).annotate({ identifier: "WorkflowUsage" })
export type WorkflowUsage = typeof WorkflowUsage.Type

/** The run that a dispatch created. */
export const DispatchedRun = Schema.Struct({
  workflow_run_id: Schema.Int,
  run_url: Schema.String,
  html_url: Schema.String
}).annotate({
  identifier: "DispatchedRun",
  ...Presentation.of({ columns: { RUN: "workflow_run_id" }, arguments: { run_id: "workflow_run_id" } })
})

/** Parameters of the path of a workflow. */
export const workflowPath = {
  ...repositoryPath,
  workflow_id: Schema.String.annotate({ description: "Id or file name of the workflow." })
}

/** Endpoints of workflows. */
export class Workflows extends Group.make("workflows", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/actions/workflows", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(WorkflowList),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/list-repo-workflows",
      summary: "List workflows",
      words: "CI, pipelines, actions",
      ...readsActions,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/actions/workflows/:workflow_id", {
    params: workflowPath,
    success: Workflow,
    error: notFound
  }).annotateMerge(
    Operation.annotations({ operationId: "actions/get-workflow", summary: "Get a workflow", ...readsActions })
  ),
  HttpApiEndpoint.put("disable", "/repos/:owner/:repo/actions/workflows/:workflow_id/disable", {
    params: workflowPath,
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/disable-workflow",
      summary: "Disable a workflow",
      effect: "trigger",
      idempotent: true,
      ...writesActions
    })
  ),
  HttpApiEndpoint.put("enable", "/repos/:owner/:repo/actions/workflows/:workflow_id/enable", {
    params: workflowPath,
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/enable-workflow",
      summary: "Enable a workflow",
      effect: "trigger",
      idempotent: true,
      ...writesActions
    })
  ),
  HttpApiEndpoint.post("dispatch", "/repos/:owner/:repo/actions/workflows/:workflow_id/dispatches", {
    params: workflowPath,
    payload: Schema.Struct({
      ref: Schema.String.annotate({ description: "Branch or tag whose workflow file runs." }),
      inputs: Schema.optionalKey(
        Schema.Record(Schema.String, AnyJson).annotate({ description: "Values of the inputs that the file declares." })
      ),
      return_run_details: Schema.optionalKey(
        Schema.Boolean.annotate({
          description: "True for a response with the id of the run. Always true since version 2026-03-10."
        })
      )
    }),
    success: [DispatchedRun, HttpApiSchema.NoContent],
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/create-workflow-dispatch",
      summary: "Run a workflow",
      words: "dispatch, start, trigger, workflow_dispatch",
      description: "Queues a run and sends it to webhooks. The forge itself runs nothing.",
      effect: "trigger",
      ...writesActions
    })
  ),
  HttpApiEndpoint.get("getUsage", "/repos/:owner/:repo/actions/workflows/:workflow_id/timing", {
    params: workflowPath,
    success: WorkflowUsage,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-workflow-usage",
      summary: "Get the billable time of a workflow",
      command: "usage",
      ...readsActions
    })
  ),
  HttpApiEndpoint.post("sendEvent", "/repos/:owner/:repo/dispatches", {
    params: repositoryPath,
    payload: Schema.Struct({
      event_type: Schema.String.annotate({ description: "Name of the event, up to 100 characters." }),
      client_payload: Schema.optionalKey(
        Schema.Record(Schema.String, AnyJson).annotate({ description: "Data of the event: up to 10 members." })
      )
    }),
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-dispatch-event",
      summary: "Send a repository dispatch event",
      words: "repository_dispatch, custom event",
      effect: "trigger",
      permission: [[Operation.contentsWrite]],
      scopes: ["public_repo", "repo"],
      privateScopes: ["repo"]
    })
  )
]) {}
