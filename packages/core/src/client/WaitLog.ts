/** Logs long waits for the rate-limit budget, so that no program hangs in silence. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { WaitReason } from "../limits/Budget.ts"
import { MINUTE } from "../limits/Limits.ts"

/** A wait for the rate-limit budget. */
export interface Wait {
  /**
   * The limit: `primary` (the window of a resource), `reserve` (the last tenth of a window, kept for requests of higher
   * priority), `points`, `content`, `tokens` or `cpu` (secondary limits), `pause` or `probe` (the forge refused a
   * request), or `concurrency`.
   */
  readonly reason: WaitReason
  /** End of the wait in epoch milliseconds of the local clock, undefined if unknown. */
  readonly until: number | undefined
  /** The route of the waiting request, for example `GET /repos/:owner/:repo`. */
  readonly request: string
  /** The rate limit resource that counts the request, for example `core`. */
  readonly resource: string
}

const causes: Readonly<Record<WaitReason, (resource: string) => string>> = {
  primary: (resource) => `the ${resource} rate limit is used up`,
  reserve: (resource) => `the rest of the ${resource} rate limit is kept for requests of higher priority`,
  points: () => "the limit of points per minute",
  content: () => "the limit of new content",
  tokens: () => "the limit of new tokens per hour",
  cpu: () => "the limit of the forge's CPU time per minute",
  pause: () => "the forge refused a request and asked for a pause",
  probe: () => "a request tests whether the forge accepts requests again",
  concurrency: () => "the limit of concurrent requests"
}

/** Returns a sentence about a wait, without a final period. */
export const describe = ({ reason, request, resource, until }: Wait): string => {
  const end = until === undefined ? "" : ` until ${new Date(until).toISOString().replace(/\.\d+/, "")}`
  return `${request} waits${end}: ${causes[reason](resource)}`
}

/**
 * Creates a function that logs waits as warnings, with the loggers of the context, of which the default one prints to
 * stderr. Of many waits for one reason, one per minute is logged.
 */
export const make = (): ((wait: Wait, context: Context.Context<never>, now: number) => void) => {
  const loggedAt = new Map<WaitReason, number>()
  return (wait, context, now) => {
    if (now - (loggedAt.get(wait.reason) ?? -Infinity) < MINUTE) return
    loggedAt.set(wait.reason, now)
    // Programs print data to stdout, which a notice must not interrupt.
    Effect.runSyncWith(context)(Effect.provideService(Effect.logWarning(describe(wait)), Logger.LogToStderr, true))
  }
}
