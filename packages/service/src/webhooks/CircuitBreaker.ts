/**
 * The circuit breaker of a webhook limits the rate and concurrency of deliveries by the previous responses. It is
 * stored with the hook, so processes share it and it survives a restart.
 *
 * **Details**
 *
 * After `maxFailures` consecutive attempts without a response the breaker opens: deliveries wait in the outbox until
 * `retry_at`, then one of them is the probe. A failed probe doubles the wait, up to `maxDelayMillis`; any response
 * closes the breaker. Pings and redeliveries do not wait, because a user requested them.
 */

/** Consecutive attempts without a response that open the breaker. */
export const maxFailures = 3

/** Milliseconds from opening the breaker to the first probe, and the maximum between probes. */
const minDelayMillis = 30_000
const maxDelayMillis = 10 * 60_000

/** Milliseconds after which a response counts as slow. */
const slowMillis = 2_000

/** Concurrent deliveries of one hook: after a prompt response; and after a slow one, none, or before the first. */
export const maxPrompt = 4
export const maxOther = 1

/** The breaker's columns in the table of hooks. */
export interface BreakerState {
  /** Consecutive attempts without a response. */
  readonly failures: number
  /** 1 if the last response was slow or missing. */
  readonly is_slow: number
  /** Time of the next delivery of an open breaker, in epoch milliseconds; 0 if closed. */
  readonly retry_at: number
  /** Time when the breaker last closed, in epoch milliseconds, or 0. */
  readonly recovered_at: number
}

/** The initial state, also after a change of the hook's settings, which may have changed its receiver. */
export const closed: BreakerState = { failures: 0, is_slow: 0, retry_at: 0, recovered_at: 0 }

/** The state after an attempt that ended `now`. */
export const next = (
  before: BreakerState,
  { duration, isAnswered, now }: { readonly duration: number; readonly isAnswered: boolean; readonly now: number }
): BreakerState => {
  if (isAnswered) {
    const recovered_at = before.failures >= maxFailures ? now : before.recovered_at
    return { ...closed, is_slow: duration * 1_000 >= slowMillis ? 1 : 0, recovered_at }
  }
  const failures = before.failures + 1
  const delay = Math.min(maxDelayMillis, minDelayMillis * 2 ** Math.min(failures - maxFailures, 16))
  const retry_at = failures < maxFailures ? 0 : now + delay
  return { failures, is_slow: 1, retry_at, recovered_at: before.recovered_at }
}

/** The note about the breaker that follows the status in the record of a delivery. */
export const delayNote = (
  before: BreakerState,
  after: BreakerState,
  { createdAt, now, startedAt }: { readonly createdAt: number; readonly startedAt: number; readonly now: number }
): string => {
  const seconds = (millis: number) => `${Math.round(millis / 1_000)} seconds`
  const isDelayed = before.failures >= maxFailures || createdAt < before.recovered_at
  const waited = startedAt - createdAt
  return [
    ...(isDelayed && waited >= 1_000 ? [`, delayed by ${seconds(waited)} because the receiver had not answered`] : []),
    ...(after.retry_at > 0
      ? [`, ${after.failures} failures in a row: the next attempt is in ${seconds(after.retry_at - now)}`]
      : [])
  ].join("")
}
