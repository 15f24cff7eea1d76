/** Summarizes the rate limits of the credential in the status line: remaining requests, and why requests wait. */
import type { BudgetStatus } from "@tongs/core/limits/BudgetStatus"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RateLimits from "../screens/limits/RateLimits.ts"
import { timeOfDay } from "./FailureMessage.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line, Span } from "../text/StyledLine.ts"

/** The rate limits of the credential, for the status line. */
export interface RateLimitView {
  readonly status: BudgetStatus | undefined
  /** Why requests wait, and until when; undefined without waiting requests. */
  readonly waitReason: string | undefined
}

/** Number of characters of the bar that shows the remaining requests. */
const BAR_WIDTH = 6

/** Returns the rate limits of a scope. */
export const of = (statuses: ReadonlyArray<BudgetStatus>, scope: string): RateLimitView => {
  const status = statuses.find((status) => status.scope === scope)
  return { status, waitReason: status === undefined ? undefined : waitReasonOf(status) }
}

/** Formats the fullest rate limit as a bar with the time to the reset, and the requests in flight and waiting. */
export const line = ({ status }: RateLimitView, now: number, columns = 80): Line =>
  status === undefined
    ? [StyledLine.span("no requests yet", "muted")]
    : [...windows(status, now, columns < NARROW), ...requests(status)]

/** Width of the screen in columns below which the summary is only the bar and the time to the reset. */
const NARROW = 60

const waitReasonOf = (status: BudgetStatus): string | undefined => {
  const [first] = status.waiting
  if (first === undefined) return undefined
  const until = first.until ?? status.pausedUntil
  return `${RateLimits.waitReason(first)}${until === undefined ? "" : `, until ${timeOfDay(until)}`}`
}

const windows = (status: BudgetStatus, now: number, isNarrow: boolean): ReadonlyArray<Span> => {
  if (status.limits === "none") return [StyledLine.span("no limits", "muted")]
  if (status.limits === "silent") return [StyledLine.span("limits not reported", "muted")]
  const [window] = status.windows.toSorted(
    (a, b) => RateLimits.remainingShare(a, now) - RateLimits.remainingShare(b, now)
  )
  if (window === undefined) return [StyledLine.span("limits unknown", "muted")]
  const share = RateLimits.remainingShare(window, now)
  const filled = Math.round(share * BAR_WIDTH)
  const role = share < RateLimits.LOW ? "warning" : "plain"
  return [
    ...(isNarrow ? [] : [StyledLine.span(`${window.resource} `, "muted")]),
    StyledLine.span("█".repeat(filled), share < RateLimits.LOW ? "warning" : "accent"),
    StyledLine.span("░".repeat(BAR_WIDTH - filled), "muted"),
    ...(isNarrow
      ? []
      : [
          StyledLine.span(` ${NumberFormat.format(window.remaining)}`, role),
          StyledLine.span(`/${NumberFormat.format(window.limit)}`, "muted")
        ]),
    StyledLine.span(` ${untilReset(window.reset, now)}`, "muted")
  ]
}

/**
 * Milliseconds before a reset from which the minutes are counted. Before, the time of the reset is shown, which does
 * not change.
 */
const SOON = 10 * 60_000

/** Milliseconds before a reset from which the time of day needs no date. */
const TODAY = 2 * 3_600_000

const untilReset = (reset: number, now: number): string => {
  const left = reset - now
  if (left <= 0) return "resets now"
  if (left <= SOON) return `${Math.ceil(left / 60_000)}m`
  return left < TODAY ? `until ${timeOfDay(reset)}` : `${Math.ceil(left / 3_600_000)}h`
}

const requests = (status: BudgetStatus): ReadonlyArray<Span> => {
  // Requests in advance may wait for the next window, long after the user left their screen. The limits list them.
  const wanted = status.waiting.filter(({ priority }) => priority !== "background")
  const waiting = wanted.reduce((sum, { count }) => sum + count, 0)
  return waiting > 0 ? [StyledLine.span(` · ${waiting} waiting`, "warning")] : []
}
