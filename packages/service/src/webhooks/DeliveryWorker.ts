/**
 * Sends the deliveries of the outbox while the process runs. Several processes can share an outbox: a lease lasts longer
 * than an attempt, so no two processes send a delivery at once. If a process is killed, another one sends its deliveries
 * again when the leases end. They keep their GUIDs, so that receivers can detect duplicates.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import { type LeasedDelivery, DeliveryRows } from "./DeliveryRows.ts"
import { type DeliveryOptions, send, timeLimit } from "./DeliverySender.ts"
import { Outbox } from "./Outbox.ts"
import { SecretSealer } from "./SecretSealer.ts"

/** Maximum number of concurrent deliveries, and of those to slow or unresponsive receivers. */
const concurrency = 16
const maxSlow = 4

/** Longer than an attempt and its record take. */
const leaseMillis = timeLimit + 2000

/** How often the worker checks for deliveries of other processes. */
const pollInterval = "1 second"

/** Age at which records are deleted, and the interval of the deletion. */
const keptMillis = 30 * 24 * 60 * 60 * 1000
const forgetInterval = "1 hour"

/** Runs the worker. `whenIdle` runs before the worker waits, each time no delivery is due. */
export const layer = (options: DeliveryOptions & { readonly whenIdle: Effect.Effect<void> }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const deliveries = yield* DeliveryRows
      const outbox = yield* Outbox
      const secrets = yield* SecretSealer
      const slots = yield* Semaphore.make(concurrency)
      const scope = yield* Effect.scope
      let slow = 0

      /** Always records a sent delivery. An interruption before that releases the lease. */
      const deliver = (claimed: LeasedDelivery) =>
        Effect.uninterruptibleMask((restore) =>
          restore(send(claimed, secrets, options)).pipe(
            Effect.onInterrupt(() => deliveries.release(claimed.delivery.id)),
            Effect.flatMap((outcome) => deliveries.settle(claimed, outcome))
          )
        ).pipe(Effect.catchCause((cause) => Effect.logError(`delivery ${claimed.delivery.guid} failed`, cause)))

      const wait = Effect.timeoutOption(outbox.ready.await, pollInterval)

      const step = Effect.gen(function* () {
        // Closed before the query, so that a concurrent `put` opens it again.
        yield* outbox.ready.close
        yield* slots.take(1)
        const claimed = yield* deliveries
          .claim(leaseMillis, { allowSlow: slow < maxSlow })
          .pipe(Effect.onError(() => slots.release(1)))
        if (Option.isNone(claimed)) {
          yield* slots.release(1)
          yield* options.whenIdle
          return yield* wait
        }
        const { is_slow } = claimed.value.hook
        slow += is_slow
        // The next delivery of this hook, or of another slow one, may be waiting for this one.
        const done = Effect.suspend(() => {
          slow -= is_slow
          return Effect.andThen(slots.release(1), outbox.ready.open)
        })
        yield* Effect.forkIn(Effect.ensuring(deliver(claimed.value), done), scope)
      })

      const run = step.pipe(
        // Continues after a busy or full store.
        Effect.catchCause((cause) =>
          Effect.andThen(Effect.logError("webhooks: looking for deliveries failed", cause), Effect.sleep(pollInterval))
        ),
        Effect.forever
      )

      const forget = Effect.andThen(
        deliveries.giveUp,
        Effect.flatMap(Clock.currentTimeMillis, (now) => deliveries.forget(now - keptMillis))
      )
      yield* forget
      const forgetLater = Effect.catchCause(forget, (cause) => Effect.logWarning("old deliveries were kept", cause))
      yield* Effect.forkScoped(Effect.schedule(forgetLater, Schedule.spaced(forgetInterval)))
      yield* Effect.forkScoped(run)
    })
  )
