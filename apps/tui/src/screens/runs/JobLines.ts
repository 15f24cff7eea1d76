/** The lines of a job and its steps, for the documents of a run and of a job. */
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { WorkflowJob } from "@tongs/core/contract/groups/WorkflowJobs"
import type { DocumentLine, LineAtTime } from "../../content/Document.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Route from "../../content/Route.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import * as RunState from "./RunState.ts"

/** Returns the line of a job, which opens its log. The actions of the line are those of the job. */
export const jobLine =
  (job: WorkflowJob, values: Arguments, columns: number): LineAtTime =>
  (now) => {
    const { owner, repo } = values
    return {
      line: StyledLine.justify(
        [RunState.mark(job), StyledLine.span(` ${job.name}`, RunState.isFailed(job) ? "strong" : "plain")],
        StyledLine.line(`${RunState.words(job)}  ${timeOf(job, now)}`.trimEnd(), "muted"),
        Math.min(columns, MAX_WIDTH)
      ),
      route: Route.make("workflowJobs.get", { owner, repo, job_id: job.id, run_id: job.run_id }),
      copy: String(job.id),
      arguments: { job_id: job.id, check_run_id: job.id },
      entry: entriesOfGroup("workflowJobs").find(({ name }) => name === "get"),
      value: job,
      title: `job ${job.name}`
    }
  }

/** Returns the lines of the steps of a job. */
export const stepLines = (job: WorkflowJob, columns: number): ReadonlyArray<LineAtTime> =>
  (job.steps ?? []).map((step) => (now): DocumentLine => ({
    line: StyledLine.justify(
      [indent, RunState.mark(step), StyledLine.span(` ${step.name}`, RunState.isFailed(step) ? "error" : "muted")],
      StyledLine.line(
        step.status === "queued" || (step.completed_at ?? null) === null
          ? ""
          : RunState.duration(step.started_at, step.completed_at, now),
        "muted"
      ),
      Math.min(columns, MAX_WIDTH)
    )
  }))

/** Maximum width of a line, so that its parts stay close together. */
const MAX_WIDTH = 100

const indent = StyledLine.span("  ")

/** Returns how long a job took or has taken. */
export const timeOf = (job: WorkflowJob, now: number): string =>
  job.status === "queued" || job.status === "waiting"
    ? ""
    : RunState.duration(job.started_at, RunState.isRunning(job) ? null : job.completed_at, now)

/** Returns a line with the name of a fact and its value. */
export const field = (name: string, value: Line, more: Omit<DocumentLine, "line"> = {}): DocumentLine => ({
  line: [...StyledLine.fit(StyledLine.line(name, "muted"), NAME_WIDTH), ...value],
  ...more
})

const NAME_WIDTH = 10
