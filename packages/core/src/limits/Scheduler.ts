/**
 * The rate-limit scheduler: sends a request when the credential's budget has room, and updates the budget by the
 * response.
 *
 * **Details**
 *
 * According to the headers, no request exceeds a limit. If the forge still responds with a rate limit, the whole scope
 * pauses, one request probes, then the others follow. A rejected request did not run and is sent again, whatever the
 * method, a bounded number of times.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import type { RateLimited } from "../contract/Failure.ts"
import * as Budget from "./Budget.ts"
import { BudgetStore } from "./BudgetStore.ts"
import * as BudgetTransitions from "./BudgetTransitions.ts"
import * as Dispatcher from "./Dispatcher.ts"
import * as Limits from "./Limits.ts"
import { exceedsMaxWait, type ScheduledRequest } from "./ScheduledRequest.ts"
import * as ScheduledResponse from "./ScheduledResponse.ts"
import * as BudgetStatus from "./BudgetStatus.ts"

type Send<E, R> = Effect.Effect<HttpClientResponse, E, R>

/** The rate-limit scheduler as a service. */
export class Scheduler extends Context.Service<
  Scheduler,
  {
    /**
     * Sends a request when the budget has room, and returns the response. After a rate limit response, waits and sends
     * again. Fails with `RateLimited` immediately if the deadline cannot be met, and after `MAX_ATTEMPTS` rate limit
     * responses. Interruption returns the request's share of the budget.
     */
    readonly run: <E, R>(request: ScheduledRequest, send: Send<E, R>) => Send<E | RateLimited, R>
    /** The budgets of all rate-limit scopes, and the waiting requests of this process. */
    readonly status: Effect.Effect<ReadonlyArray<BudgetStatus.BudgetStatus>>
    /** The budget of one scope. Includes changes by other processes, even before the first request of this process. */
    readonly statusOf: (scope: string) => Effect.Effect<BudgetStatus.BudgetStatus>
    /** The current `status`, and the status after each change. A slow reader skips some changes. */
    readonly changes: Stream.Stream<ReadonlyArray<BudgetStatus.BudgetStatus>>
    /**
     * Clears the limits of a rate-limit scope: windows, counters and pauses. Waiting requests are then checked again.
     */
    readonly reset: (scope: string) => Effect.Effect<void>
  }
>()("@tongs/core/limits/Scheduler") {
  /** Provides a scheduler for a store of budgets. */
  static readonly layer: Layer.Layer<Scheduler, never, BudgetStore> = Layer.effect(
    Scheduler,
    Effect.suspend(() => make)
  )

  /** Provides a scheduler with separate budgets, for a program that does not share a credential. */
  static readonly layerMemory: Layer.Layer<Scheduler> = Layer.provide(Scheduler.layer, BudgetStore.layerMemory)
}

const make = Effect.gen(function* () {
  const store = yield* BudgetStore
  const scope = yield* Effect.scope
  /** Number of requests of this process in flight, by rate-limit scope. */
  const inFlight = new Map<string, number>()
  const listeners = new Set<() => void>()

  const changed = () => {
    for (const listener of listeners) listener()
  }

  const { acquire, advance, apply, limited, queues, time } = Dispatcher.make(store, scope, changed)

  const count = (key: string, by: 1 | -1) => {
    const next = (inFlight.get(key) ?? 0) + by
    if (next === 0) inFlight.delete(key)
    else inFlight.set(key, next)
  }

  const run = <E, R>(request: ScheduledRequest, send: Send<E, R>): Send<E | RateLimited, R> =>
    Effect.uninterruptibleMask((restore) => attempt(request, restore(ScheduledResponse.receive(send)), restore))

  const attempt = Effect.fnUntraced(function* <E, R>(
    request: ScheduledRequest,
    send: Effect.Effect<ScheduledResponse.ScheduledResponse, E, R>,
    restore: Dispatcher.Restore
  ): Effect.fn.Return<HttpClientResponse, E | RateLimited, R> {
    for (let attempts = 1; ; attempts++) {
      const lease = yield* acquire(request, restore)
      count(request.scope, 1)
      changed()
      // A shared store may have taken some time to return the granted lease.
      const sentAt = store.isShared ? yield* time : lease.grantedAt
      const exit = yield* Effect.exit(send)
      const now = yield* time
      count(request.scope, -1)
      if (Exit.isFailure(exit)) {
        yield* apply(request.scope, (budget) => BudgetTransitions.reconcile(budget, lease, undefined, now))
        return yield* Effect.failCause(exit.cause)
      }
      const observation = ScheduledResponse.observe(exit.value, request, sentAt, now)
      const rateLimit = ScheduledResponse.rateLimit(exit.value, observation)
      if (rateLimit === undefined) {
        yield* apply(request.scope, (budget) => BudgetTransitions.reconcile(budget, lease, observation, now))
        return exit.value.response
      }
      const chance = yield* Random.next
      const { requested, until } = yield* store.modify(request.scope, (budget) => {
        const requested = BudgetTransitions.requestedWait(budget, observation, rateLimit, now) ?? 0
        const [until, next] = BudgetTransitions.recordRateLimit(budget, lease, observation, rateLimit, now, chance)
        return [{ requested, until }, next]
      })
      yield* advance(request.scope)
      if (requested > Limits.MAX_WAIT) {
        const reason = excessiveWait(requested)
        const detail = rateLimit.detail === "" ? reason : `${rateLimit.detail} (${reason})`
        return yield* limited(request, rateLimit.limit, until, detail, exit.value.response)
      }
      if (exceedsMaxWait(request, until, now)) {
        const detail =
          rateLimit.detail === "" ? Dispatcher.tooLong(request) : `${rateLimit.detail} (${Dispatcher.tooLong(request)})`
        return yield* limited(request, rateLimit.limit, until, detail)
      }
      if (attempts >= Limits.MAX_ATTEMPTS || until - store.clockOffset() > (request.deadline ?? Infinity)) {
        return yield* limited(request, rateLimit.limit, until, rateLimit.detail, exit.value.response)
      }
    }
  })

  const view = (key: string, budget: Budget.Budget, now: number) =>
    Effect.map(store.holders(key, budget), (holders) =>
      BudgetStatus.make(key, budget, queues.get(key), holders, now, store.clockOffset())
    )

  const status = Effect.gen(function* () {
    const now = yield* time
    return yield* Effect.forEach(yield* store.all, ([key, budget]) => view(key, budget, now))
  })

  const statusOf = Effect.fnUntraced(function* (key: string) {
    const budget = yield* store.modify(key, (known) => [known, known])
    return yield* view(key, budget, yield* time)
  })

  const changeEvents = Stream.callback<void>(
    (queue) => {
      const listener = () => void Queue.offerUnsafe(queue, undefined)
      listener() // for the current status
      return Effect.acquireRelease(
        Effect.sync(() => listeners.add(listener)),
        () => Effect.sync(() => listeners.delete(listener))
      )
    },
    { bufferSize: 1, strategy: "sliding" }
  )
  const changes = Stream.mapEffect(changeEvents, () => status)

  /** Publishes a heartbeat and the waiting requests of this process, and reads the changes of other processes. */
  const heartbeat = Effect.gen(function* () {
    yield* Effect.sleep(Limits.HEARTBEAT_INTERVAL)
    const keys = new Set([...queues.keys(), ...inFlight.keys()])
    yield* Effect.forEach(keys, (key) => store.heartbeat(key, BudgetStatus.waitingRequests(queues.get(key))), {
      discard: true
    })
    changed()
  })
  if (store.isShared) yield* Effect.forkIn(Effect.forever(heartbeat), scope)

  const reset = Effect.fnUntraced(function* (key: string) {
    // Requests in flight still count. The new epoch prevents late responses from ending a later pause.
    yield* store.modify(key, ({ epoch, holders }) => [undefined, { ...Budget.empty, holders, epoch: epoch + 1 }])
    yield* advance(key)
  })

  return { run, status, statusOf, changes, reset }
})

const excessiveWait = (requested: number) =>
  `the forge asks for a wait of ${Math.ceil(requested / Limits.HOUR)} hours, and no documented limit lasts longer than one`
