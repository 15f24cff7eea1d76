/** Jobs of workflow runs. A job and its check run have the same id. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { downloadsLogs, readsActions, writesActions } from "../ActionsAccess.ts"
import { notFound, validationFailed } from "../FailureCodec.ts"
import { FileRedirect } from "../FileRedirect.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { ObjectId, openEnum, Timestamp } from "../Scalars.ts"
import { attemptPath, Rerun, runConclusions, runPath, runStatuses } from "./WorkflowRuns.ts"

/** A step of a job. */
export const WorkflowStep = Schema.Struct({
  name: Schema.String,
  status: openEnum(["queued", "in_progress", "completed"]),
  conclusion: Schema.NullOr(Schema.String),
  number: Schema.Int,
  started_at: Schema.optionalKey(Schema.NullOr(Timestamp)),
  completed_at: Schema.optionalKey(Schema.NullOr(Timestamp))
}).annotate({ identifier: "WorkflowStep" })
export type WorkflowStep = typeof WorkflowStep.Type

/** A job of an attempt. */
export const WorkflowJob = Schema.Struct({
  id: Schema.Int,
  run_id: Schema.Int,
  run_url: Schema.String,
  run_attempt: Schema.optionalKey(Schema.Int),
  node_id: Schema.String,
  head_sha: ObjectId,
  url: Schema.String,
  html_url: Schema.NullOr(Schema.String),
  status: openEnum(runStatuses),
  conclusion: Schema.NullOr(openEnum(runConclusions)),
  created_at: Schema.optionalKey(Timestamp),
  started_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp),
  name: Schema.String,
  steps: Schema.optionalKey(Schema.Array(WorkflowStep)),
  check_run_url: Schema.String,
  labels: Schema.Array(Schema.String),
  runner_id: Schema.NullOr(Schema.Int),
  runner_name: Schema.NullOr(Schema.String),
  runner_group_id: Schema.NullOr(Schema.Int),
  runner_group_name: Schema.NullOr(Schema.String),
  workflow_name: Schema.NullOr(Schema.String),
  head_branch: Schema.NullOr(Schema.String)
}).annotate({
  identifier: "WorkflowJob",
  ...Presentation.of({
    columns: {
      ID: "id",
      NAME: "name",
      STATUS: "status",
      CONCLUSION: "conclusion",
      STARTED: "started_at",
      COMPLETED: "completed_at",
      RUNNER: "runner_name"
    },
    title: "name",
    identity: ["id"],
    arguments: { job_id: "id", check_run_id: "id", run_id: "run_id", ref: "head_sha" }
  })
})
export type WorkflowJob = typeof WorkflowJob.Type

/** A page of jobs. */
export const WorkflowJobList = Schema.Struct({
  total_count: Schema.Int,
  jobs: Schema.Array(WorkflowJob)
}).annotate({ identifier: "WorkflowJobList" })

const jobPath = { ...repositoryPath, job_id: Schema.Int.annotate({ description: "Id of the job." }) }

/** Endpoints of jobs. */
export class WorkflowJobs extends Group.make("workflowJobs", () => [
  HttpApiEndpoint.get("listForRun", "/repos/:owner/:repo/actions/runs/:run_id/jobs", {
    params: runPath,
    query: {
      filter: Schema.optionalKey(
        Schema.Literals(["latest", "all"]).annotate({
          description: "Jobs of the latest attempt (`latest`, by default) or of `all`."
        })
      ),
      ...pageQuery
    },
    success: Paged(WorkflowJobList),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/list-jobs-for-workflow-run",
      summary: "List the jobs of a workflow run",
      words: "failed jobs, steps",
      command: "list",
      ...readsActions,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listForAttempt", "/repos/:owner/:repo/actions/runs/:run_id/attempts/:attempt_number/jobs", {
    params: attemptPath,
    query: pageQuery,
    success: Paged(WorkflowJobList),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/list-jobs-for-workflow-run-attempt",
      summary: "List the jobs of an attempt",
      ...readsActions,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/actions/jobs/:job_id", {
    params: jobPath,
    success: WorkflowJob,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-job-for-workflow-run",
      summary: "Get a job of a workflow run",
      ...readsActions
    })
  ),
  HttpApiEndpoint.get("downloadLogs", "/repos/:owner/:repo/actions/jobs/:job_id/logs", {
    params: jobPath,
    success: FileRedirect,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/download-job-logs-for-workflow-run",
      summary: "Download the log of a job",
      description: "Redirects to a text file. The URL expires after one minute and needs no token.",
      ...downloadsLogs
    })
  ),
  HttpApiEndpoint.post("rerun", "/repos/:owner/:repo/actions/jobs/:job_id/rerun", {
    params: jobPath,
    payload: Schema.Struct({
      ...Rerun.fields,
      enable_debugger: Schema.optionalKey(
        Schema.Boolean.annotate({ description: "Ask the runner for a debugger; false by default." })
      )
    }),
    success: Schema.NullOr(Schema.Struct({})).pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/re-run-job-for-workflow-run",
      summary: "Run a job of a workflow run again",
      words: "retry",
      effect: "trigger",
      ...writesActions
    })
  )
]) {}
