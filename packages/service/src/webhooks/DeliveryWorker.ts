/**
 * Sends the deliveries of the outbox while the process runs. Several processes can share the outbox: a lease lasts
 * longer than an attempt, so no two processes send the same delivery at once. After a kill, another process repeats the
 * deliveries when the leases end. The GUIDs stay the same, so that receivers can detect duplicates.
 *
 * A process that was stopped sends nothing and records nothing with a lease that has ended. If it was stopped while it
 * waited for the response, the receiver gets the delivery a second time, and the log has the second outcome.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import { type LeasedDelivery, DeliveryRows } from "./DeliveryRows.ts"
import { type DeliveryOptions, send, TIME_LIMIT } from "./DeliverySender.ts"
import { Outbox } from "./Outbox.ts"
import { SecretSealer } from "./SecretSealer.ts"

/** Maximum number of concurrent deliveries: in total, and to slow or unresponsive receivers. */
const CONCURRENCY = 16
const MAX_SLOW = 4

/** Duration of a lease in milliseconds: longer than sending a delivery and recording the outcome. */
const LEASE_MILLIS = TIME_LIMIT + 2000

/** Interval of checks for deliveries that other processes queued. */
const POLL_INTERVAL = "1 second"

/** Age in milliseconds at which deliveries are deleted from the log, and interval of the deletion. */
const KEPT_MILLIS = 30 * 24 * 60 * 60 * 1000
const FORGET_INTERVAL = "1 hour"

interface WorkerOptions extends DeliveryOptions {
  /** Runs whenever no delivery is due, before the worker waits. */
  readonly whenIdle: Effect.Effect<void>
  /**
   * Sends the next delivery of a webhook after the response to the one before, as processes of a cluster do: a delivery
   * that is repeated after the death of its process would otherwise arrive long after later ones.
   */
  readonly inOrder?: boolean | undefined
}

/** Layer that runs the worker. */
export const layer = (options: WorkerOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const deliveries = yield* DeliveryRows
      const outbox = yield* Outbox
      const secrets = yield* SecretSealer
      const slots = yield* Semaphore.make(CONCURRENCY)
      const scope = yield* Effect.scope
      let slow = 0

      /** Sends a delivery and records the outcome. An interruption while sending releases the lease. */
      const deliver = (claimed: LeasedDelivery) =>
        Effect.uninterruptibleMask((restore) =>
          restore(send(claimed, secrets, options)).pipe(
            Effect.onInterrupt(() => deliveries.release(claimed)),
            Effect.flatMap((outcome) =>
              outcome === undefined
                ? Effect.as(deliveries.release(claimed), false)
                : deliveries.settle(claimed, outcome)
            ),
            Effect.flatMap((isSettled) =>
              isSettled
                ? Effect.void
                : Effect.logWarning(`delivery ${claimed.delivery.guid} took longer than its lease, and is sent again`)
            )
          )
        ).pipe(Effect.catchCause((cause) => Effect.logError(`delivery ${claimed.delivery.guid} failed`, cause)))

      const wait = Effect.timeoutOption(outbox.ready.await, POLL_INTERVAL)

      const step = Effect.gen(function* () {
        // Closes the latch before the query, so that a message queued meanwhile opens the latch again.
        yield* outbox.ready.close
        yield* slots.take(1)
        const claimed = yield* deliveries
          .claim(LEASE_MILLIS, { allowSlow: slow < MAX_SLOW, inOrder: options.inOrder })
          .pipe(Effect.onError(() => slots.release(1)))
        if (claimed === undefined) {
          yield* slots.release(1)
          yield* options.whenIdle
          return yield* wait
        }
        const { is_slow } = claimed.hook
        slow += is_slow
        // Wakes the worker: further deliveries of this webhook, or of other slow webhooks, may be waiting for this
        // delivery.
        const done = Effect.suspend(() => {
          slow -= is_slow
          return Effect.andThen(slots.release(1), outbox.ready.open)
        })
        yield* Effect.forkIn(Effect.ensuring(deliver(claimed), done), scope)
      })

      const run = step.pipe(
        // Continues after an error, for example of a locked database or a full disk.
        Effect.catchCause((cause) =>
          Effect.andThen(Effect.logError("webhooks: looking for deliveries failed", cause), Effect.sleep(POLL_INTERVAL))
        ),
        Effect.forever
      )

      const forget = Effect.andThen(
        deliveries.giveUp,
        Effect.flatMap(Clock.currentTimeMillis, (now) => deliveries.forget(now - KEPT_MILLIS))
      )
      yield* forget
      const forgetLater = Effect.catchCause(forget, (cause) => Effect.logWarning("old deliveries were kept", cause))
      yield* Effect.forkScoped(Effect.schedule(forgetLater, Schedule.spaced(FORGET_INTERVAL)))
      yield* Effect.forkScoped(run)
    })
  )
