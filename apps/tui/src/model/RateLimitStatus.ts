/** The budget of the credential in one line: what is left, what is under way, and why a request waits. */
import type { ScopeStatus, WaitingRequests } from "@tongs/core/limits/ScopeStatus"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as StyledLine from "./StyledLine.ts"
import { time } from "./FailureMessage.ts"

/** The share of a window below which it is shown as a warning. */
const LOW = 0.1

export const summary = (views: ReadonlyArray<ScopeStatus>, scope: string): StyledLine.Line => {
  const view = views.find((view) => view.scope === scope)
  const spans = view === undefined ? [StyledLine.span("no requests yet", "muted")] : [...state(view), ...traffic(view)]
  return spans
}

/** Why the requests of the scope wait, where some do. */
export const waitReason = (views: ReadonlyArray<ScopeStatus>, scope: string): string | undefined => {
  const view = views.find((view) => view.scope === scope)
  const first = view?.waiting[0]
  if (view === undefined || first === undefined) return undefined
  const until = first.until ?? view.pausedUntil
  return `${reason(first)}${until === undefined ? "" : `, until ${time(until)}`}`
}

const state = (view: ScopeStatus): ReadonlyArray<StyledLine.Span> => {
  if (view.limits === "none") return [StyledLine.span("no limits", "muted")]
  if (view.limits === "silent") return [StyledLine.span("no limits told", "muted")]
  if (view.windows.length === 0) return [StyledLine.span("limits not known yet", "muted")]
  return view.windows.flatMap((window, index) => [
    ...(index === 0 ? [] : [StyledLine.span(" · ", "muted")]),
    StyledLine.span(`${window.resource} `, "muted"),
    StyledLine.span(
      `${NumberFormat.format(window.remaining)}/${NumberFormat.format(window.limit)}`,
      window.remaining < window.limit * LOW ? "warning" : "plain"
    ),
    StyledLine.span(` resets ${time(window.reset)}`, "muted")
  ])
}

const traffic = (view: ScopeStatus): ReadonlyArray<StyledLine.Span> => {
  const waiting = view.waiting.reduce((sum, { count }) => sum + count, 0)
  return [
    ...(view.inFlight > 0 ? [StyledLine.span(` · ${view.inFlight} in flight`, "muted")] : []),
    ...(waiting > 0 ? [StyledLine.span(` · ${waiting} waiting`, "warning")] : [])
  ]
}

const reason = (waiting: WaitingRequests): string => {
  switch (waiting.reason) {
    case "primary":
      return `the ${waiting.resource} budget is used up`
    case "reserve":
      return `the rest of the ${waiting.resource} budget is kept for people`
    case "points":
      return "this endpoint's minute is used up"
    case "content":
      return "as much was written as the forge allows for now"
    case "tokens":
      return "as many access tokens were asked for as the forge allows in an hour"
    case "cpu":
      return "the forge has computed for a minute as long as it does"
    case "pause":
      return "the forge asked for a pause"
    case "probe":
      return "one request is trying whether the pause is over"
    case "concurrency":
      return "as many requests as allowed are under way"
    case undefined:
      return "it is next in the queue"
  }
}
