import type { WaitReason } from "./Budget.ts"
import type { RequestClass } from "./RequestClass.ts"

/** A request for the scheduler. */
export interface ScheduledRequest extends RequestClass {
  /** Rate-limit scope: one credential on one host. */
  readonly scope: string
  /** Latest time to send the request, in local epoch milliseconds. */
  readonly deadline?: number
  /**
   * Longest wait in milliseconds for a limit to lift. A request fails as soon as a longer wait is certain. Does not
   * limit the time in the queue while earlier requests are being sent.
   */
  readonly maxWait?: number
  /** Called after a wait for the budget, with the last reason of the wait. */
  readonly onWait?: (reason: WaitReason) => void
  /**
   * Called during a wait that is known to last longer than `LongWaits.LONG_WAIT`, or has. `until` is in local epoch milliseconds,
   * undefined if unknown.
   */
  readonly onLongWait?: ((reason: WaitReason, until: number | undefined) => void) | undefined
  /**
   * Returns the milliseconds that the forge took for the last request, as closely as the sender can measure: without
   * waits, bodies, and time in which this process was busy.
   */
  readonly latency?: (() => number) | undefined
}

/**
 * Returns true if a limit that lifts at `until` exceeds the maximum wait of a request. Both times by the same clock.
 */
export const exceedsMaxWait = ({ maxWait = Infinity }: ScheduledRequest, until: number, now: number): boolean =>
  until - now > maxWait
