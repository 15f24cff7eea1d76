/** The status line below the content, and the line of suggestions above a prompt. */
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"
import * as TextInput from "../text/TextInput.ts"
import * as FailureMessage from "./FailureMessage.ts"
import * as QueryInput from "./QueryInput.ts"
import * as RateLimitSummary from "./RateLimitSummary.ts"
import * as State from "./State.ts"
import type { ExternalState } from "./Viewport.ts"

/** Describes the failure of the content, with the time of the next attempt, or how to sign in. */
export const problem = ({ load, now }: ExternalState): string | undefined => {
  if (load.failure === undefined) return undefined
  const { hint, title } = FailureMessage.of(load.failure)
  if (load.failure._tag === "BadCredentials" && !load.isLoading) return `${title}. ${hint}`
  if (load.isLoading || load.retryAt === undefined) return `${title}, trying again`
  return `${title}, next attempt in ${Math.max(1, Math.ceil((load.retryAt - now) / 1_000))} s`
}

/** Creates the status line: position or message on the left, rate limits on the right. */
export const make = (state: State.State, external: ExternalState, position: string): Line => {
  const left = statusLeft(state, external, position)
  const limits = RateLimitSummary.line(external.limits, external.now, state.columns)
  // The left side has the result of the last command, so the limits are shortened first, and omitted if the short form
  // does not fit.
  const right = [limits, limits.slice(0, SHORT_LIMITS)]
    .map((line): Line => [...line, StyledLine.span(" ")])
    .find((line) => StyledLine.width(left) + StyledLine.width(line) < state.columns)
  return right === undefined ? StyledLine.fit(left, state.columns) : StyledLine.justify(left, right, state.columns)
}

/** Creates the line of suggestions above the prompt; undefined without suggestions. */
export const suggestions = (state: State.State): Line | undefined => {
  const { prompt } = state
  if (prompt?.purpose !== "search" && prompt?.purpose !== "searchAll") return undefined
  return QueryInput.suggestions(prompt.input, State.repositories(state), state.queryHistory)
}

/** Number of spans of the short form of the limits: the name, the bar and the remaining requests. */
const SHORT_LIMITS = 4

const statusLeft = (state: State.State, external: ExternalState, position: string): Line => {
  if (state.prompt !== undefined) return promptLine(state, state.prompt, position)
  if (state.message !== undefined)
    return StyledLine.line(` ${state.message.text}`, state.message.isError ? "error" : "accent")
  const { filter, marked } = State.position(state)
  const failed = external.load.content === undefined ? undefined : problem(external)
  const { view } = external.load
  return [
    StyledLine.span(` ${position}`),
    ...(view === undefined ? [] : [StyledLine.span(`  ${view}`, "accent")]),
    ...(filter === "" ? [] : [StyledLine.span("  filter ", "muted"), StyledLine.span(filter, "match")]),
    ...(marked.size === 0 ? [] : [StyledLine.span(`  ${marked.size} marked`, "accent")]),
    ...ageOf(external),
    ...(failed === undefined ? [] : [StyledLine.span(`  ! ${failed}`, "error")]),
    ...slowness(external),
    ...(external.load.isLoading && external.load.content !== undefined ? [StyledLine.spinner] : [])
  ]
}

/** Milliseconds without a response before the status line reports the wait. */
const SLOW_AFTER = 4_000

/** Reports that the forge has not responded for a while, and why the request waits if a rate limit is the reason. */
export const slowness = ({ limits, load, now }: ExternalState): Line => {
  if (!load.isLoading || load.loadingSince === undefined || now - load.loadingSince < SLOW_AFTER) return []
  const reason = limits.waitReason === undefined ? "no response yet" : `waiting: ${limits.waitReason}`
  return [StyledLine.span(`  ${reason}`, "warning")]
}

/** Minimum age of cached content to show, in milliseconds. */
const MIN_AGE = 1_000

const ageOf = ({ load, now }: ExternalState): Line => {
  const isOld = (load.isStale || load.failure !== undefined) && now - load.confirmedAt > MIN_AGE
  return isOld && load.content !== undefined
    ? [StyledLine.span(`  ${RelativeTime.format(load.confirmedAt, now)}`, "muted")]
    : []
}

const promptLine = (state: State.State, { input, purpose }: State.Prompt, position: string): Line => {
  const name = promptNames[purpose]
  const isSearch = purpose === "search" || purpose === "searchAll"
  const problem = isSearch ? QueryInput.problem(input.text) : undefined
  const isFilter = purpose === "filter" && input.text !== "" && position !== ""
  const hasNote = problem !== undefined || purpose === "find" || isFilter
  const columns = Math.max(8, Math.floor(state.columns * (hasNote ? 0.5 : 0.95)) - name.length - 1)
  return [
    StyledLine.span(name, "accent"),
    ...TextInput.line(input, columns),
    ...(problem === undefined ? [] : [StyledLine.span(`  ${problem}`, "error")]),
    ...(isFilter ? [StyledLine.span(`  ${position}`, "muted")] : []),
    // The number of matches in the document.
    ...(purpose === "find" && state.message !== undefined ? [StyledLine.span(`  ${state.message.text}`, "muted")] : [])
  ]
}

/** The names of the prompts. */
export const promptNames: Readonly<Record<State.Prompt["purpose"], string>> = {
  filter: " filter: ",
  find: " find: ",
  search: " search code here: ",
  searchAll: " search all code: ",
  revision: " branch, tag or commit: "
}
