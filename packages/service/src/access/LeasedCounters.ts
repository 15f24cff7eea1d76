/**
 * Units of the rate limits' counters that this process has leased from the database. Requests take units without asking
 * the database. All processes together never lease more units than a counter has in a window.
 *
 * **Details**
 *
 * The first lease of a counter has few units, and each further one within a second twice as many, at most a sixteenth of
 * the rest and at most `spare` units. So the last units of a window are leased one by one. A process gives back units
 * that it did not use for five seconds. Units of a process that died are lost until the window ends.
 *
 * A lease ends with the window. The deadline is measured from before the request to the database, by `ElapsedTime`, so a
 * process that was stopped admits nothing from an old lease. Units that are carried are in use beyond a window, for
 * example concurrent requests: the database counts them for one window more, in which their process renews them.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { RateLimitCounterRows } from "../storage/postgres/RateLimitCounterRows.ts"
import * as LeasedCounter from "./LeasedCounter.ts"

/** Units that a request takes. */
export interface Need {
  readonly counter: LeasedCounter.LeasedCounter
  readonly amount: number
  /** True if the units are taken even if the counter has too few. */
  readonly isOptional?: boolean
}

export interface LeasedCounters {
  /** Elapsed time, in milliseconds. */
  readonly time: () => number
  readonly find: (budget: string, kind: LeasedCounter.CounterKind) => LeasedCounter.LeasedCounter
  /** Takes units of all counters, or of none. Returns the counters that have too few. */
  readonly take: (needs: ReadonlyArray<Need>) => Effect.Effect<ReadonlyArray<LeasedCounter.LeasedCounter>>
  /** Reads the state of counters from the database. */
  readonly refresh: (counters: ReadonlyArray<LeasedCounter.LeasedCounter>) => Effect.Effect<void>
  /** Gives back units that were not used for some time, renews carried ones, and reports overdrawn ones. */
  readonly sweep: Effect.Effect<void>
  /** Gives back all units. */
  readonly close: Effect.Effect<void>
}

/** Maximum number of budgets with leases in this process. The least recently used ones are given back. */
const MAX_BUDGETS = 10_000

/** Maximum number of counters that one statement changes. */
const MAX_EXCHANGES = 500

/** Attempts of a request to take units before other requests of this process. */
const MAX_ATTEMPTS = 20

/** An exchange that waits for the one before. */
interface Round {
  readonly wishes: Map<LeasedCounter.LeasedCounter, LeasedCounter.Wish>
  readonly done: Deferred.Deferred<void>
}

/** Creates the counters of this process. A process has one exchange with the database at a time. */
export const make = Effect.fnUntraced(function* (
  rows: Pick<RateLimitCounterRows, "exchange">,
  time: LeasedCounters["time"],
  maxBudgets = MAX_BUDGETS
) {
  const run = Effect.runForkWith(yield* Effect.context())
  const budgets = new Map<string, Map<string, LeasedCounter.LeasedCounter>>()
  const rounds: Array<Round> = []
  let isRunning = false

  const find: LeasedCounters["find"] = (budget, kind) => {
    const counters = budgets.get(budget) ?? new Map<string, LeasedCounter.LeasedCounter>()
    budgets.delete(budget)
    budgets.set(budget, counters)
    if (budgets.size > maxBudgets) evict()
    const known = counters.get(kind.name)
    if (known !== undefined) {
      // Another token of the budget may have another maximum, which the next window gets.
      known.kind = kind
      return known
    }
    const counter = LeasedCounter.make(budget, kind)
    counters.set(kind.name, counter)
    return counter
  }

  /** Forgets the budget that was not used for the longest time, and gives back its units. */
  const evict = () => {
    for (const [budget, counters] of budgets) {
      if (counters.values().some(({ running }) => running > 0)) continue
      budgets.delete(budget)
      queue([...counters.values()].filter(({ balance }) => balance > 0).map((counter) => ({ counter })))
      return
    }
  }

  /** Adds wishes to the exchanges that wait. Returns their ends. */
  const queue = (
    wishes: ReadonlyArray<{ readonly counter: LeasedCounter.LeasedCounter } & Partial<LeasedCounter.Wish>>
  ): ReadonlyArray<Effect.Effect<void>> => {
    const joined = new Set<Round>()
    for (const { counter, keeps = false, queued = 0 } of wishes) {
      let round = rounds.find((one) => one.wishes.has(counter)) ?? rounds.at(-1)
      if (round === undefined || (round.wishes.size >= MAX_EXCHANGES && !round.wishes.has(counter))) {
        round = { wishes: new Map(), done: Deferred.makeUnsafe() }
        rounds.push(round)
      }
      const wish = round.wishes.get(counter)
      round.wishes.set(counter, { queued: queued + (wish?.queued ?? 0), keeps: keeps || wish?.keeps === true })
      joined.add(round)
    }
    start()
    return [...joined].map(({ done }) => Deferred.await(done))
  }

  const start = () => {
    const round = isRunning ? undefined : rounds.shift()
    if (round === undefined) return
    isRunning = true
    const end = (exit: Exit.Exit<void>) =>
      Effect.sync(() => {
        isRunning = false
        Deferred.doneUnsafe(round.done, exit)
        start()
      })
    run(Effect.onExit(exchange(round), end))
  }

  const exchange = ({ wishes }: Round) =>
    Effect.suspend(() => {
      const sentAt = time()
      const sent = [...wishes].map(([counter, wish]) => ({ counter, wish, request: LeasedCounter.send(counter, wish) }))
      return rows.exchange(sent.map(({ request }) => request)).pipe(
        Effect.map((leases) => {
          const now = time()
          const byName = new Map(leases.map((lease) => [keyOf(lease.budget, lease.counter), lease]))
          for (const { counter, request, wish } of sent) {
            const lease = byName.get(keyOf(request.budget, request.counter))
            if (lease === undefined) LeasedCounter.lose(counter, request)
            else LeasedCounter.receive(counter, wish, request, lease, sentAt, now)
          }
        }),
        Effect.onExit((exit) =>
          Effect.sync(() => {
            if (Exit.isFailure(exit)) for (const { counter, request } of sent) LeasedCounter.lose(counter, request)
          })
        )
      )
    })

  const takeNow = (needs: ReadonlyArray<Need>, now: number, overdraws = false): boolean => {
    for (const { amount, counter, isOptional = false } of needs) {
      const isFree = isOptional && (overdraws || LeasedCounter.canOverdraw(counter, now))
      if (LeasedCounter.available(counter, now) < amount && !isFree) return false
    }
    for (const { amount, counter } of needs) LeasedCounter.take(counter, amount, now)
    return true
  }

  const takeLeased = Effect.fnUntraced(function* (needs: ReadonlyArray<Need>) {
    let short: ReadonlyArray<Need> = []
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const now = time()
      short = needs.filter(({ amount, counter }) => LeasedCounter.available(counter, now) < amount)
      const full = short.filter(({ counter, isOptional }) => isOptional !== true && now < counter.fullUntil)
      if (full.length > 0) return full.map(({ counter }) => counter)
      const waiting = short.map(({ counter }) => counter)
      const leased = queue(short.map(({ amount, counter }) => ({ counter, queued: amount })))
      for (const counter of waiting) counter.waiting += 1
      const ended = Effect.sync(() => {
        for (const counter of waiting) counter.waiting -= 1
      })
      yield* Effect.ensuring(Effect.all(leased, { discard: true }), ended)
      if (takeNow(needs, time(), true)) return []
    }
    return short.map(({ counter }) => counter)
  })

  const take: LeasedCounters["take"] = (needs) =>
    Effect.suspend(() => (takeNow(needs, time()) ? nothing : takeLeased(needs)))

  const refresh: LeasedCounters["refresh"] = (counters) =>
    Effect.suspend(() => Effect.all(queue(counters.map((counter) => ({ counter, keeps: true }))), { discard: true }))

  const sweep = Effect.suspend(() => {
    const now = time()
    const due: Array<LeasedCounter.LeasedCounter> = []
    for (const [budget, counters] of budgets) {
      for (const [name, counter] of counters) {
        if (counter.isExchanging || counter.waiting > 0) continue
        if (LeasedCounter.isEnded(counter, now)) counters.delete(name)
        else if (LeasedCounter.isDue(counter, now)) due.push(counter)
      }
      if (counters.size === 0) budgets.delete(budget)
    }
    return Effect.all(queue(due.map((counter) => ({ counter }))), { discard: true })
  })

  const close = Effect.suspend(() => {
    const all = [...budgets.values()].flatMap((counters) => [...counters.values()])
    budgets.clear()
    for (const counter of all) counter.running = 0
    const held = all.filter(({ balance, held }) => balance > 0 || held > 0)
    return Effect.all(queue(held.map((counter) => ({ counter }))), { discard: true })
  })

  return { time, find, take, refresh, sweep, close } satisfies LeasedCounters
})

const nothing = Effect.succeed<ReadonlyArray<LeasedCounter.LeasedCounter>>([])

const keyOf = (budget: string, counter: string) => `${budget}\n${counter}`
