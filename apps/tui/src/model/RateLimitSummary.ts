/** Summarizes the rate limits of the credential in the status line: remaining requests, and why requests wait. */
import type { BudgetStatus, WaitingRequests } from "@tongs/core/limits/BudgetStatus"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { timeOfDay } from "./FailureMessage.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line, Span } from "../text/StyledLine.ts"

/** Fraction of remaining requests in a rate-limit window below which the summary is a warning. */
const LOW = 0.1

/** Summarizes a rate-limit scope: remaining requests per window, and the number of requests in flight and waiting. */
export const summary = (statuses: ReadonlyArray<BudgetStatus>, scope: string): Line => {
  const status = statuses.find((status) => status.scope === scope)
  if (status === undefined) return [StyledLine.span("no requests yet", "muted")]
  return [...windows(status), ...requests(status)]
}

/** Returns why requests of a rate-limit scope wait, and until when; undefined if no request waits. */
export const waitReason = (statuses: ReadonlyArray<BudgetStatus>, scope: string): string | undefined => {
  const status = statuses.find((status) => status.scope === scope)
  const first = status?.waiting[0]
  if (status === undefined || first === undefined) return undefined
  const until = first.until ?? status.pausedUntil
  return `${reason(first)}${until === undefined ? "" : `, until ${timeOfDay(until)}`}`
}

const windows = (status: BudgetStatus): ReadonlyArray<Span> => {
  if (status.limits === "none") return [StyledLine.span("no limits", "muted")]
  if (status.limits === "silent") return [StyledLine.span("limits not reported", "muted")]
  if (status.windows.length === 0) return [StyledLine.span("limits unknown", "muted")]
  return status.windows.flatMap((window, index) => [
    ...(index === 0 ? [] : [StyledLine.span(" · ", "muted")]),
    StyledLine.span(`${window.resource} `, "muted"),
    StyledLine.span(
      `${NumberFormat.format(window.remaining)}/${NumberFormat.format(window.limit)}`,
      window.remaining < window.limit * LOW ? "warning" : "plain"
    ),
    StyledLine.span(` resets ${timeOfDay(window.reset)}`, "muted")
  ])
}

const requests = (status: BudgetStatus): ReadonlyArray<Span> => {
  const waiting = status.waiting.reduce((sum, { count }) => sum + count, 0)
  return [
    ...(status.inFlight > 0 ? [StyledLine.span(` · ${status.inFlight} in flight`, "muted")] : []),
    ...(waiting > 0 ? [StyledLine.span(` · ${waiting} waiting`, "warning")] : [])
  ]
}

const reason = (waiting: WaitingRequests): string => {
  switch (waiting.reason) {
    case "primary":
      return `the ${waiting.resource} rate limit is used up`
    case "reserve":
      return `the rest of the ${waiting.resource} rate limit is reserved for interactive requests`
    case "points":
      return "the limit of this endpoint per minute is used up"
    case "content":
      return "the limit for creating content is used up"
    case "tokens":
      return "the hourly limit for access tokens is used up"
    case "cpu":
      return "the limit for CPU time on the forge is used up"
    case "pause":
      return "the forge asked for a pause"
    case "probe":
      return "one request is testing whether the pause is over"
    case "concurrency":
      return "the maximum number of concurrent requests is in flight"
    case undefined:
      return "it is next in the queue"
  }
}
