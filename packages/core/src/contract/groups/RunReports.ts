/** Reports about workflow runs, by the programs that run them: an extension of the embedded forge. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { writesActions } from "../ActionsAccess.ts"
import { conflict, notFound, unsupported, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { AnyJson, Timestamp } from "../Scalars.ts"
import { ActionsCache } from "./ActionsCaches.ts"
import { WorkflowJob } from "./WorkflowJobs.ts"
import { runPath, runStatuses, WorkflowRun } from "./WorkflowRuns.ts"

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))
const time = (description: string) => Schema.optionalKey(Timestamp.annotate({ description }))

const conclusions = ["success", "failure", "neutral", "cancelled", "skipped", "timed_out", "action_required"] as const

const state = {
  status: Schema.optionalKey(Schema.Literals(runStatuses).annotate({ description: "`completed` with a conclusion." })),
  conclusion: Schema.optionalKey(Schema.Literals(conclusions).annotate({ description: "Completes it." }))
}

/** A step of a reported job. */
export const ReportedStep = Schema.Struct({
  name: Schema.String.annotate({ description: "Name of the step." }),
  number: Schema.optionalKey(Schema.Int.annotate({ description: "Number from 1; by default the position." })),
  status: Schema.optionalKey(
    Schema.Literals(["queued", "in_progress", "completed"]).annotate({ description: "The status." })
  ),
  conclusion: state.conclusion,
  started_at: time("When the step began."),
  completed_at: time("When the step ended."),
  log_offset: Schema.optionalKey(
    Schema.Int.annotate({ description: "Position of its first byte in the log of the job." })
  )
}).annotate({ identifier: "ReportedStep" })
export type ReportedStep = typeof ReportedStep.Type

/** A job of a report. Its name identifies it in the attempt. */
export const ReportedJob = Schema.Struct({
  name: Schema.String.annotate({ description: "Name of the job, which is the name of its check run." }),
  ...state,
  started_at: time("When the job began."),
  completed_at: time("When the job ended."),
  labels: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({ description: "Labels of the runner, for example `ubuntu-latest`." })
  ),
  runner_name: text("Name of the runner."),
  environment: text("Environment of a new job. The job is `waiting` until the protection rules let it deploy."),
  steps: Schema.optionalKey(Schema.Array(ReportedStep).annotate({ description: "All steps, up to 1,000." }))
}).annotate({ identifier: "ReportedJob" })
export type ReportedJob = typeof ReportedJob.Type

/** A report about an attempt of a run. */
export const RunReport = Schema.Struct({
  run_id: Schema.optionalKey(Schema.Int.annotate({ description: "Id of a known run." })),
  external_id: text("The reporter's name of the run. Further reports with it change the run."),
  workflow: text("Path of the workflow file, for a new run."),
  workflow_name: text("Its name, if the default branch lacks it."),
  head_sha: text("Id of the commit, for a new run."),
  head_branch: text("Branch of the commit."),
  event: text("`push` by default."),
  display_title: text("By default the first line of the commit message."),
  run_attempt: Schema.optionalKey(
    Schema.Int.annotate({ description: "The latest attempt, or the next one to begin it." })
  ),
  ...state,
  run_started_at: time("When the attempt began."),
  jobs: Schema.optionalKey(Schema.Array(ReportedJob).annotate({ description: "Jobs to add or change, up to 256." }))
}).annotate({ identifier: "RunReport" })
export type RunReport = typeof RunReport.Type

/** A run with the jobs of its latest attempt, after a report. */
export const ReportedRun = Schema.Struct({
  run: WorkflowRun,
  jobs: Schema.Array(WorkflowJob),
  /** Inputs of a dispatch. */
  inputs: Schema.optionalKey(Schema.Record(Schema.String, AnyJson))
}).annotate({
  identifier: "ReportedRun",
  ...Presentation.of({
    columns: { RUN: "run.id", STATUS: "run.status", CONCLUSION: "run.conclusion" },
    arguments: { run_id: "run.id", "runReports.ref": { path: "run.head_branch", template: "refs/heads/{}" } }
  })
})
export type ReportedRun = typeof ReportedRun.Type

/** The size of a log after an upload. */
export const UploadedLog = Schema.Struct({
  job_id: Schema.Int,
  size: Schema.Int
}).annotate({
  identifier: "UploadedLog",
  ...Presentation.of({ columns: { JOB: "job_id", SIZE: "size" }, arguments: { job_id: "job_id" } })
})

const errors = [notFound, conflict, validationFailed, unsupported] as const
const extension = { ...writesActions, extension: true, resource: "none" } as const

/** Reports about runs. Absent on forges without this extension (`Unsupported`). */
export class RunReports extends Group.make("runReports", () => [
  HttpApiEndpoint.post("report", "/tongs/repos/:owner/:repo/runs", {
    params: repositoryPath,
    payload: RunReport,
    success: [ReportedRun.pipe(HttpApiSchema.status(201)), ReportedRun.pipe(HttpApiSchema.status(200))],
    error: errors
  }).annotateMerge(
    Operation.annotations({
      summary: "Report a workflow run",
      words: "runner, create run, complete run, CI",
      description: "Creates or updates a run with its jobs, steps and check runs. A cancelled run refuses reports.",
      effect: "create",
      idempotent: true,
      ...extension
    })
  ),
  HttpApiEndpoint.put("uploadLog", "/tongs/repos/:owner/:repo/runs/:run_id/jobs/:job_id/log", {
    params: { ...runPath, job_id: Schema.Int.annotate({ description: "Id of the job." }) },
    query: {
      offset: Schema.optionalKey(
        Schema.Int.annotate({
          description: "Position of the first byte; 0 by default. At most the size so far, to resume an upload."
        })
      )
    },
    payload: Schema.Struct({
      log: Schema.String.annotate({ description: "The log, or a part of it.", ...Presentation.base64 })
    }),
    success: UploadedLog,
    error: errors
  }).annotateMerge(
    Operation.annotations({
      summary: "Upload the log of a job",
      words: "append log, output",
      description: "Bytes after the offset are replaced. The log keeps its colors (ANSI escape sequences).",
      bytesBody: "log",
      effect: "trigger",
      idempotent: true,
      ...extension
    })
  ),
  HttpApiEndpoint.post("createCache", "/tongs/repos/:owner/:repo/runs/:run_id/caches", {
    params: runPath,
    payload: Schema.Struct({
      key: Schema.String.annotate({ description: "Key of the cache, up to 512 characters." }),
      version: Schema.String.annotate({ description: "Digest of the paths of the cache." }),
      size_in_bytes: Schema.Int.annotate({ description: "Size of the cache." }),
      ref: text("Reference of the cache; by default the branch of the run.")
    }),
    success: ActionsCache.pipe(HttpApiSchema.status(201)),
    error: errors
  }).annotateMerge(
    Operation.annotations({
      summary: "Report a workflow cache",
      description: "Records key and size. A known cache counts as used now. The content stays with the reporter.",
      idempotent: true,
      ...extension
    })
  )
]) {}
