import type { WaitReason } from "./Budget.ts"
import type { RequestClass } from "./RequestClass.ts"

/** A request for the scheduler. */
export interface ScheduledRequest extends RequestClass {
  /** One credential on one host. */
  readonly scope: string
  /** Latest time to send the request, in local epoch milliseconds. */
  readonly deadline?: number
  /** Called after a wait, with its last reason. */
  readonly onWait?: (reason: WaitReason) => void
  /**
   * Milliseconds that the forge took for the last request, as closely as the sender can measure: without waits, bodies, and
   * the time in which this process was busy.
   */
  readonly latency?: (() => number) | undefined
}
