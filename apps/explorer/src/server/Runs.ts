/** Runs of workflows: a list, one run with its jobs, and logs of jobs. */
import * as Effect from "effect/Effect"
import * as JobLogText from "@tongs/connection/download/JobLogText"
import { Forge } from "@tongs/core/client/Forge"
import type { WorkflowJob } from "@tongs/core/contract/groups/WorkflowJobs"
import type { WorkflowRun } from "@tongs/core/contract/groups/WorkflowRuns"
import * as PathText from "@tongs/core/text/PathText"
import type { RepositoryName } from "../ExplorerApi.ts"
import type * as RunApi from "../RunApi.ts"
import type { RunStatus } from "../RunStatuses.ts"
import * as Downloads from "./Downloads.ts"
import { interactive } from "./RequestOptions.ts"

const LIST_PAGE = 30

/** Maximum number of jobs and workflows. */
const MAX_LISTED = 100

/** Number of runs that the forge lists with a filter. */
const MAX_FILTERED = 1_000

/** The filters of a list. */
interface Filters {
  readonly workflow?: string
  readonly branch?: string
  readonly status?: RunStatus
}

/** One page of the runs of a repository or workflow, and the workflows. */
export const list = Effect.fn("Runs.list")(function* ({
  branch,
  owner,
  page,
  repo,
  status,
  workflow
}: RepositoryName & Filters & { readonly page: number }) {
  const forge = yield* Forge
  const options = yield* interactive
  const pages = { ...options, page, perPage: LIST_PAGE }
  const filters = {
    owner,
    repo,
    ...(branch === undefined ? {} : { branch }),
    ...(status === undefined ? {} : { status })
  }
  const [{ items, totalCount }, workflows] = yield* Effect.all(
    [
      workflow === undefined
        ? forge.workflowRuns.listForRepo(filters, pages).first
        : forge.workflowRuns.listForWorkflow({ ...filters, workflow_id: workflow }, pages).first,
      forge.workflows.list({ owner, repo }, { ...options, perPage: MAX_LISTED }).first
    ],
    { concurrency: 2 }
  )
  const total = totalCount ?? items.length
  const isFiltered = branch !== undefined || status !== undefined
  return {
    runs: items.map(runOf),
    total,
    pages: Math.max(1, Math.ceil((isFiltered ? Math.min(total, MAX_FILTERED) : total) / LIST_PAGE)),
    workflows: workflows.items.map(({ id, name, path, state }) => ({ id, name, file: PathText.nameOf(path), state }))
  } satisfies RunApi.RunList
})

/** A run with the jobs of its latest attempt. */
export const run = Effect.fn("Runs.run")(function* ({ id, owner, repo }: RepositoryName & { readonly id: number }) {
  const forge = yield* Forge
  const options = yield* interactive
  const target = { owner, repo, run_id: id }
  const [found, jobs] = yield* Effect.all(
    [
      forge.workflowRuns.get(target, options),
      forge.workflowJobs.listForRun(target, { ...options, perPage: MAX_LISTED }).first
    ],
    { concurrency: 2 }
  )
  return {
    run: runOf(found),
    jobs: jobs.items.map(jobOf),
    totalJobs: jobs.totalCount ?? jobs.items.length
  } satisfies RunApi.RunDetails
})

const runOf = (one: WorkflowRun): RunApi.Run => ({
  id: one.id,
  title: one.display_title,
  workflow: one.name ?? PathText.nameOf(one.path),
  file: PathText.nameOf(one.path.replace(/@.*$/, "")),
  number: one.run_number,
  attempt: one.run_attempt ?? 1,
  event: one.event,
  branch: one.head_branch,
  commit: one.head_sha,
  actor: one.actor?.login ?? null,
  status: one.status ?? "queued",
  conclusion: one.conclusion,
  createdAt: one.created_at,
  startedAt: one.run_started_at ?? one.created_at,
  completedAt: one.status === "completed" ? one.updated_at : null,
  pulls: (one.pull_requests ?? []).map(({ number }) => number)
})

const jobOf = (one: WorkflowJob): RunApi.Job => ({
  id: one.id,
  name: one.name,
  status: one.status,
  conclusion: one.conclusion,
  startedAt: one.status === "queued" || one.status === "waiting" ? null : one.started_at,
  completedAt: one.completed_at,
  runner: one.runner_name === "" ? null : one.runner_name,
  labels: one.labels,
  steps: (one.steps ?? []).map((step) => ({
    number: step.number,
    name: step.name,
    status: step.status,
    conclusion: step.conclusion,
    startedAt: step.started_at ?? null,
    completedAt: step.completed_at ?? null
  }))
})

interface JobName extends RepositoryName {
  readonly job: number
}

/** The start or end of the log of a job. */
export const log = Effect.fn("Runs.log")(function* ({
  job,
  owner,
  part,
  repo
}: JobName & { readonly part: JobLogText.LogPart }) {
  const forge = yield* Forge
  const options = yield* interactive
  const name = { owner, repo, job_id: job }
  // Only an existing job can be without a log.
  yield* forge.workflowJobs.get(name, options)
  const log = yield* JobLogText.read(forge, name, part, options)
  return (log ?? { text: null, size: null, isWhole: true }) satisfies RunApi.Log
})

/** The whole log of a job, for a browser to save. */
export const logFile = Effect.fn("Runs.logFile")(function* ({ job, owner, repo }: JobName) {
  const forge = yield* Forge
  const target = { owner, repo, job_id: job }
  const bytes = forge.download("GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs", target, yield* interactive)
  return yield* Downloads.response(bytes, { name: `job-${job}.log` })
})
