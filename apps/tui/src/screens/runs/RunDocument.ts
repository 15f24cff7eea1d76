/** A run: its state, and its jobs with their steps. */
import * as Effect from "effect/Effect"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { WorkflowJob } from "@tongs/core/contract/groups/WorkflowJobs"
import type { WorkflowRun } from "@tongs/core/contract/groups/WorkflowRuns"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, LineAtTime } from "../../content/Document.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Route from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as JobLines from "./JobLines.ts"
import * as RunList from "./RunList.ts"
import * as RunState from "./RunState.ts"

/** Maximum number of jobs to show. */
const MAX_JOBS = 100

/** Creates the document. `total` is the number of all jobs. */
export const make = (
  run: WorkflowRun,
  jobs: ReadonlyArray<WorkflowJob>,
  total: number,
  values: Arguments
): Document.Document => {
  const { owner, repo } = values
  const known = RunList.argumentsOf(values, run)
  return Document.make(
    String(run.id),
    (columns) => {
      const head: ReadonlyArray<DocumentLine | LineAtTime> = [
        ...StyledLine.wrap(`${run.display_title} #${run.run_number}`, columns).map((part) => ({
          line: StyledLine.line(part, "title")
        })),
        { line: StyledLine.empty },
        (now) =>
          JobLines.field("state", [
            RunState.mark(run),
            StyledLine.span(` ${RunState.words(run)}`, RunState.roleOf(run)),
            StyledLine.span(`  ${RunList.timeOf(run, now)}`, "muted"),
            StyledLine.span((run.run_attempt ?? 1) > 1 ? `  attempt ${run.run_attempt}` : "", "muted")
          ]),
        JobLines.field("workflow", StyledLine.line(run.name ?? run.path, "link"), {
          route: Route.make("workflowRuns.listForWorkflow", { owner, repo, workflow_id: run.workflow_id })
        }),
        (now) =>
          JobLines.field("started", [
            StyledLine.span(RelativeTime.format(Date.parse(run.created_at), now)),
            StyledLine.span(`  by ${run.event}${run.actor === undefined ? "" : ` of ${run.actor.login}`}`, "muted")
          ]),
        ...(run.head_branch === null
          ? []
          : [
              JobLines.field("branch", StyledLine.line(run.head_branch, "link"), {
                route: Route.make("commits.list", { owner, repo, sha: run.head_branch }),
                copy: run.head_branch
              })
            ]),
        JobLines.field("commit", StyledLine.line(AbbreviatedId.of(run.head_sha), "link"), {
          route: Route.make("commits.get", { owner, repo, ref: run.head_sha }),
          copy: run.head_sha
        }),
        ...(run.pull_requests ?? []).map(({ number }) =>
          JobLines.field("pull", StyledLine.line(`#${number}`, "link"), {
            route: Route.make("pulls.get", { owner, repo, pull_number: number })
          })
        ),
        JobLines.field("artifacts", StyledLine.line("of this run ›", "link"), {
          route: Route.make("artifacts.listForWorkflowRun", { owner, repo, run_id: run.id })
        }),
        { line: StyledLine.empty },
        { line: StyledLine.line(jobs.length === 0 ? noJobs(run) : "Jobs", jobs.length === 0 ? "muted" : "strong") }
      ]
      const lines: Array<DocumentLine | LineAtTime> = [...head]
      const sections: Array<Document.Section> = []
      for (const job of jobs) {
        sections.push({
          firstLine: lines.length,
          title: job.name,
          label: [RunState.mark(job), StyledLine.span(` ${job.name}`)]
        })
        lines.push(JobLines.jobLine(job, known, columns), ...JobLines.stepLines(job, columns))
      }
      if (jobs.length < total)
        lines.push({
          line: StyledLine.line(`These are ${jobs.length} of ${NumberFormat.quantity(total, "job")}`, "muted")
        })
      const failed = jobs.findIndex(RunState.isFailed)
      return Document.fromLines(lines, {
        sections,
        initialLine: sections[Math.max(0, failed)]?.firstLine ?? 0
      })
    },
    { value: run, webUrl: run.html_url }
  )
}

const noJobs = (run: WorkflowRun): string =>
  RunState.isRunning(run) ? "No runner has reported a job yet. r reads the run again" : "No runner has reported a job"

/** The screen of a run. */
export const screen: Screen = {
  id: "workflowRuns.get",
  label: "run",
  get entry() {
    return entriesOfGroup("workflowRuns").find(({ name }) => name === "get")
  },
  required: ["owner", "repo", "run_id"],
  title: (values) => `run ${text(values, "run_id")}`,
  open: (environment, values) => {
    const target = { owner: text(values, "owner"), repo: text(values, "repo"), run_id: Number(text(values, "run_id")) }
    return Source.fromEffect(
      environment,
      (forge, options) =>
        Effect.all(
          [
            forge.workflowRuns.get(target, options),
            forge.workflowJobs.listForRun(target, { ...options, perPage: MAX_JOBS }).first
          ],
          { concurrency: 2 }
        ),
      ([run, { items, totalCount }]) => make(run, items, totalCount ?? items.length, values),
      ([run, jobs]) => Math.max(ResponseAge.age(run), ResponseAge.age(jobs))
    )
  }
}
