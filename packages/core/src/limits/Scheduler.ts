/**
 * The rate-limit scheduler: a request leaves when the budget of its credential has room for it, and its answer settles
 * the budget (`spec/1 §8`).
 *
 * **Details**
 *
 * It never asks a forge to say no, as far as headers let it know. Where the forge says no all the same, the whole scope
 * pauses, one request probes, then the rest follow; a refused request did not run, so it is sent again whatever its
 * method, a bounded number of times.
 *
 * How long the forge computes cannot be seen: what an answer takes counts, less the round trip once `GET /rate_limit` has
 * told it. Over a slow link, ask that first: with answers half a second away, 900 reads a minute leave instead of 160.
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import { RateLimited } from "../contract/Failure.ts"
import * as Budget from "./Budget.ts"
import { BudgetStore } from "./BudgetStore.ts"
import * as BudgetTransitions from "./BudgetTransitions.ts"
import * as Limits from "./Limits.ts"
import * as Queue from "./Queue.ts"
import type { ScheduledRequest } from "./ScheduledRequest.ts"
import * as ScheduledResponse from "./ScheduledResponse.ts"
import * as ScopeStatus from "./ScopeStatus.ts"

type Send<E, R> = Effect.Effect<HttpClientResponse, E, R>

export class Scheduler extends Context.Service<
  Scheduler,
  {
    /**
     * Sends when there is room, and gives the answer, unless that is a refusal: then it waits and sends again. Fails with
     * `RateLimited` at once when the deadline cannot be met, and after `MAX_TRIES` refusals. Interruption gives
     * everything back.
     */
    readonly run: <E, R>(request: ScheduledRequest, send: Send<E, R>) => Send<E | RateLimited, R>
    /** The budgets of every scope, and who in this process waits for what. */
    readonly status: Effect.Effect<ReadonlyArray<ScopeStatus.ScopeStatus>>
    /** The view now and after each change; a slow reader skips some. */
    readonly changes: Stream.Stream<ReadonlyArray<ScopeStatus.ScopeStatus>>
    /** Forgets what is known of a scope's limits: windows, counts and pauses. Waiting requests are admitted again. */
    readonly reset: (scope: string) => Effect.Effect<void>
  }
>()("@tongs/core/limits/Scheduler") {
  /** On the budgets of a store: of this process, or of all that share it. */
  static readonly layer: Layer.Layer<Scheduler, never, BudgetStore> = Layer.effect(
    Scheduler,
    Effect.suspend(() => make)
  )

  /** On budgets of its own: for a program that shares its credential with no other. */
  static readonly layerMemory: Layer.Layer<Scheduler> = Layer.provide(Scheduler.layer, BudgetStore.layerMemory)
}

const make = Effect.gen(function* () {
  const store = yield* BudgetStore
  const scope = yield* Effect.scope
  const queues = new Map<string, Queue.Queue>()
  /** Requests of this process in flight, by scope. */
  const sent = new Map<string, number>()
  const news = yield* PubSub.sliding<void>(1)
  let watchers = 0
  let arrivals = 0

  const changed = () => {
    if (watchers > 0) PubSub.publishUnsafe(news, undefined)
  }

  /** The time by which the budgets go. */
  const time = Effect.clockWith((clock) => Effect.succeed(clock.currentTimeMillisUnsafe() + store.clockOffset()))

  const count = (key: string, by: 1 | -1) => {
    const next = (sent.get(key) ?? 0) + by
    if (next === 0) sent.delete(key)
    else sent.set(key, next)
  }

  /** Settles, and lets through whoever can go after that: one step of the store for both. */
  const settle = (key: string, settlement: Queue.Transition): Effect.Effect<void> =>
    Effect.suspend(() => {
      const queue = queues.get(key)
      if (queue === undefined) {
        return Effect.map(
          store.modify(key, (budget) => [undefined, settlement(budget)]),
          changed
        )
      }
      queue.transitions.push(settlement)
      return advance(key)
    })

  /** Lets through whoever can go now. */
  const advance = (key: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      changed()
      const queue = queues.get(key)
      if (queue === undefined) return Effect.void
      queue.isDirty = true
      return queue.isDraining ? Effect.void : pump(key, queue)
    })

  const pump = Effect.fnUntraced(function* (key: string, queue: Queue.Queue) {
    queue.isDraining = true
    while (queue.isDirty) {
      queue.isDirty = false
      const now = yield* time
      const settlements = queue.transitions.splice(0)
      const { granted, waits } = yield* store.modify(key, (budget) => {
        const settled = settlements.reduce((next, settlement) => settlement(next), budget)
        return Queue.grant(queue, settled, now, store.holder, store.clockOffset())
      })
      queue.idlePolls = granted.length === 0 ? queue.idlePolls + 1 : 0
      for (const [lane, waiter, lease] of granted) {
        if (Queue.remove(queue, lane, waiter)) {
          waiter.lease = lease
          Deferred.doneUnsafe(waiter.admission, Exit.succeed(lease))
        } else {
          // It gave up while the store was at work.
          queue.transitions.push((budget) => BudgetTransitions.cancel(budget, lease, now))
          queue.isDirty = true
        }
      }
      for (const [lane, wait] of waits) {
        if (wait.until !== undefined && wait.until !== lane.wait?.until) dismissLate(queue, lane, wait, wait.until)
        lane.wait = wait
      }
      yield* setTimer(key, queue, now)
    }
    queue.isDraining = false
    changed()
  }, Effect.uninterruptible)

  /** Wakes the queue when the first of its waits ends; an empty queue is forgotten, its timer with it. */
  const setTimer = Effect.fnUntraced(function* (key: string, queue: Queue.Queue, now: number) {
    // Processes that share a budget do not all look at the same instant, and the longer nothing comes the less often.
    const chance = store.isShared ? yield* Random.next : 0
    const look = store.isShared ? now + Math.min(SELDOM, OFTEN * 2 ** queue.idlePolls) * (0.5 + chance / 2) : Infinity
    const next = queue.lanes.reduce((first, lane) => {
      const at = Queue.wakeTime(lane, store.clockOffset())
      // Another process can reset a budget that they share, so that a long wait ends before its time.
      const latest = store.isShared ? now + RECHECK : Infinity
      return Math.min(first, at === undefined ? look : Math.min(at + Math.ceil(SPREAD * chance), latest))
    }, Infinity)
    if (queue.size > 0 && queue.timer?.at === next) return
    // While a store was at work the next waiter may have opened another queue.
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

  /** A lease at once where there is room and nobody waits. */
  const acquire = (request: ScheduledRequest, restore: Restore): Effect.Effect<Budget.Lease, RateLimited> =>
    Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe() + store.clockOffset()
      const deadline = (request.deadline ?? Infinity) + store.clockOffset()
      if (deadline < now) return Effect.fail(limited(request, "concurrency", deadline, IN_VAIN))
      if (queues.has(request.scope)) return wait(request, restore)
      return Effect.flatMap(
        store.modify(request.scope, (budget) => Budget.admit(budget, request, now, store.holder, deadline)),
        (decision) => (decision._tag === "Admitted" ? Effect.succeed(decision.lease) : wait(request, restore))
      )
    })

  const wait = Effect.fnUntraced(function* (request: ScheduledRequest, restore: Restore) {
    let queue = queues.get(request.scope)
    if (queue === undefined) queues.set(request.scope, (queue = Queue.make()))
    const lane = Queue.laneOf(queue, request)
    const waiter: Queue.Waiter = {
      order: arrivals++,
      request: request,
      admission: Deferred.makeUnsafe(),
      lease: undefined
    }
    Queue.add(queue, lane, waiter)
    yield* advance(request.scope)
    const turn = yield* Effect.exit(restore(inTime(waiter, lane)))
    if (lane.wait !== undefined) request.onWait?.(lane.wait.reason)
    if (Exit.isFailure(turn)) {
      const { lease } = waiter
      const now = yield* time
      if (lease !== undefined) yield* settle(request.scope, (budget) => BudgetTransitions.cancel(budget, lease, now))
      else if (Queue.remove(queue, lane, waiter)) yield* advance(request.scope)
    }
    return yield* turn
  })

  const run = <E, R>(request: ScheduledRequest, send: Send<E, R>): Send<E | RateLimited, R> =>
    Effect.uninterruptibleMask((restore) => attempt(request, restore(ScheduledResponse.receive(send)), restore))

  const attempt = Effect.fnUntraced(function* <E, R>(
    request: ScheduledRequest,
    send: Effect.Effect<ScheduledResponse.ScheduledResponse, E, R>,
    restore: Restore
  ): Effect.fn.Return<HttpClientResponse, E | RateLimited, R> {
    for (let tries = 1; ; tries++) {
      const lease = yield* acquire(request, restore)
      count(request.scope, 1)
      changed()
      // The store may have taken its time.
      const left = store.isShared ? yield* time : lease.grantedAt
      const exit = yield* Effect.exit(send)
      const now = yield* time
      count(request.scope, -1)
      if (Exit.isFailure(exit)) {
        yield* settle(request.scope, (budget) => BudgetTransitions.reconcile(budget, lease, undefined, now))
        return yield* Effect.failCause(exit.cause)
      }
      const observation = ScheduledResponse.observe(exit.value, request, left, now)
      const refusal = ScheduledResponse.rateLimit(exit.value, observation)
      if (refusal === undefined) {
        yield* settle(request.scope, (budget) => BudgetTransitions.reconcile(budget, lease, observation, now))
        return exit.value.response
      }
      const chance = yield* Random.next
      const { named, until } = yield* store.modify(request.scope, (budget) => {
        const named = BudgetTransitions.requestedWait(budget, observation, refusal, now) ?? 0
        const [until, next] = BudgetTransitions.recordRateLimit(budget, lease, observation, refusal, now, chance)
        return [{ named, until }, next]
      })
      yield* advance(request.scope)
      if (named > Limits.MAX_WAIT) {
        const detail = refusal.detail === "" ? excess(named) : `${refusal.detail} (${excess(named)})`
        return yield* limited(request, refusal.limit, until, detail)
      }
      if (tries >= Limits.MAX_ATTEMPTS || until - store.clockOffset() > (request.deadline ?? Infinity)) {
        return yield* limited(request, refusal.limit, until, refusal.detail)
      }
    }
  })

  /** The waiter's turn, or its failure: at once when the wait is known to outlast the deadline, else when that comes. */
  const inTime = (
    { admission, lease, request }: Queue.Waiter,
    lane: Queue.Lane
  ): Effect.Effect<Budget.Lease, RateLimited> => {
    if (request.deadline === undefined || lease !== undefined) return Deferred.await(admission)
    const deadline = request.deadline + store.clockOffset()
    const expired = Effect.flatMap(time, (now) => {
      const isInVain = lane.wait?.reason !== "cpu" && (lane.wait?.until ?? deadline) > deadline
      const left = isInVain ? 0 : deadline - now
      return Effect.andThen(
        Effect.sleep(Math.max(0, left)),
        Effect.suspend(() => limited(request, lane.wait?.limit ?? "concurrency", lane.wait?.until ?? deadline, IN_VAIN))
      )
    })
    return Effect.raceFirst(Deferred.await(admission), expired)
  }

  /**
   * Fails the waiters whose deadline comes before the end of a wait, when the wait begins. An estimate of computing time
   * delays a request but never fails it.
   */
  const dismissLate = (queue: Queue.Queue, lane: Queue.Lane, wait: Budget.Wait, until: number): void => {
    if (wait.reason === "cpu") return
    for (const waiter of lane.waiters) {
      if (Queue.deadline(waiter, store.clockOffset()) < until && Queue.remove(queue, lane, waiter)) {
        Deferred.doneUnsafe(waiter.admission, Exit.fail(limited(waiter.request, wait.limit, until, IN_VAIN)))
      }
    }
  }

  const limited = (
    request: ScheduledRequest,
    limit: RateLimited["limit"],
    until: number,
    detail: string
  ): RateLimited =>
    new RateLimited({
      request: request.endpoint,
      detail,
      limit,
      resource: request.resource,
      until: until - store.clockOffset()
    })

  const status = Effect.gen(function* () {
    const now = yield* time
    return yield* Effect.forEach(yield* store.all, ([key, budget]) =>
      Effect.map(store.holders(key, budget), (holders) =>
        ScopeStatus.make(key, budget, queues.get(key), holders, now, store.clockOffset())
      )
    )
  })

  const changes = Stream.unwrap(
    Effect.gen(function* () {
      const subscription = yield* PubSub.subscribe(news)
      yield* Effect.acquireRelease(
        Effect.sync(() => watchers++),
        () => Effect.sync(() => watchers--)
      )
      return Stream.concat(
        Stream.fromEffect(status),
        Stream.mapEffect(Stream.fromSubscription(subscription), () => status)
      )
    })
  )

  /** Tells the others that this process is there, and shows what they did meanwhile. */
  const heartbeat = Effect.gen(function* () {
    yield* Effect.sleep(Limits.HEARTBEAT_INTERVAL)
    const keys = new Set([...queues.keys(), ...sent.keys()])
    yield* Effect.forEach(keys, (key) => store.heartbeat(key, ScopeStatus.waitingRequests(queues.get(key))), {
      discard: true
    })
    changed()
  })
  if (store.isShared) yield* Effect.forkIn(Effect.forever(heartbeat), scope)

  const reset = Effect.fn("Scheduler.reset")(function* (key: string) {
    // Requests in flight still count, and their answers are no news about a pause of before.
    yield* store.modify(key, ({ epoch, holders }) => [undefined, { ...Budget.empty, holders, epoch: epoch + 1 }])
    yield* advance(key)
  })

  return { run, status, changes, reset }
})

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const IN_VAIN = "it cannot leave before its deadline"

/** Why a refusal is not waited for. */
const excess = (named: number) =>
  `the forge asks for a wait of ${Math.ceil(named / Limits.HOUR)} hours, and no documented limit lasts longer than one`

/** How often a process that waits for a known time looks at a shared budget all the same, in milliseconds. */
const RECHECK = 15_000

/** How long who waits for another process's answer leaves the store alone, at first and in the end, in milliseconds. */
const OFTEN = 25
const SELDOM = 1000

/** Over how many milliseconds processes that wait for the same moment spread. */
const SPREAD = 100
