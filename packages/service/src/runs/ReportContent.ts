/** The content of a report about a run: its limits, and the state that follows from it. */
import * as Result from "effect/Result"
import type { ReportedStep, RunReport } from "@tongs/core/contract/groups/RunReports"
import type { ValidationFailed } from "@tongs/core/contract/Failure"
import * as ApiError from "../api/ApiError.ts"
import * as Characters from "../base/Characters.ts"
import { timestamp } from "../base/Time.ts"
import type { RunState } from "../checks/CheckRunRows.ts"
import * as SuiteState from "../checks/SuiteState.ts"
import { isWorkflowPath } from "./WorkflowDefinitions.ts"
import { MAX_JOBS, type StepRow } from "./WorkflowJobRows.ts"

/** Maximum length of a name in characters, and maximum steps and labels of a job. */
const MAX_NAME = 255
const MAX_STEPS = 1000
const MAX_LABELS = 100

interface Problem {
  readonly field: string
  readonly message: string
}

const tooLong = (field: string, text: string | undefined): ReadonlyArray<Problem> =>
  text !== undefined && Characters.exceed(text, MAX_NAME)
    ? [{ field, message: `${field} is too long (maximum is ${MAX_NAME} characters)` }]
    : []

const blank = (field: string, text: string): ReadonlyArray<Problem> =>
  text.trim() === "" ? [{ field, message: `${field} is blank` }] : []

const tooMany = (field: string, items: ReadonlyArray<unknown>, limit: number): ReadonlyArray<Problem> =>
  items.length > limit ? [{ field, message: `${field} has more than ${limit} items` }] : []

interface State {
  readonly status?: string
  readonly conclusion?: string
}

const stateProblems = (field: string, { conclusion, status }: State): ReadonlyArray<Problem> => [
  ...(status === "completed" && conclusion === undefined
    ? [{ field: `${field}conclusion`, message: `${field}conclusion is missing for status completed` }]
    : []),
  ...(status !== undefined && status !== "completed" && conclusion !== undefined
    ? [{ field: `${field}status`, message: `${field}status must be completed with a conclusion` }]
    : [])
]

/** Returns the error of a report that exceeds a limit or contradicts itself. */
export const check = (report: RunReport): Result.Result<void, ValidationFailed> => {
  const { event, jobs = [], workflow } = report
  const names = jobs.map(({ name }) => name)
  const problems: ReadonlyArray<Problem> = [
    ...tooLong("external_id", report.external_id),
    ...tooLong("workflow", workflow),
    ...tooLong("workflow_name", report.workflow_name),
    ...tooLong("head_branch", report.head_branch),
    ...tooLong("display_title", report.display_title),
    ...(workflow === undefined || isWorkflowPath(workflow)
      ? []
      : [{ field: "workflow", message: "workflow must be a path such as .github/workflows/ci.yml" }]),
    ...(event === undefined || /^[a-z_]{1,100}$/.test(event)
      ? []
      : [{ field: "event", message: "event must be the name of an event, for example push" }]),
    ...stateProblems("", report),
    ...tooMany("jobs", jobs, MAX_JOBS),
    ...(new Set(names).size === names.length ? [] : [{ field: "jobs", message: "two jobs have the same name" }]),
    ...jobs.slice(0, MAX_JOBS).flatMap((job, index) => {
      const field = `jobs.${index}.`
      const { labels = [], steps = [] } = job
      return [
        ...blank(`${field}name`, job.name),
        ...tooLong(`${field}name`, job.name),
        ...tooLong(`${field}runner_name`, job.runner_name),
        ...(job.environment === undefined ? [] : blank(`${field}environment`, job.environment)),
        ...tooLong(`${field}environment`, job.environment),
        ...stateProblems(field, job),
        ...tooMany(`${field}labels`, labels, MAX_LABELS),
        ...labels.flatMap((label) => tooLong(`${field}labels`, label)),
        ...tooMany(`${field}steps`, steps, MAX_STEPS),
        ...steps.slice(0, MAX_STEPS).flatMap((step) => tooLong(`${field}steps.name`, step.name))
      ]
    })
  ]
  const [first] = problems
  return first === undefined
    ? Result.void
    : Result.fail(
        ApiError.invalid(
          `Validation Failed: ${first.message}`,
          problems.map((one) => ({ resource: "WorkflowRun", code: "custom", ...one }))
        )
      )
}

/** Formats a time of a report. */
export const time = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : timestamp(Date.parse(text))

export const steps = (given: ReadonlyArray<ReportedStep>): ReadonlyArray<StepRow> =>
  given.map(({ completed_at, conclusion, log_offset, name, number, started_at, status }, index) => ({
    name,
    number: number ?? index + 1,
    status: status ?? (conclusion !== undefined ? "completed" : started_at === undefined ? "queued" : "in_progress"),
    conclusion: conclusion ?? null,
    started_at: time(started_at) ?? null,
    completed_at: time(completed_at) ?? null,
    log_offset: log_offset ?? null
  }))

/**
 * Returns the state of a run: the reported one, else that of its jobs, else the state before. A run waits while all of its
 * open jobs do.
 */
export const stateOf = (
  report: State & { readonly jobs?: ReadonlyArray<unknown> },
  jobs: ReadonlyArray<RunState>,
  before: RunState
): RunState => {
  const { conclusion, status } = report
  if (conclusion !== undefined) return { status: "completed", conclusion }
  const ofJobs = SuiteState.of(jobs)
  if (ofJobs.status === "waiting") return ofJobs
  if (status !== undefined) return { status, conclusion: null }
  return report.jobs === undefined || jobs.length === 0 ? before : ofJobs
}
