import type { WaitReason } from "./Budget.ts"
import type { RequestClass } from "./RequestClass.ts"

/** A request for the scheduler. */
export interface ScheduledRequest extends RequestClass {
  /** Rate-limit scope: one credential on one host. */
  readonly scope: string
  /** Latest time to send the request, in local epoch milliseconds. */
  readonly deadline?: number
  /** Called after a wait for the budget, with the last reason of the wait. */
  readonly onWait?: (reason: WaitReason) => void
  /**
   * Returns the milliseconds that the forge took for the last request, as closely as the sender can measure: without
   * waits, bodies, and time in which this process was busy.
   */
  readonly latency?: (() => number) | undefined
}
