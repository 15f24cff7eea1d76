/** What a person is shown of a scope: its budgets, who holds what, and who waits for what. */
import { type Budget, type Priority, type Reason, inFlight } from "./Budget.ts"
import * as Claim from "./Claim.ts"
import * as Meter from "./Meter.ts"
import type { Queue } from "./Queue.ts"
import * as Window from "./Window.ts"

/** Times are local epoch milliseconds. */
export interface ScopeView {
  readonly scope: string
  /** `none`: the forge keeps no limits; `silent`: it has answered without telling any; `unknown`: no answer yet. */
  readonly limits: Budget["limits"]
  readonly windows: ReadonlyArray<WindowView>
  /** The limits that no header tells of, as counted here; the fullest first. */
  readonly meters: ReadonlyArray<MeterView>
  /** In all processes that share the budget. */
  readonly inFlight: number
  /** Requests of this process. */
  readonly waiting: ReadonlyArray<WaitingView>
  /** The processes that share the budget and are at work, this one among them; none where nobody else can. */
  readonly holders: ReadonlyArray<HolderView>
  readonly pausedUntil: number | undefined
}

export interface WindowView {
  readonly resource: string
  readonly limit: number
  readonly used: number
  readonly remaining: number
  readonly reset: number
}

export interface MeterView {
  /** An endpoint, whose points it counts, or what else is counted: `content an hour`. */
  readonly name: string
  readonly limit: number
  readonly used: number
  /** When nothing of it counts any more. */
  readonly until: number
}

/** Requests that wait alike. */
export interface WaitingView {
  readonly resource: string
  readonly endpoint: string
  readonly priority: Priority
  readonly count: number
  readonly reason: Reason | undefined
  /** Missing where only another request's answer can tell. */
  readonly until: number | undefined
}

/** A process that has requests in flight, or some that wait. */
export interface HolderView {
  /** What runs in it, as `tongs mcp`. */
  readonly name: string
  readonly pid: number
  readonly host: string
  readonly isThis: boolean
  readonly inFlight: number
  readonly waiting: ReadonlyArray<WaitingView>
}

/** `now` and the budget's times are by the store's clock, which is so far ahead of ours. */
export const make = (
  scope: string,
  budget: Budget,
  queue: Queue | undefined,
  holders: ReadonlyArray<HolderView>,
  now: number,
  ahead: number
): ScopeView => ({
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
            reset: Window.resetAt(window, budget.skew) - ahead
          }
        ]
  ),
  meters: [...budget.meters]
    .map(([name, meter]) => {
      const { limit, span } = Claim.rule(name)
      const used = Meter.used(meter, span, now)
      return { name, limit, used, until: Meter.settles(meter, span, now, 0) - ahead }
    })
    .filter(({ used }) => used > 0)
    .sort((one, other) => other.used / other.limit - one.used / one.limit),
  inFlight: inFlight(budget),
  waiting: localWaits(waits(queue), ahead),
  holders: holders.map((holder) => ({ ...holder, waiting: localWaits(holder.waiting, ahead) })),
  pausedUntil: budget.pause === undefined ? undefined : budget.pause.until - ahead
})

/** Who waits in a queue; times by the store's clock. */
export const waits = (queue: Queue | undefined): ReadonlyArray<WaitingView> =>
  (queue?.lanes ?? []).map(({ ask, wait, waiters }) => ({
    resource: ask.resource,
    endpoint: ask.endpoint,
    priority: ask.priority,
    count: waiters.size,
    reason: wait?.reason,
    until: wait?.until
  }))

const localWaits = (waiting: ReadonlyArray<WaitingView>, ahead: number): ReadonlyArray<WaitingView> =>
  ahead === 0
    ? waiting
    : waiting.map((one) => ({ ...one, until: one.until === undefined ? undefined : one.until - ahead }))
