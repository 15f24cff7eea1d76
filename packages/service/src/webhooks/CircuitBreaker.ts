/**
 * The circuit breaker of a webhook: how often, and how many at a time, its receiver is sent to, by how it answered
 * before. It is stored with the hook, so processes share it and it survives a restart.
 *
 * **Details**
 *
 * After `maxFailures` attempts in a row without an answer the breaker opens: deliveries wait in the outbox until
 * `retry_at`, then one of them is the probe. No answer doubles the wait, up to `maxDelayMillis`; any answer closes the
 * breaker. A ping or a redelivery does not wait, since a person asked for it.
 */

/** Attempts in a row without an answer, after which the breaker opens. */
export const maxFailures = 3

/** Milliseconds from the failure that opens the breaker to the first probe, and from any failed probe at most. */
const minDelayMillis = 30_000
const maxDelayMillis = 10 * 60_000

/** Milliseconds after which an answer counts as slow. */
const slowMillis = 2_000

/** Deliveries that one hook sends at a time: after a prompt answer, and after a slow one, none, or before the first. */
export const maxPrompt = 4
export const maxOther = 1

/** The breaker's columns in the table of hooks. */
export interface BreakerState {
  /** Attempts in a row without an answer. */
  readonly failures: number
  /** 1 if the last answer was slow or missing. */
  readonly is_slow: number
  /** When an open breaker lets the next delivery through, in epoch milliseconds, or 0 if it is closed. */
  readonly retry_at: number
  /** When the breaker last closed, in epoch milliseconds, or 0. */
  readonly recovered_at: number
}

/** The state of a hook whose settings have changed: its receiver may be another. */
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

/** What the record of a delivery says of the breaker, after its own status. */
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
