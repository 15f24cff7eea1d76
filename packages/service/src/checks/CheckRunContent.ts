/** The new content of a check run, which follows from the input of its app and the content before. */
import * as Result from "effect/Result"
import type { CheckRunUpdate, NewAnnotation } from "@tongs/core/contract/groups/CheckRuns"
import type { ValidationFailed } from "@tongs/core/contract/Failure"
import * as ApiError from "../api/ApiError.ts"
import * as Characters from "../base/Characters.ts"
import { timestamp } from "../base/Time.ts"
import type { CheckRunContent, CheckRunRow } from "./CheckRunRows.ts"

/** Maximum lengths in characters. The size of the messages of annotations is in bytes. */
const MAX_NAME = 255
const MAX_URL = 2048
const MAX_TEXT = 65_535
const MAX_TITLE = 255
const MAX_MESSAGE = 64 * 1024
const MAX_PATH = 4096
const MAX_LABEL = 20
const MAX_DESCRIPTION = 40

/** Maximum annotations of a request and of a check run, and maximum buttons. */
const MAX_ANNOTATIONS = 50
export const MAX_RUN_ANNOTATIONS = 10_000
const MAX_ACTIONS = 3

/** Statuses that only workflows can set. */
const ofWorkflows: ReadonlySet<string> = new Set(["waiting", "requested", "pending"])

interface Problem {
  readonly field: string
  readonly message: string
  readonly code?: string
}

const tooLong = (field: string, text: string | undefined, limit: number): ReadonlyArray<Problem> =>
  text !== undefined && Characters.exceed(text, limit)
    ? [{ field, message: `${field} is too long (maximum is ${limit} characters)` }]
    : []

const tooLarge = (field: string, text: string | undefined): ReadonlyArray<Problem> =>
  text !== undefined && Buffer.byteLength(text) > MAX_MESSAGE
    ? [{ field, message: `${field} is too long (maximum is ${MAX_MESSAGE} bytes)` }]
    : []

const tooMany = (field: string, items: ReadonlyArray<unknown>, limit: number): ReadonlyArray<Problem> =>
  items.length > limit ? [{ field, message: `${field} has more than ${limit} items` }] : []

/** Problems of a URL that clients open. */
const urlProblems = (field: string, url: string | undefined): ReadonlyArray<Problem> =>
  url === undefined
    ? []
    : /^https?:\/\/[^\s/]/i.test(url)
      ? tooLong(field, url, MAX_URL)
      : [{ field, message: `${field} must use the http or https scheme` }]

const annotationProblems = (one: NewAnnotation, index: number): ReadonlyArray<Problem> => {
  const { end_column, end_line, path, start_column, start_line } = one
  const field = `output.annotations.${index}`
  const problems = [
    ...tooLong(`${field}.path`, path, MAX_PATH),
    ...tooLong(`${field}.title`, one.title, MAX_TITLE),
    ...tooLarge(`${field}.message`, one.message),
    ...tooLarge(`${field}.raw_details`, one.raw_details)
  ]
  if (path === "") return [{ field: `${field}.path`, message: "path is blank", code: "missing_field" }]
  if (start_line < 1 || end_line < start_line)
    return [{ field: `${field}.end_line`, message: "lines start at 1, and end_line is not before start_line" }]
  const hasColumns = start_column !== undefined || end_column !== undefined
  if (hasColumns && start_line !== end_line)
    return [{ field: `${field}.start_column`, message: "columns are only for annotations of one line" }]
  if ((start_column ?? 1) < 1 || (end_column ?? start_column ?? 1) < (start_column ?? 1))
    return [{ field: `${field}.end_column`, message: "columns start at 1, and end_column is not before start_column" }]
  return problems
}

const problemsOf = (input: CheckRunUpdate, before: CheckRunRow | undefined, isWorkflow: boolean) => {
  const { actions = [], completed_at, conclusion, details_url, external_id, name, output, status } = input
  const isCompleted = conclusion !== undefined || (before?.conclusion ?? undefined) !== undefined
  const problems: Array<Problem> = [
    ...tooLong("name", name, MAX_NAME),
    ...tooLong("external_id", external_id, MAX_NAME),
    ...urlProblems("details_url", details_url),
    ...tooLong("output.title", output?.title, MAX_TEXT),
    ...tooLong("output.summary", output?.summary, MAX_TEXT),
    ...tooLong("output.text", output?.text, MAX_TEXT),
    ...tooMany("output.annotations", output?.annotations ?? [], MAX_ANNOTATIONS),
    ...(output?.annotations ?? []).flatMap(annotationProblems),
    ...(output?.images ?? []).flatMap(({ image_url }, index) =>
      urlProblems(`output.images.${index}.image_url`, image_url)
    ),
    ...tooMany("actions", actions, MAX_ACTIONS),
    ...actions.flatMap(({ description, identifier, label }, index) => [
      ...tooLong(`actions.${index}.label`, label, MAX_LABEL),
      ...tooLong(`actions.${index}.description`, description, MAX_DESCRIPTION),
      ...tooLong(`actions.${index}.identifier`, identifier, MAX_LABEL)
    ])
  ]
  if (name?.trim() === "") problems.push({ field: "name", message: "name is blank", code: "missing_field" })
  if (conclusion === "stale")
    problems.push({ field: "conclusion", message: "conclusion stale can only be set by the forge" })
  if ((status === "completed" || completed_at !== undefined) && !isCompleted)
    problems.push({ field: "conclusion", message: "conclusion is missing for a completed run", code: "missing_field" })
  if (status !== undefined && ofWorkflows.has(status) && !isWorkflow)
    problems.push({ field: "status", message: `only workflows can set the status ${status}` })
  return problems
}

/** Status, conclusion and end. A conclusion completes the run, and another status than `completed` begins it again. */
const stateOf = (
  { completed_at, conclusion, status }: CheckRunUpdate,
  before: CheckRunRow | undefined,
  now: string
) => {
  const isCompleted = conclusion !== undefined || (status ?? before?.status) === "completed"
  if (!isCompleted) return { status: status ?? before?.status ?? "queued", conclusion: null, completed_at: null }
  return {
    status: "completed",
    conclusion: conclusion ?? before?.conclusion ?? null,
    completed_at: timeOf(completed_at) ?? before?.completed_at ?? now
  }
}

const timeOf = (text: string | undefined) => (text === undefined ? undefined : timestamp(Date.parse(text)))

/**
 * Returns the content of a new check run, or of a check run after an update. `isWorkflow` is true for a workflow, which
 * can set more statuses.
 */
export const of = (
  input: CheckRunUpdate & { readonly name: string },
  before: CheckRunRow | undefined,
  { isWorkflow, now }: { readonly isWorkflow: boolean; readonly now: string }
): Result.Result<CheckRunContent, ValidationFailed> => {
  const problems = problemsOf(input, before, isWorkflow)
  const [first] = problems
  if (first !== undefined) {
    const errors = problems.map(({ code = "custom", ...one }) => ({ resource: "CheckRun", code, ...one }))
    return Result.fail(ApiError.invalid(`Validation Failed: ${first.message}`, errors))
  }
  const { actions, details_url, external_id, name, output, started_at } = input
  return Result.succeed({
    name,
    ...stateOf(input, before, now),
    external_id: external_id ?? before?.external_id ?? null,
    details_url: details_url ?? before?.details_url ?? null,
    started_at: timeOf(started_at) ?? before?.started_at ?? now,
    title: output?.title ?? before?.title ?? null,
    summary: output?.summary ?? before?.summary ?? null,
    text: output?.text ?? before?.text ?? null,
    actions: actions === undefined ? (before?.actions ?? null) : JSON.stringify(actions)
  })
}
