/** Queues requests for which the budget has no room, and admits each one when the budget has room. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import { RateLimited } from "../contract/Failure.ts"
import * as Budget from "./Budget.ts"
import type { BudgetStore } from "./BudgetStore.ts"
import * as BudgetTransitions from "./BudgetTransitions.ts"
import * as LongWaits from "./LongWaits.ts"
import * as Queue from "./Queue.ts"
import { exceedsMaxWait, type ScheduledRequest } from "./ScheduledRequest.ts"

/**
 * Creates a dispatcher for a store of budgets. Calls `onChange` after each change. Timers end with the Effect `scope`.
 */
export const make = (store: BudgetStore["Service"], scope: Scope.Scope, onChange: () => void) => {
  const queues = new Map<string, Queue.Queue>()
  let arrivals = 0

  /** The current time by the clock of the store. */
  const time = Effect.clockWith((clock) => Effect.succeed(clock.currentTimeMillisUnsafe() + store.clockOffset()))

  /** Applies a transition to a budget and admits waiting requests, in one atomic change of the store. */
  const apply = (key: string, transition: Queue.Transition): Effect.Effect<void> =>
    Effect.suspend(() => {
      const queue = queues.get(key)
      if (queue === undefined) {
        return Effect.map(
          store.modify(key, (budget) => [undefined, transition(budget)]),
          onChange
        )
      }
      queue.transitions.push(transition)
      return advance(key)
    })

  /** Admits the waiting requests of a rate-limit scope for which the budget has room. */
  const advance = (key: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      onChange()
      const queue = queues.get(key)
      if (queue === undefined) return Effect.void
      queue.isDirty = true
      return queue.isDraining ? Effect.void : drain(key, queue)
    })

  const drain = Effect.fnUntraced(function* (key: string, queue: Queue.Queue) {
    queue.isDraining = true
    while (queue.isDirty) {
      queue.isDirty = false
      const now = yield* time
      const transitions = queue.transitions.splice(0)
      const { granted, waits } = yield* store.modify(key, (budget) => {
        const current = transitions.reduce((next, transition) => transition(next), budget)
        return Queue.grant(queue, current, now, store.holder, store.clockOffset())
      })
      queue.idlePolls = granted.length === 0 ? queue.idlePolls + 1 : 0
      for (const [lane, waiter, lease] of granted) {
        if (Queue.remove(queue, lane, waiter)) {
          waiter.lease = lease
          Deferred.doneUnsafe(waiter.admission, Exit.succeed(lease))
        } else {
          // The waiting request was interrupted while the store changed the budget.
          queue.transitions.push((budget) => BudgetTransitions.cancel(budget, lease, now))
          queue.isDirty = true
        }
      }
      for (const [lane, wait] of waits) {
        if (wait.until !== undefined && wait.until !== lane.wait?.until) dismissLate(queue, lane, wait, wait.until, now)
        lane.wait = wait
      }
      yield* setTimer(key, queue, now)
    }
    queue.isDraining = false
    onChange()
  }, Effect.uninterruptible)

  /** Sets a timer for the end of the first wait, when requests may be admitted again. Removes an empty queue. */
  const setTimer = Effect.fnUntraced(function* (key: string, queue: Queue.Queue, now: number) {
    // Processes poll a shared budget at different times, and less often during a long wait.
    const chance = store.isShared ? yield* Random.next : 0
    const poll = store.isShared
      ? now + Math.min(MAX_POLL_INTERVAL, MIN_POLL_INTERVAL * 2 ** queue.idlePolls) * (0.5 + chance / 2)
      : Infinity
    const next = queue.lanes.reduce((first, lane) => {
      const at = Queue.wakeTime(lane, store.clockOffset())
      // Another process can reset a shared budget and so end a long wait early.
      const latest = store.isShared ? now + RECHECK_INTERVAL : Infinity
      return Math.min(first, at === undefined ? poll : Math.min(at + Math.ceil(WAKE_SPREAD * chance), latest))
    }, Infinity)
    if (queue.size > 0 && queue.timer?.at === next) return
    // Another request may have created a new queue while the store changed the budget.
    if (queue.size === 0 && queues.get(key) === queue) queues.delete(key)
    queue.timer?.fiber.interruptUnsafe()
    queue.timer = undefined
    if (next === Infinity) return
    const wake = Effect.suspend(() => {
      queue.timer = undefined
      return advance(key)
    })
    const fiber = yield* Effect.sleep(Math.max(1, next - now)).pipe(
      Effect.andThen(wake),
      Effect.interruptible,
      Effect.forkIn(scope, { startImmediately: true })
    )
    queue.timer = { at: next, fiber }
  })

  /** Returns a lease immediately if the budget has room and no request waits; otherwise waits for a lease. */
  const acquire = (request: ScheduledRequest, restore: Restore): Effect.Effect<Budget.Lease, RateLimited> =>
    Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe() + store.clockOffset()
      const deadline = (request.deadline ?? Infinity) + store.clockOffset()
      if (deadline < now) return Effect.fail(limited(request, "concurrency", deadline, TOO_LATE))
      if (queues.has(request.scope)) return wait(request, restore)
      return Effect.flatMap(
        store.modify(request.scope, (budget) => Budget.admit(budget, request, now, store.holder, deadline)),
        (decision) => (decision._tag === "Admitted" ? Effect.succeed(decision.lease) : wait(request, restore))
      )
    })

  const wait = Effect.fnUntraced(function* (request: ScheduledRequest, restore: Restore) {
    const since = yield* time
    // Nothing may yield between here and `Queue.add`: an empty queue is removed.
    let queue = queues.get(request.scope)
    if (queue === undefined) queues.set(request.scope, (queue = Queue.make()))
    const lane = Queue.laneOf(queue, request)
    const waiter: Queue.Waiter = {
      order: arrivals++,
      request,
      admission: Deferred.makeUnsafe(),
      since,
      isReported: false,
      lease: undefined
    }
    Queue.add(queue, lane, waiter)
    yield* advance(request.scope)
    if (request.onLongWait !== undefined && waiter.lease === undefined)
      yield* LongWaits.watch(queue, scope, store.clockOffset)
    const admission = yield* Effect.exit(restore(awaitAdmission(waiter, lane)))
    if (lane.wait !== undefined) request.onWait?.(lane.wait.reason)
    if (Exit.isFailure(admission)) {
      const { lease } = waiter
      const now = yield* time
      if (lease !== undefined) yield* apply(request.scope, (budget) => BudgetTransitions.cancel(budget, lease, now))
      else if (Queue.remove(queue, lane, waiter)) yield* advance(request.scope)
    }
    return yield* admission
  })

  /** Waits for a lease. Fails immediately if the wait is known to exceed the deadline, otherwise at the deadline. */
  const awaitAdmission = (
    { admission, lease, request }: Queue.Waiter,
    lane: Queue.Lane
  ): Effect.Effect<Budget.Lease, RateLimited> => {
    if (lease !== undefined) return Deferred.await(admission)
    if (request.deadline === undefined) {
      return Effect.flatMap(time, (now) => {
        const { limit = "concurrency", reason, until } = lane.wait ?? {}
        return reason !== "cpu" && until !== undefined && exceedsMaxWait(request, until, now)
          ? Effect.fail(limited(request, limit, until, tooLong(request)))
          : Deferred.await(admission)
      })
    }
    const deadline = request.deadline + store.clockOffset()
    const expired = Effect.flatMap(time, (now) => {
      const isTooLate = lane.wait?.reason !== "cpu" && (lane.wait?.until ?? deadline) > deadline
      const left = isTooLate ? 0 : deadline - now
      return Effect.andThen(
        Effect.sleep(Math.max(0, left)),
        Effect.suspend(() =>
          limited(request, lane.wait?.limit ?? "concurrency", lane.wait?.until ?? deadline, TOO_LATE)
        )
      )
    })
    return Effect.raceFirst(Deferred.await(admission), expired)
  }

  /**
   * Fails the waiting requests whose deadline is before the end of a new wait. An estimate of CPU time only delays
   * requests.
   */
  const dismissLate = (queue: Queue.Queue, lane: Queue.Lane, wait: Budget.Wait, until: number, now: number): void => {
    if (wait.reason === "cpu") return
    for (const waiter of lane.waiters) {
      const { request } = waiter
      const isLate = Queue.deadline(waiter, store.clockOffset()) < until
      if ((isLate || exceedsMaxWait(request, until, now)) && Queue.remove(queue, lane, waiter)) {
        const detail = isLate ? TOO_LATE : tooLong(request)
        Deferred.doneUnsafe(waiter.admission, Exit.fail(limited(request, wait.limit, until, detail)))
      }
    }
  }

  const limited = (
    request: ScheduledRequest,
    limit: RateLimited["limit"],
    until: number,
    detail: string,
    response?: Pick<HttpClientResponse, "headers" | "status">
  ): RateLimited =>
    new RateLimited({
      request: request.endpoint,
      detail,
      status: response?.status,
      requestId: response?.headers["x-request-id"] ?? response?.headers["x-github-request-id"],
      headers: { ...response?.headers },
      limit,
      resource: request.resource,
      until: until - store.clockOffset()
    })

  return { acquire, advance, apply, limited, queues, time }
}

/** The `restore` function of `Effect.uninterruptibleMask`. */
export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const TOO_LATE = "it cannot be sent before its deadline"

/** Returns the reason of a failure by `maxWait`. */
export const tooLong = ({ maxWait = 0 }: ScheduledRequest): string =>
  `the wait would be longer than \`maxWait\` (${Math.round(maxWait / 1000)} s)`

/** Interval in milliseconds at which a process checks a shared budget during a wait of known length. */
const RECHECK_INTERVAL = 15_000

/**
 * Minimum and maximum interval in milliseconds at which a process polls a shared budget during a wait of unknown
 * length.
 */
const MIN_POLL_INTERVAL = 25
const MAX_POLL_INTERVAL = 1000

/** Milliseconds over which processes with the same end of the wait spread their requests. */
const WAKE_SPREAD = 100
