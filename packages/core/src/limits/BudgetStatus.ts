/** The status of a rate-limit scope for display: limits, requests in flight and waiting requests. */
import { type Budget, type WaitReason, inFlight } from "./Budget.ts"
import * as RateLimitCost from "./RateLimitCost.ts"
import type { Queue } from "./Queue.ts"
import * as RateLimitWindow from "./RateLimitWindow.ts"
import type { Priority } from "./RequestClass.ts"
import * as SlidingWindowCounter from "./SlidingWindowCounter.ts"

/** The status of a rate-limit scope. Times are local epoch milliseconds. */
export interface BudgetStatus {
  readonly scope: string
  /** `none`: the forge has no limits. `silent`: responses do not mention limits. `unknown`: no response yet. */
  readonly limits: Budget["limits"]
  readonly windows: ReadonlyArray<WindowStatus>
  /** Counters of the limits that no header reports, the fullest first. */
  readonly meters: ReadonlyArray<CounterStatus>
  /** Requests in flight in all processes that share the budget. */
  readonly inFlight: number
  /** Waiting requests of this process. */
  readonly waiting: ReadonlyArray<WaitingRequests>
  /** Active processes that share the budget, including this process. Empty for a budget in memory. */
  readonly holders: ReadonlyArray<HolderStatus>
  readonly pausedUntil: number | undefined
}

/** The status of the primary window of a resource. */
export interface WindowStatus {
  readonly resource: string
  readonly limit: number
  readonly used: number
  readonly remaining: number
  readonly reset: number
}

/** The status of a counter for a limit that no header reports. */
export interface CounterStatus {
  /** Name of the limit, for example `content an hour`, or the endpoint whose points are counted. */
  readonly name: string
  readonly limit: number
  readonly used: number
  /** Time at which the counter will be empty. */
  readonly until: number
}

/** Waiting requests of one class. */
export interface WaitingRequests {
  readonly resource: string
  readonly endpoint: string
  readonly priority: Priority
  readonly count: number
  readonly reason: WaitReason | undefined
  /** End of the wait; undefined if the wait ends with the response to another request. */
  readonly until: number | undefined
}

/** A process with requests in flight or waiting. */
export interface HolderStatus {
  /** Command of the process, for example `tongs mcp`. */
  readonly name: string
  readonly pid: number
  readonly host: string
  readonly isThis: boolean
  readonly inFlight: number
  readonly waiting: ReadonlyArray<WaitingRequests>
}

/**
 * Creates the status of a rate-limit scope. `now` and the budget are by the clock of the store, which is `clockOffset`
 * ahead of the local clock.
 */
export const make = (
  scope: string,
  budget: Budget,
  queue: Queue | undefined,
  holders: ReadonlyArray<HolderStatus>,
  now: number,
  clockOffset: number
): BudgetStatus => ({
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
            reset: RateLimitWindow.resetAt(window, budget.skew) - clockOffset
          }
        ]
  ),
  meters: [...budget.meters]
    .map(([name, meter]) => {
      const { limit, span } = RateLimitCost.limitOf(name)
      const used = SlidingWindowCounter.used(meter, span, now)
      return { name, limit, used, until: SlidingWindowCounter.availableAt(meter, span, now, 0) - clockOffset }
    })
    .filter(({ used }) => used > 0)
    .sort((one, other) => other.used / other.limit - one.used / one.limit),
  inFlight: inFlight(budget),
  waiting: withLocalTimes(waitingRequests(queue), clockOffset),
  holders: holders.map((holder) => ({ ...holder, waiting: withLocalTimes(holder.waiting, clockOffset) })),
  pausedUntil: budget.pause === undefined ? undefined : budget.pause.until - clockOffset
})

/** Returns the waiting requests of a queue by class. Times are by the clock of the store. */
export const waitingRequests = (queue: Queue | undefined): ReadonlyArray<WaitingRequests> =>
  (queue?.lanes ?? []).map(({ requestClass, wait, waiters }) => ({
    resource: requestClass.resource,
    endpoint: requestClass.endpoint,
    priority: requestClass.priority,
    count: waiters.size,
    reason: wait?.reason,
    until: wait?.until
  }))

const withLocalTimes = (waiting: ReadonlyArray<WaitingRequests>, clockOffset: number): ReadonlyArray<WaitingRequests> =>
  clockOffset === 0
    ? waiting
    : waiting.map((one) => ({ ...one, until: one.until === undefined ? undefined : one.until - clockOffset }))
