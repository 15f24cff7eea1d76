/** What a person is shown of a scope: its budgets, who holds what, and who waits for what. */
import { type Budget, type WaitReason, inFlight } from "./Budget.ts"
import * as MeterCharge from "./MeterCharge.ts"
import type { Queue } from "./Queue.ts"
import type { Priority } from "./RequestClass.ts"
import * as RateLimitWindow from "./RateLimitWindow.ts"
import * as SlidingWindowCounter from "./SlidingWindowCounter.ts"

/** Times are local epoch milliseconds. */
export interface ScopeStatus {
  readonly scope: string
  /** `none`: the forge keeps no limits; `silent`: it has answered without telling any; `unknown`: no answer yet. */
  readonly limits: Budget["limits"]
  readonly windows: ReadonlyArray<WindowStatus>
  /** The limits that no header tells of, as counted here; the fullest first. */
  readonly meters: ReadonlyArray<MeterStatus>
  /** In all processes that share the budget. */
  readonly inFlight: number
  /** Requests of this process. */
  readonly waiting: ReadonlyArray<WaitingRequests>
  /** The processes that share the budget and are at work, this one among them; none where nobody else can. */
  readonly holders: ReadonlyArray<HolderStatus>
  readonly pausedUntil: number | undefined
}

export interface WindowStatus {
  readonly resource: string
  readonly limit: number
  readonly used: number
  readonly remaining: number
  readonly reset: number
}

export interface MeterStatus {
  /** An endpoint, whose points it counts, or what else is counted: `content an hour`. */
  readonly name: string
  readonly limit: number
  readonly used: number
  /** When nothing of it counts any more. */
  readonly until: number
}

/** Requests that wait alike. */
export interface WaitingRequests {
  readonly resource: string
  readonly endpoint: string
  readonly priority: Priority
  readonly count: number
  readonly reason: WaitReason | undefined
  /** Missing where only another request's answer can tell. */
  readonly until: number | undefined
}

/** A process that has requests in flight, or some that wait. */
export interface HolderStatus {
  /** What runs in it, as `tongs mcp`. */
  readonly name: string
  readonly pid: number
  readonly host: string
  readonly isThis: boolean
  readonly inFlight: number
  readonly waiting: ReadonlyArray<WaitingRequests>
}

/** `now` and the budget's times are by the store's clock, which is so far ahead of ours. */
export const make = (
  scope: string,
  budget: Budget,
  queue: Queue | undefined,
  holders: ReadonlyArray<HolderStatus>,
  now: number,
  clockOffset: number
): ScopeStatus => ({
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
      const { limit, span } = MeterCharge.limitOf(name)
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

/** Who waits in a queue; times by the store's clock. */
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
