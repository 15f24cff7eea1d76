/** Runs of workflows. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { downloadsLogs, readsActions, writesActions } from "../ActionsAccess.ts"
import { conflict, notFound, validationFailed } from "../FailureCodec.ts"
import { FileRedirect } from "../FileRedirect.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { ObjectId, openEnum, QueryBoolean, Timestamp } from "../Scalars.ts"
import { HeadCommit } from "./CheckSuites.ts"
import { PullRequestReference } from "./PullRequestReference.ts"
import { RepositorySummary } from "./Repository.ts"
import { UserSummary } from "./User.ts"
import { workflowPath } from "./Workflows.ts"

/** The statuses of a run. */
export const runStatuses = ["queued", "in_progress", "completed", "waiting", "requested", "pending"] as const
/** The results of a completed run. */
export const runConclusions = [
  "success",
  "failure",
  "neutral",
  "cancelled",
  "skipped",
  "timed_out",
  "action_required",
  "stale"
] as const

/** A run of a workflow, with the state of one attempt. */
export const WorkflowRun = Schema.Struct({
  id: Schema.Int,
  /** Name of the workflow. */
  name: Schema.optionalKey(Schema.NullOr(Schema.String)),
  node_id: Schema.String,
  head_branch: Schema.NullOr(Schema.String),
  head_sha: ObjectId,
  path: Schema.String,
  display_title: Schema.String,
  run_number: Schema.Int,
  run_attempt: Schema.optionalKey(Schema.Int),
  event: Schema.String,
  status: Schema.NullOr(openEnum(runStatuses)),
  conclusion: Schema.NullOr(openEnum([...runConclusions, "startup_failure"])),
  workflow_id: Schema.Int,
  check_suite_id: Schema.optionalKey(Schema.Int),
  check_suite_node_id: Schema.optionalKey(Schema.String.annotate(Presentation.hidden)),
  url: Schema.String,
  html_url: Schema.String,
  pull_requests: Schema.NullOr(Schema.Array(PullRequestReference)),
  created_at: Timestamp,
  updated_at: Timestamp,
  actor: Schema.optionalKey(UserSummary),
  triggering_actor: Schema.optionalKey(UserSummary),
  run_started_at: Schema.optionalKey(Timestamp),
  jobs_url: Schema.String,
  logs_url: Schema.String,
  check_suite_url: Schema.String,
  artifacts_url: Schema.String,
  cancel_url: Schema.String,
  rerun_url: Schema.String,
  previous_attempt_url: Schema.optionalKey(Schema.NullOr(Schema.String)),
  workflow_url: Schema.String,
  head_commit: Schema.NullOr(HeadCommit),
  repository: RepositorySummary,
  head_repository: RepositorySummary
}).annotate({
  identifier: "WorkflowRun",
  ...Presentation.of({
    columns: {
      ID: "id",
      TITLE: "display_title",
      STATUS: "status",
      CONCLUSION: "conclusion",
      WORKFLOW: "name",
      BRANCH: "head_branch",
      EVENT: "event",
      CREATED: "created_at"
    },
    title: "display_title",
    identity: ["id"],
    arguments: {
      run_id: "id",
      attempt_number: "run_attempt",
      workflow_id: "workflow_id",
      check_suite_id: "check_suite_id",
      ref: "head_sha",
      "workflows.ref": "head_branch",
      "runReports.ref": { path: "head_branch", template: "refs/heads/{}" },
      username: "actor.login"
    }
  })
})
export type WorkflowRun = typeof WorkflowRun.Type

/** A page of runs. */
export const WorkflowRunList = Schema.Struct({
  total_count: Schema.Int,
  workflow_runs: Schema.Array(WorkflowRun)
}).annotate({ identifier: "WorkflowRunList" })

const Billed = Schema.Struct({
  total_ms: Schema.Int,
  jobs: Schema.Int,
  job_runs: Schema.optionalKey(Schema.Array(Schema.Struct({ job_id: Schema.Int, duration_ms: Schema.Int })))
})

/** Billable time of a run in milliseconds, by operating system. */
export const WorkflowRunUsage = Schema.Struct({
  billable: Schema.Struct({
    UBUNTU: Schema.optionalKey(Billed),
    MACOS: Schema.optionalKey(Billed),
    WINDOWS: Schema.optionalKey(Billed)
  }),
  run_duration_ms: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "WorkflowRunUsage" })
export type WorkflowRunUsage = typeof WorkflowRunUsage.Type

/** Parameters of the path of a run. */
export const runPath = { ...repositoryPath, run_id: Schema.Int.annotate({ description: "Id of the workflow run." }) }
/** Parameters of the path of an attempt of a run. */
export const attemptPath = {
  ...runPath,
  attempt_number: Schema.Int.annotate({ description: "Number of the attempt, from 1." })
}

/** The body of a request to run again. */
export const Rerun = Schema.Struct({
  enable_debug_logging: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Ask the runner for debug logging; false by default." })
  )
})

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))
const pullRequests = {
  exclude_pull_requests: Schema.optionalKey(
    QueryBoolean.annotate({ description: "Leave out the pull requests; false by default." })
  )
}
const filterQuery = {
  actor: text("Only runs that this account started."),
  branch: text("Only runs of this branch."),
  event: text("Only runs of this event, for example `push`."),
  status: Schema.optionalKey(
    Schema.Literals([
      "completed",
      "action_required",
      "cancelled",
      "failure",
      "neutral",
      "skipped",
      "stale",
      "success",
      "timed_out",
      "in_progress",
      "queued",
      "requested",
      "waiting",
      "pending"
    ]).annotate({ description: "Only runs with this status or conclusion." })
  ),
  created: text("Only runs created in this range, for example `>=2026-01-31`."),
  ...pullRequests,
  check_suite_id: Schema.optionalKey(Schema.Int.annotate({ description: "Only the run of this check suite." })),
  head_sha: text("Only runs of this commit.")
}
const created = Schema.NullOr(Schema.Struct({})).pipe(HttpApiSchema.status(201))
const accepted = Schema.NullOr(Schema.Struct({})).pipe(HttpApiSchema.status(202))
const RUN = "/repos/:owner/:repo/actions/runs/:run_id"

/** Endpoints of runs. */
export class WorkflowRuns extends Group.make("workflowRuns", () => [
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/actions/runs", {
    params: repositoryPath,
    query: { ...filterQuery, ...pageQuery },
    success: Paged(WorkflowRunList),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/list-workflow-runs-for-repo",
      summary: "List the workflow runs of a repository",
      words: "CI, builds, pipelines, failed, passed",
      command: "list",
      ...readsActions,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listForWorkflow", "/repos/:owner/:repo/actions/workflows/:workflow_id/runs", {
    params: workflowPath,
    query: { ...filterQuery, ...pageQuery },
    success: Paged(WorkflowRunList),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/list-workflow-runs",
      summary: "List the runs of a workflow",
      ...readsActions,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", RUN, {
    params: runPath,
    query: pullRequests,
    success: WorkflowRun,
    error: notFound
  }).annotateMerge(
    Operation.annotations({ operationId: "actions/get-workflow-run", summary: "Get a workflow run", ...readsActions })
  ),
  HttpApiEndpoint.delete("delete", RUN, {
    params: runPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/delete-workflow-run",
      summary: "Delete a workflow run",
      description: "Deletes its attempts, jobs, check runs and logs. The run must be completed.",
      ...writesActions
    })
  ),
  HttpApiEndpoint.get("getAttempt", `${RUN}/attempts/:attempt_number`, {
    params: attemptPath,
    query: pullRequests,
    success: WorkflowRun,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-workflow-run-attempt",
      summary: "Get an attempt of a workflow run",
      ...readsActions
    })
  ),
  HttpApiEndpoint.post("rerun", `${RUN}/rerun`, {
    params: runPath,
    payload: Rerun,
    success: created,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/re-run-workflow",
      summary: "Run all jobs of a workflow run again",
      words: "rerun, retry",
      effect: "trigger",
      ...writesActions
    })
  ),
  HttpApiEndpoint.post("rerunFailedJobs", `${RUN}/rerun-failed-jobs`, {
    params: runPath,
    payload: Rerun,
    success: created,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/re-run-workflow-failed-jobs",
      summary: "Run the failed jobs of a workflow run again",
      words: "retry failed",
      effect: "trigger",
      ...writesActions
    })
  ),
  HttpApiEndpoint.post("cancel", `${RUN}/cancel`, {
    params: runPath,
    success: accepted,
    error: [notFound, conflict]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/cancel-workflow-run",
      summary: "Cancel a workflow run",
      words: "stop, abort",
      effect: "trigger",
      ...writesActions
    })
  ),
  HttpApiEndpoint.post("cancelForcibly", `${RUN}/force-cancel`, {
    params: runPath,
    success: accepted,
    error: [notFound, conflict]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/force-cancel-workflow-run",
      summary: "Cancel a workflow run whose runner does not answer",
      command: "force-cancel",
      effect: "trigger",
      ...writesActions
    })
  ),
  HttpApiEndpoint.post("approve", `${RUN}/approve`, {
    params: runPath,
    success: created,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/approve-workflow-run",
      summary: "Approve a workflow run of a fork",
      words: "allow, action required",
      effect: "trigger",
      ...writesActions,
      exposure: {
        gives: "access",
        consequence: "Code of a contributor runs in a workflow of the repository."
      }
    })
  ),
  HttpApiEndpoint.get("downloadLogs", `${RUN}/logs`, {
    params: runPath,
    success: FileRedirect,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/download-workflow-run-logs",
      summary: "Download the logs of a workflow run",
      description: "Redirects to a zip file. The URL expires after one minute and needs no token.",
      ...downloadsLogs
    })
  ),
  HttpApiEndpoint.get("downloadAttemptLogs", `${RUN}/attempts/:attempt_number/logs`, {
    params: attemptPath,
    success: FileRedirect,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/download-workflow-run-attempt-logs",
      summary: "Download the logs of an attempt",
      description: "Redirects to a zip file. The URL expires after one minute and needs no token.",
      ...downloadsLogs
    })
  ),
  HttpApiEndpoint.delete("deleteLogs", `${RUN}/logs`, {
    params: runPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/delete-workflow-run-logs",
      summary: "Delete the logs of a workflow run",
      ...writesActions
    })
  ),
  HttpApiEndpoint.get("getUsage", `${RUN}/timing`, {
    params: runPath,
    success: WorkflowRunUsage,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-workflow-run-usage",
      summary: "Get the billable time of a workflow run",
      command: "usage",
      ...readsActions
    })
  )
]) {}
