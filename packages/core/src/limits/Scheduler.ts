/**
 * The rate-limit scheduler: a request leaves when the budget of its credential has room for it, and its answer settles
 * the budget (`spec/1 §8`).
 *
 * **Details**
 *
 * It never asks a forge to say no, as far as headers let it know. Where the forge says no all the same, the whole scope
 * pauses, one request probes, then the rest follow; a refused request did not run, so it is sent again whatever its
 * method, a bounded number of times.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import { RateLimited } from "../contract/Failure.ts"
import * as Budget from "./Budget.ts"
import type { Demand } from "./Demand.ts"
import * as Limits from "./Limits.ts"
import * as Queue from "./Queue.ts"
import * as Refusal from "./Refusal.ts"
import { LimitStore } from "./Store.ts"
import * as View from "./View.ts"
import * as Window from "./Window.ts"

type Send<E, R> = Effect.Effect<HttpClientResponse, E, R>

export class Scheduler extends Context.Service<
  Scheduler,
  {
    /**
     * Sends when there is room, and gives the answer, unless that is a refusal: then it waits and sends again. Fails with
     * `RateLimited` at once when the deadline cannot be met, and after `MAX_TRIES` refusals. Interruption gives
     * everything back.
     */
    readonly run: <E, R>(demand: Demand, send: Send<E, R>) => Send<E | RateLimited, R>
    /** The budgets of every scope, and who in this process waits for what. */
    readonly view: Effect.Effect<ReadonlyArray<View.ScopeView>>
    /** The view now and after each change; a slow reader skips some. */
    readonly changes: Stream.Stream<ReadonlyArray<View.ScopeView>>
  }
>()("@tongs/core/limits/Scheduler") {
  static readonly layer: Layer.Layer<Scheduler, never, LimitStore> = Layer.effect(
    Scheduler,
    Effect.suspend(() => make)
  )

  static readonly layerMemory: Layer.Layer<Scheduler> = Layer.provide(Scheduler.layer, LimitStore.layerMemory)
}

const make = Effect.gen(function* () {
  const store = yield* LimitStore
  const scope = yield* Effect.scope
  const queues = new Map<string, Queue.Queue>()
  const news = yield* PubSub.sliding<void>(1)
  let watchers = 0
  let arrivals = 0

  const changed = () => {
    if (watchers > 0) PubSub.publishUnsafe(news, undefined)
  }

  const settle = (key: string, lease: Budget.Lease, observation: Window.Observation | undefined) =>
    Effect.flatMap(
      store.modify(key, (budget) => [undefined, Budget.settle(budget, lease, observation)]),
      () => advance(key)
    )

  /** Lets through whoever can go now. */
  const advance = (key: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      changed()
      const queue = queues.get(key)
      if (queue === undefined) return Effect.void
      queue.again = true
      return queue.pumping ? Effect.void : pump(key, queue)
    })

  const pump = Effect.fnUntraced(function* (key: string, queue: Queue.Queue) {
    queue.pumping = true
    while (queue.again) {
      queue.again = false
      const now = yield* Clock.currentTimeMillis
      const { granted, waits } = yield* store.modify(key, (budget) => Queue.grant(queue, budget, now))
      for (const [lane, waiter, lease] of granted) {
        if (Queue.remove(queue, lane, waiter)) {
          waiter.lease = lease
          Deferred.doneUnsafe(waiter.turn, Exit.succeed(lease))
        } else {
          // It gave up while the store was at work.
          yield* store.modify(key, (budget) => [undefined, Budget.settle(budget, lease, undefined)])
          queue.again = true
        }
      }
      for (const [lane, wait] of waits) {
        if (wait.until !== undefined && wait.until !== lane.wait?.until) dismissLate(queue, lane, wait, wait.until)
        lane.wait = wait
      }
      yield* setTimer(key, queue, now)
    }
    queue.pumping = false
    changed()
  }, Effect.uninterruptible)

  /** Wakes the queue when the first of its waits ends; an empty queue is forgotten, its timer with it. */
  const setTimer = (key: string, queue: Queue.Queue, now: number): Effect.Effect<void> => {
    const next = queue.lanes.reduce((first, lane) => Math.min(first, lane.wait?.until ?? Infinity), Infinity)
    if (queue.size > 0 && queue.timer?.at === next) return Effect.void
    // While a store was at work the next waiter may have opened another queue.
    if (queue.size === 0 && queues.get(key) === queue) queues.delete(key)
    queue.timer?.fiber.interruptUnsafe()
    queue.timer = undefined
    if (next === Infinity) return Effect.void
    const wake = Effect.suspend(() => {
      queue.timer = undefined
      return advance(key)
    })
    return Effect.sleep(next - now).pipe(
      Effect.andThen(wake),
      Effect.interruptible,
      Effect.forkIn(scope, { startImmediately: true }),
      Effect.map((fiber) => {
        queue.timer = { at: next, fiber }
      })
    )
  }

  /** A lease at once where there is room and nobody waits. */
  const acquire = (demand: Demand, restore: Restore): Effect.Effect<Budget.Lease, RateLimited> =>
    Effect.clockWith((clock) => {
      if (queues.has(demand.scope)) return wait(demand, restore)
      const now = clock.currentTimeMillisUnsafe()
      return Effect.flatMap(
        store.modify(demand.scope, (budget) => Budget.admit(budget, demand, now)),
        (decision) => (decision._tag === "Admitted" ? Effect.succeed(decision.lease) : wait(demand, restore))
      )
    })

  const wait = Effect.fnUntraced(function* (demand: Demand, restore: Restore) {
    let queue = queues.get(demand.scope)
    if (queue === undefined) queues.set(demand.scope, (queue = Queue.make()))
    const lane = Queue.lane(queue, demand)
    const waiter: Queue.Waiter = {
      order: arrivals++,
      demand,
      turn: Deferred.makeUnsafe(),
      lease: undefined
    }
    Queue.add(queue, lane, waiter)
    yield* advance(demand.scope)
    const turn = yield* Effect.exit(restore(inTime(waiter, lane)))
    if (Exit.isFailure(turn)) {
      if (waiter.lease !== undefined) yield* settle(demand.scope, waiter.lease, undefined)
      else if (Queue.remove(queue, lane, waiter)) yield* advance(demand.scope)
    }
    return yield* turn
  })

  const run = <E, R>(demand: Demand, send: Send<E, R>): Send<E | RateLimited, R> =>
    Effect.uninterruptibleMask((restore) => attempt(demand, restore(read(send)), restore))

  const attempt = Effect.fnUntraced(function* <E, R>(
    demand: Demand,
    send: Effect.Effect<Answer, E, R>,
    restore: Restore
  ): Effect.fn.Return<HttpClientResponse, E | RateLimited, R> {
    for (let tries = 1; ; tries++) {
      const lease = yield* acquire(demand, restore)
      changed()
      const exit = yield* Effect.exit(send)
      if (Exit.isFailure(exit)) {
        yield* settle(demand.scope, lease, undefined)
        return yield* Effect.failCause(exit.cause)
      }
      const { body, response } = exit.value
      const now = yield* Clock.currentTimeMillis
      const observation = observe(demand, response, lease, now)
      const refusal = body === undefined ? undefined : Refusal.read(response.status, observation, body)
      if (refusal === undefined) {
        yield* settle(demand.scope, lease, observation)
        return response
      }
      const until = yield* store.modify(demand.scope, (budget) =>
        Budget.refuse(budget, lease, observation, refusal, now)
      )
      yield* advance(demand.scope)
      if (tries >= Limits.MAX_TRIES || until > (demand.deadline ?? Infinity)) {
        return yield* limited(demand, refusal.limit, until, refusal.detail)
      }
    }
  })

  const view = Effect.map(store.all, (budgets) =>
    budgets.map(([key, budget]) => View.make(key, budget, queues.get(key)))
  )

  const changes = Stream.unwrap(
    Effect.gen(function* () {
      const subscription = yield* PubSub.subscribe(news)
      yield* Effect.acquireRelease(
        Effect.sync(() => watchers++),
        () => Effect.sync(() => watchers--)
      )
      return Stream.concat(
        Stream.fromEffect(view),
        Stream.mapEffect(Stream.fromSubscription(subscription), () => view)
      )
    })
  )

  return { run, view, changes }
})

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

interface Answer {
  readonly response: HttpClientResponse
  /** Only where the status alone does not tell whether it is a refusal. It stays readable for others. */
  readonly body: string | undefined
}

const read = <E, R>(send: Send<E, R>): Effect.Effect<Answer, E, R> =>
  Effect.flatMap(send, (response): Effect.Effect<Answer> =>
    Refusal.isCandidate(response.status)
      ? Effect.map(
          Effect.orElseSucceed(response.text, () => ""),
          (body) => ({ response, body })
        )
      : Effect.succeed({ response, body: undefined })
  )

const observe = (
  demand: Demand,
  response: HttpClientResponse,
  lease: Budget.Lease,
  now: number
): Window.Observation => {
  const observation = Window.observe(response.headers, lease.since, now)
  if (observation.window !== undefined || response.status >= 500) return observation
  const refusesToTell = response.status === 404 && demand.endpoint.endsWith("/rate_limit")
  return { ...observation, silence: refusesToTell ? "none" : "silent" }
}

/** The waiter's turn, or its failure: at once when the wait is known to outlast the deadline, else when that comes. */
const inTime = ({ demand, lease, turn }: Queue.Waiter, lane: Queue.Lane): Effect.Effect<Budget.Lease, RateLimited> => {
  const { deadline } = demand
  if (deadline === undefined || lease !== undefined) return Deferred.await(turn)
  const expired = Effect.clockWith((clock) => {
    const left = (lane.wait?.until ?? deadline) > deadline ? 0 : deadline - clock.currentTimeMillisUnsafe()
    return Effect.andThen(
      Effect.sleep(Math.max(0, left)),
      Effect.suspend(() => limited(demand, lane.wait?.limit ?? "concurrency", lane.wait?.until ?? deadline, IN_VAIN))
    )
  })
  return Effect.raceFirst(Deferred.await(turn), expired)
}

/** Those whose deadline comes before the end of a wait hear so when the wait begins. */
const dismissLate = (queue: Queue.Queue, lane: Queue.Lane, wait: Budget.Wait, until: number): void => {
  for (const waiter of lane.waiters) {
    if ((waiter.demand.deadline ?? Infinity) < until && Queue.remove(queue, lane, waiter)) {
      Deferred.doneUnsafe(waiter.turn, Exit.fail(limited(waiter.demand, wait.limit, until, IN_VAIN)))
    }
  }
}

const IN_VAIN = "it cannot leave before its deadline"

const limited = (demand: Demand, limit: RateLimited["limit"], until: number, detail: string): RateLimited =>
  new RateLimited({ request: demand.endpoint, detail, limit, resource: demand.resource, until })
