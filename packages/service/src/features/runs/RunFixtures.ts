/** Fixtures of workflow runs and caches. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { ReportedJob, RunReport } from "@tongs/core/contract/groups/RunReports"
import type { Timestamp } from "@tongs/core/contract/Scalars"
import { InstallationRows } from "../../access/InstallationRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import { parseTimestamp } from "../../base/Time.ts"
import { AnnouncesChanges } from "../../events/Events.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import { ActionsCacheRows } from "../../runs/ActionsCacheRows.ts"
import { JobLogs } from "../../runs/JobLogs.ts"
import { Runs } from "../../runs/Runs.ts"
import { WorkflowJobRows } from "../../runs/WorkflowJobRows.ts"
import { type WorkflowRunRow, WorkflowRunRows } from "../../runs/WorkflowRunRows.ts"
import { WORKFLOW_APP } from "../checks/CheckTarget.ts"

const { failAt, foldCase, identity } = FixtureSection

const times = {
  started_at: Schema.optionalKey(FixtureTimestamp),
  completed_at: Schema.optionalKey(FixtureTimestamp)
}

const { completed_at: _, started_at: __, steps: ___, ...jobFields } = ReportedJob.fields

const Job = Schema.Struct({
  ...jobFields,
  ...times,
  steps: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        name: Schema.String,
        conclusion: jobFields.conclusion,
        log_offset: Schema.optionalKey(Schema.Int),
        ...times
      })
    )
  ),
  /** Text of the log. */
  log: Schema.optionalKey(Schema.String)
})

const { display_title, event, external_id, head_branch, status, conclusion, workflow_name } = RunReport.fields

const WorkflowRun = Schema.Struct({
  repository: Schema.String,
  /** Path of the workflow file. */
  workflow: Schema.String,
  /** Login of the account that started the run. */
  actor: Schema.String,
  id: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
  /** Id of a commit, or a branch or tag; the default branch by default. */
  head_sha: Schema.optionalKey(Schema.String),
  display_title,
  event,
  external_id,
  head_branch,
  status,
  conclusion,
  workflow_name,
  created_at: Schema.optionalKey(FixtureTimestamp),
  jobs: Schema.optionalKey(Schema.Array(Job))
})

type Job = typeof Job.Type

const decodeRun = Schema.decodeEffect(WorkflowRun)
const decodeJob = Schema.decodeEffect(Job)

const timeOf = (text: string | undefined): Timestamp | undefined =>
  text === undefined ? undefined : parseTimestamp(text)

/** Removes members without a value. */
const withTimes = (item: { readonly started_at?: string; readonly completed_at?: string }) => {
  const [started_at, completed_at] = [timeOf(item.started_at), timeOf(item.completed_at)]
  return {
    ...(started_at === undefined ? {} : { started_at }),
    ...(completed_at === undefined ? {} : { completed_at })
  }
}

const reportedJobs = (jobs: ReadonlyArray<Job>): ReadonlyArray<ReportedJob> =>
  jobs.map(({ completed_at: _end, log: _log, started_at: _start, steps, ...job }, index) => ({
    ...job,
    ...withTimes(jobs[index] ?? {}),
    ...(steps === undefined
      ? {}
      : {
          steps: steps.map(({ completed_at: _stepEnd, started_at: _stepStart, ...step }, at) => ({
            ...step,
            ...withTimes(steps[at] ?? {})
          }))
        })
  }))

/** Writes the logs of jobs. */
const writeLogs = Effect.fnUntraced(function* (run: WorkflowRunRow, jobs: ReadonlyArray<Job>) {
  const rows = yield* WorkflowJobRows
  const logs = yield* JobLogs
  for (const job of yield* rows.ofAttempt(run.id, run.latest_attempt)) {
    const log = jobs.find((one) => one.name === job.name)?.log
    if (log === undefined) continue
    yield* Effect.orDie(logs.write(job, 0, Stream.succeed(Buffer.from(log))))
    const { labels, runner_name, steps } = job
    yield* rows.set(job.id, { labels, runner_name, steps, log_job_id: job.id })
  }
})

const served = Effect.fnUntraced(function* (repository: string) {
  const [owner = "", name = ""] = repository.split("/", 2)
  const registry = yield* RepositoryRegistry
  const found = yield* Effect.orElseSucceed(registry.find(owner, name), () => undefined)
  return found ?? (yield* failAt("repository", `${repository} cannot be opened`))
})

const report = Effect.fnUntraced(function* (...input: Parameters<Runs["Service"]["report"]>) {
  const reporting = Effect.provideService((yield* Runs).report(...input), AnnouncesChanges, false)
  return yield* reporting.pipe(Effect.catch((error) => failAt("", "detail" in error ? error.detail : error.message)))
})

/** Adds a run with its jobs and logs, and returns its id. With `isOnce`, returns an equal one that exists. */
export const addRun = Effect.fnUntraced(function* (row: typeof WorkflowRun.Type, isOnce: boolean) {
  const { actor: login, created_at, head_sha = "HEAD", id, jobs = [], repository, ...given } = row
  const { id: repositoryId } = yield* FixtureSection.repository("repository", repository)
  const actor = yield* FixtureSection.user("actor", login)
  const found = yield* served(repository)
  const oid = yield* Effect.orElseSucceed(found.git.resolve(head_sha), () => undefined)
  if (oid === undefined) return yield* failAt("head_sha", `no commit ${JSON.stringify(head_sha)}`)
  const isBranch = yield* Effect.orElseSucceed(found.git.ref(`refs/heads/${head_sha}`), () => undefined)
  const branch = head_sha === "HEAD" ? yield* Effect.orElseSucceed(found.git.head, () => undefined) : head_sha
  const hasBranch = branch !== undefined && (head_sha === "HEAD" || isBranch !== undefined)
  const { id: appId } = yield* (yield* InstallationRows).ensureApp({ slug: WORKFLOW_APP })
  const runs = yield* WorkflowRunRows
  const external =
    given.external_id ?? (isOnce ? `fixture ${given.workflow} ${oid} ${given.event ?? "push"}` : undefined)
  const known = external === undefined ? undefined : yield* runs.byExternalId(repositoryId, appId, external)
  if (isOnce && known !== undefined) return known.id
  const started = timeOf(created_at)
  const { run } = yield* report(
    { actor, repository: found },
    appId,
    {
      ...(hasBranch ? { head_branch: branch } : {}),
      ...given,
      head_sha: oid,
      ...(external === undefined ? {} : { external_id: external }),
      ...(started === undefined ? {} : { run_started_at: started }),
      jobs: reportedJobs(jobs)
    },
    id
  )
  const ends = jobs.flatMap(({ completed_at }) => completed_at ?? []).toSorted()
  yield* runs.setState(run, { ...run, updated_at: ends.at(-1) ?? created_at ?? run.updated_at })
  yield* writeLogs(run, jobs)
  return run.id
})

const failed = (error: Schema.SchemaError) => new FixtureSection.FixtureError({ path: "", detail: error.message })

/** Adds a run of the test kit, and returns its id. */
export const addNewRun = (row: typeof WorkflowRun.Encoded) =>
  Effect.flatMap(Effect.mapError(decodeRun(row), failed), (one) => addRun(one, false))

/** Adds or changes a job of a run, and returns its id. */
export const addJob = Effect.fnUntraced(function* (
  repository: string,
  runId: number,
  login: string,
  row: typeof Job.Encoded
) {
  const job = yield* Effect.mapError(decodeJob(row), failed)
  const actor = yield* FixtureSection.user("actor", login)
  const found = yield* served(repository)
  const { id: appId } = yield* (yield* InstallationRows).ensureApp({ slug: WORKFLOW_APP })
  const { run } = yield* report({ actor, repository: found }, appId, { run_id: runId, jobs: reportedJobs([job]) })
  yield* writeLogs(run, [job])
  const jobs = yield* (yield* WorkflowJobRows).ofAttempt(run.id, run.latest_attempt)
  return jobs.find(({ name }) => name === job.name)?.id ?? 0
})

/** Sections `workflow_runs` and `actions_caches`. Load after check runs. */
export const sections = () => [
  FixtureSection.make(
    "workflow_runs",
    WorkflowRun,
    ({ event = "push", external_id, head_sha = "", id, repository, workflow }) => [
      identity("id", id),
      external_id === undefined
        ? identity("workflow", foldCase(repository), workflow, head_sha, event)
        : identity("external_id", foldCase(repository), external_id)
    ],
    (row) => addRun(row, true)
  ),
  FixtureSection.make(
    "actions_caches",
    Schema.Struct({
      repository: Schema.String,
      ref: Schema.String,
      key: Schema.String,
      version: Schema.String,
      size_in_bytes: Schema.Int,
      created_at: Schema.optionalKey(FixtureTimestamp)
    }),
    ({ key, ref, repository, version }) => [identity("key", foldCase(repository), ref, key, version)],
    Effect.fnUntraced(function* ({ repository, ...cache }) {
      const { id } = yield* FixtureSection.repository("repository", repository)
      yield* (yield* ActionsCacheRows).put({ ...cache, repository_id: id })
    })
  )
]
