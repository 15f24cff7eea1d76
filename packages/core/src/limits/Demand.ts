import type { Priority } from "./Budget.ts"

/** What a request asks of the scheduler. */
export interface Demand {
  /** One credential on one host. */
  readonly scope: string
  /** The rate limit resource that counts it, as `core`; `none` costs nothing of any window. */
  readonly resource: string
  /** The route, as `GET /repos/:owner/:repo`: errors name it. */
  readonly endpoint: string
  readonly method: string
  /** Points of the secondary limit, where they are not those of the method. */
  readonly points?: number
  readonly priority: Priority
  /** Local epoch milliseconds by which it must have left. */
  readonly deadline?: number
}
