import type { WaitReason } from "./Budget.ts"
import type { RequestClass } from "./RequestClass.ts"

/** What a request asks of the scheduler. */
export interface ScheduledRequest extends RequestClass {
  /** One credential on one host. */
  readonly scope: string
  /** Local epoch milliseconds by which it must have left. */
  readonly deadline?: number
  /** Hears why it has waited, after it has. */
  readonly onWait?: (reason: WaitReason) => void
  /**
   * Milliseconds that the forge took for what was sent last, as closely as the sender knows: without waits, bodies, and the
   * time in which this process itself was busy.
   */
  readonly latency?: (() => number) | undefined
}
