/**
 * The circuit breaker of a webhook limits the rate and concurrency of deliveries, depending on previous responses. The
 * database stores the state with the webhook, so that processes share the state and a restart keeps it.
 *
 * **Details**
 *
 * After `MAX_FAILURES` consecutive attempts without a response the breaker opens: deliveries wait in the outbox until
 * `retry_at`, then the next delivery is the probe. A failed probe doubles the wait, up to `MAX_DELAY_MILLIS`; any
 * response closes the breaker. Pings and redeliveries do not wait, because a user requested them.
 */

/** Number of consecutive attempts without a response after which the breaker opens. */
export const MAX_FAILURES = 3

/** Milliseconds from the opening of the breaker to the first probe. */
const MIN_DELAY_MILLIS = 30_000

/** Maximum milliseconds between probes. */
export const MAX_DELAY_MILLIS = 10 * 60_000

/** Milliseconds after which a response counts as slow. */
const SLOW_MILLIS = 2_000

/** Maximum number of concurrent deliveries of a webhook: `MAX_FAST` after a fast response, otherwise `MAX_OTHER`. */
export const MAX_FAST = 4
export const MAX_OTHER = 1

/** The state of a circuit breaker, as columns of the table of webhooks. */
export interface BreakerState {
  /** Number of consecutive attempts without a response. */
  readonly failures: number
  /** 1 if the last response was slow or missing. */
  readonly is_slow: number
  /** Time of the next attempt of an open breaker, in epoch milliseconds; 0 for a closed breaker. */
  readonly retry_at: number
  /** Time when the breaker last closed, in epoch milliseconds; 0 for a breaker that was never open. */
  readonly recovered_at: number
}

/**
 * Initial state of a breaker. A change of the webhook's settings restores this state, because the receiver may have
 * changed.
 */
export const closed: BreakerState = { failures: 0, is_slow: 0, retry_at: 0, recovered_at: 0 }

/** Returns the state after an attempt that ended `now`. */
export const next = (
  before: BreakerState,
  { duration, isAnswered, now }: { readonly duration: number; readonly isAnswered: boolean; readonly now: number }
): BreakerState => {
  if (isAnswered) {
    const recovered_at = before.failures >= MAX_FAILURES ? now : before.recovered_at
    return { ...closed, is_slow: duration * 1_000 >= SLOW_MILLIS ? 1 : 0, recovered_at }
  }
  const failures = before.failures + 1
  const delay = Math.min(MAX_DELAY_MILLIS, MIN_DELAY_MILLIS * 2 ** Math.min(failures - MAX_FAILURES, 16))
  const retry_at = failures < MAX_FAILURES ? 0 : now + delay
  return { failures, is_slow: 1, retry_at, recovered_at: before.recovered_at }
}

/** Returns the text about delays by the breaker that follows the status in the log of deliveries. */
export const delayNote = (
  before: BreakerState,
  after: BreakerState,
  { createdAt, now, startedAt }: { readonly createdAt: number; readonly startedAt: number; readonly now: number }
): string => {
  const seconds = (millis: number) => `${Math.round(millis / 1_000)} seconds`
  const isDelayed = before.failures >= MAX_FAILURES || createdAt < before.recovered_at
  const waited = startedAt - createdAt
  return [
    ...(isDelayed && waited >= 1_000 ? [`, delayed by ${seconds(waited)} because the receiver had not answered`] : []),
    ...(after.retry_at > 0
      ? [`, ${after.failures} failures in a row: the next attempt is in ${seconds(after.retry_at - now)}`]
      : [])
  ].join("")
}
