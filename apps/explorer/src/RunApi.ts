/** The part of the explorer's API that reads runs of workflows. Times are ISO 8601. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { runStatuses } from "./RunStatuses.ts"

const Text = Schema.NullOr(Schema.String)

const state = {
  /** For example `in_progress`. */
  status: Schema.String,
  /** For example `failure`. Null unless completed. */
  conclusion: Text
}

const times = { ...state, startedAt: Text, completedAt: Text }

export const Workflow = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  /** Name of the file, for example `test.yml`. */
  file: Schema.String,
  /** `active` or why it is not. */
  state: Schema.String
})
export type Workflow = typeof Workflow.Type

/** A run of a workflow: the latest attempt. */
export const Run = Schema.Struct({
  ...times,
  id: Schema.Int,
  title: Schema.String,
  /** Name of the workflow. */
  workflow: Schema.String,
  /** Name of the file of the workflow. */
  file: Schema.String,
  number: Schema.Int,
  attempt: Schema.Int,
  event: Schema.String,
  branch: Text,
  commit: Schema.String,
  /** Null for a deleted account. */
  actor: Text,
  createdAt: Schema.String,
  /** Numbers of pull requests of the repository. */
  pulls: Schema.Array(Schema.Int)
})
export type Run = typeof Run.Type

/** One page of the runs of a repository, the newest first. */
export const RunList = Schema.Struct({
  runs: Schema.Array(Run),
  total: Schema.Int,
  /** Number of pages. */
  pages: Schema.Int,
  /** At most 100. */
  workflows: Schema.Array(Workflow)
})
export type RunList = typeof RunList.Type

export const Step = Schema.Struct({ ...times, number: Schema.Int, name: Schema.String })
export type Step = typeof Step.Type

export const Job = Schema.Struct({
  ...times,
  id: Schema.Int,
  name: Schema.String,
  runner: Text,
  labels: Schema.Array(Schema.String),
  steps: Schema.Array(Step)
})
export type Job = typeof Job.Type

/** A run with its jobs. */
export const RunDetails = Schema.Struct({
  run: Run,
  /** At most 100. */
  jobs: Schema.Array(Job),
  totalJobs: Schema.Int
})
export type RunDetails = typeof RunDetails.Type

/** A part of a log. */
export const Log = Schema.Struct({
  /** Null without a log: before the job has started, or after the log was deleted. */
  text: Text,
  /** Size of the whole log in bytes, if known. */
  size: Schema.NullOr(Schema.Finite),
  isWhole: Schema.Boolean
})
export type Log = typeof Log.Type

const repository = { owner: Schema.String, repo: Schema.String }
const job = { ...repository, job: Schema.Int }

/** Runs, jobs and logs. */
export class Runs extends HttpApiGroup.make("runs")
  .add(
    HttpApiEndpoint.get("listRuns", "/runs", {
      query: {
        ...repository,
        page: Schema.Int,
        /** Name of the file of a workflow. */
        workflow: Schema.optionalKey(Schema.String),
        branch: Schema.optionalKey(Schema.String),
        status: Schema.optionalKey(Schema.Literals(runStatuses))
      },
      success: RunList
    }),
    HttpApiEndpoint.get("getRun", "/run", { query: { ...repository, id: Schema.Int }, success: RunDetails }),
    HttpApiEndpoint.get("getLog", "/log", {
      query: { ...job, part: Schema.Literals(["start", "end"]) },
      success: Log
    }),
    HttpApiEndpoint.get("getLogFile", "/log-file", { query: job, success: HttpApiSchema.StreamUint8Array() })
  )
  .prefix("/api") {}
