/** What a person is shown of a scope: its budgets, and who waits for what. */
import type { Budget, Priority, Reason } from "./Budget.ts"
import type { Queue } from "./Queue.ts"
import * as Window from "./Window.ts"

/** Times are local epoch milliseconds. */
export interface ScopeView {
  readonly scope: string
  /** `none`: the forge keeps no limits; `silent`: it has answered without telling any; `unknown`: no answer yet. */
  readonly limits: Budget["limits"]
  readonly windows: ReadonlyArray<WindowView>
  readonly inFlight: number
  readonly waiting: ReadonlyArray<WaitingView>
  readonly pausedUntil: number | undefined
}

export interface WindowView {
  readonly resource: string
  readonly limit: number
  readonly used: number
  readonly remaining: number
  readonly reset: number
}

/** Requests of this process that wait alike. */
export interface WaitingView {
  readonly resource: string
  readonly priority: Priority
  readonly count: number
  readonly reason: Reason | undefined
  /** Missing where only another request's answer can tell. */
  readonly until: number | undefined
}

export const make = (scope: string, budget: Budget, queue: Queue | undefined): ScopeView => ({
  scope,
  limits: budget.limits,
  windows: [...budget.resources].flatMap(([resource, { window }]) =>
    window === undefined
      ? []
      : [
          {
            resource,
            limit: window.limit,
            used: window.used,
            remaining: window.remaining,
            reset: Window.resetAt(window, budget.skew)
          }
        ]
  ),
  inFlight: budget.inFlight,
  waiting: (queue?.lanes ?? []).map((lane) => ({
    resource: lane.resource,
    priority: lane.priority,
    count: lane.waiters.size,
    reason: lane.wait?.reason,
    until: lane.wait?.until
  })),
  pausedUntil: budget.pause?.until
})
