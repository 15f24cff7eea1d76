/** A job: its steps, and its log with colors, groups and marks. */
import * as Effect from "effect/Effect"
import * as JobLogText from "@tongs/connection/download/JobLogText"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { WorkflowJob } from "@tongs/core/contract/groups/WorkflowJobs"
import * as JobLog from "@tongs/core/text/JobLog"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, LineAtTime, Section } from "../../content/Document.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Route from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line, Role } from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as JobLines from "./JobLines.ts"
import * as RunState from "./RunState.ts"

/** Creates the document. `log` is undefined for a job without a log. */
export const make = (
  job: WorkflowJob,
  log: JobLogText.JobLogText | undefined,
  values: Arguments
): Document.Document => {
  const { owner, repo } = values
  const parsed = log === undefined || log.text === "" ? [] : JobLog.parse(log.text)
  const digits = String(parsed.at(-1)?.number ?? 0).length
  return Document.make(
    String(job.id),
    (columns) => {
      const head: ReadonlyArray<DocumentLine | LineAtTime> = [
        ...StyledLine.wrap(job.name, columns).map((part) => ({ line: StyledLine.line(part, "title") })),
        { line: StyledLine.empty },
        (now) =>
          JobLines.field("state", [
            RunState.mark(job),
            StyledLine.span(` ${RunState.words(job)}`, RunState.roleOf(job)),
            StyledLine.span(`  ${JobLines.timeOf(job, now)}`, "muted")
          ]),
        JobLines.field("run", StyledLine.line(`${job.workflow_name ?? ""} ${job.run_id}`.trim(), "link"), {
          route: Route.make("workflowRuns.get", { owner, repo, run_id: job.run_id })
        }),
        ...(job.runner_name === null || job.runner_name === ""
          ? []
          : [JobLines.field("runner", StyledLine.line(job.runner_name))]),
        { line: StyledLine.empty },
        ...JobLines.stepLines(job, columns),
        { line: StyledLine.empty },
        { line: logTitle(job, log, parsed.length) }
      ]
      const sections = parsed.flatMap((line, index): ReadonlyArray<Section> =>
        line.mark === "group" || line.mark === "error"
          ? [
              {
                firstLine: head.length + index,
                title: textOf(line),
                label: [
                  ...(line.mark === "error" ? [StyledLine.span("✗ ", "error")] : []),
                  StyledLine.span(textOf(line))
                ]
              }
            ]
          : []
      )
      const failed = parsed.findIndex(({ mark }) => mark === "error")
      return Document.fromLines([...head, ...parsed.map((line) => logLine(line, digits))], {
        sections,
        initialLine: failed < 0 ? 0 : head.length + failed
      })
    },
    { value: job, webUrl: job.html_url }
  )
}

const textOf = ({ spans }: JobLog.LogLine): string => spans.map(({ text }) => text).join("")

const logTitle = (job: WorkflowJob, log: JobLogText.JobLogText | undefined, lines: number): Line => {
  if (log === undefined || lines === 0)
    return StyledLine.line(RunState.isRunning(job) ? "No log yet. r reads it again" : "This job has no log", "muted")
  const isCut = !log.isWhole || lines === JobLog.MAX_LINES
  return [
    StyledLine.span("Log", "strong"),
    ...(log.size === null ? [] : [StyledLine.span(`  ${NumberFormat.bytes(log.size)}`, "muted")]),
    ...(isCut
      ? [
          StyledLine.span(
            `  only the first ${NumberFormat.quantity(lines, "line")}; tongs workflow-jobs download-logs saves all`,
            "warning"
          )
        ]
      : [])
  ]
}

const logLine = (line: JobLog.LogLine, digits: number): DocumentLine => {
  const { isInGroup, mark, number, spans } = line
  const role = mark === undefined ? undefined : markRoles[mark]
  return {
    gutter: [StyledLine.span(`${String(number).padStart(digits)} `, "muted")],
    line: [
      ...(isInGroup ? [StyledLine.span("  ")] : []),
      ...(mark === undefined || titles[mark] === undefined ? [] : [StyledLine.span(titles[mark], role)]),
      ...spans.map(({ color, isBold, text }) =>
        StyledLine.span(
          text,
          role ?? (color === undefined ? (isBold === true ? "strong" : "plain") : colorRoles[color])
        )
      )
    ],
    copy: textOf(line)
  }
}

/** Texts before marked lines, which are visible without colors too. */
const titles: Readonly<Partial<Record<JobLog.Mark, string>>> = {
  group: "▾ ",
  error: "✗ ",
  warning: "! "
}

const markRoles: Readonly<Record<JobLog.Mark, Role>> = {
  group: "strong",
  error: "error",
  warning: "warning",
  notice: "accent",
  command: "function",
  debug: "muted"
}

const colorRoles: Readonly<Record<JobLog.Color, Role>> = {
  black: "muted",
  red: "error",
  green: "success",
  yellow: "warning",
  blue: "function",
  magenta: "keyword",
  cyan: "type",
  white: "plain"
}

/** The screen of a job. */
export const screen: Screen = {
  id: "workflowJobs.get",
  label: "job",
  get entry() {
    return entriesOfGroup("workflowJobs").find(({ name }) => name === "get")
  },
  required: ["owner", "repo", "job_id"],
  title: (values) => `job ${text(values, "job_id")}`,
  open: (environment, values) => {
    const target = { owner: text(values, "owner"), repo: text(values, "repo"), job_id: Number(text(values, "job_id")) }
    return Source.fromEffect(
      environment,
      (forge, options) =>
        Effect.all([forge.workflowJobs.get(target, options), JobLogText.read(forge, target, "start", options)], {
          concurrency: 2
        }),
      ([job, log]) => make(job, log, values),
      ([job]) => ResponseAge.age(job)
    )
  }
}
