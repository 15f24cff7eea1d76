/**
 * Delivers what is in the outbox, for as long as the process runs. Several processes may share an outbox: each delivery
 * is leased to one of them for longer than sending can take, so that none is sent twice at one time; what a process
 * that was killed had taken is sent again when its lease is over, under the same GUID, by which a receiver knows it.
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

/** Deliveries that are sent at one time, and of these, to receivers that were slow or did not answer before. */
const concurrency = 16
const maxSlow = 4

/** Sending and recording take less: the receiver's time and some of ours. */
const leaseMillis = timeLimit + 2000

/** How often is looked for what other processes put in, or left. */
const pollInterval = "1 second"

/** How long records are kept, and how often those go that are older. */
const keptMillis = 30 * 24 * 60 * 60 * 1000
const forgetInterval = "1 hour"

/** `whenIdle` runs each time no delivery is due, before the worker waits for the next one. */
export const layer = (options: DeliveryOptions & { readonly whenIdle: Effect.Effect<void> }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const deliveries = yield* DeliveryRows
      const outbox = yield* Outbox
      const secrets = yield* SecretSealer
      const slots = yield* Semaphore.make(concurrency)
      const scope = yield* Effect.scope
      let slow = 0

      /** Once it was sent it is recorded; before that, an interruption leaves it to others. */
      const deliver = (claimed: LeasedDelivery) =>
        Effect.uninterruptibleMask((restore) =>
          restore(send(claimed, secrets, options)).pipe(
            Effect.onInterrupt(() => deliveries.release(claimed.delivery.id)),
            Effect.flatMap((outcome) => deliveries.settle(claimed, outcome))
          )
        ).pipe(Effect.catchCause((cause) => Effect.logError(`delivery ${claimed.delivery.guid} failed`, cause)))

      const wait = Effect.timeoutOption(outbox.filled.await, pollInterval)

      const step = Effect.gen(function* () {
        // Closed before looking: what is put in meanwhile opens it again.
        yield* outbox.filled.close
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
        // The next delivery of this hook, or of another slow one, may have waited for this one to end.
        const done = Effect.suspend(() => {
          slow -= is_slow
          return Effect.andThen(slots.release(1), outbox.filled.open)
        })
        yield* Effect.forkIn(Effect.ensuring(deliver(claimed.value), done), scope)
      })

      const run = step.pipe(
        // A store that is busy, or full, is no reason to give up.
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
