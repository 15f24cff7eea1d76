/**
 * Units of the rate limits' counters that this process has leased from the database. Requests take units without asking
 * the database. All processes together never lease more units than a counter has in a window.
 *
 * **Details**
 *
 * The first lease of a counter has few units, and each further one within a second twice as many, at most a sixteenth of
 * the rest and at most `spare` units. So the last units of a window are leased one by one. A process gives back units
 * that it did not use for `IDLE_MILLIS`. Units of a process that died are lost until the window ends.
 *
 * A lease ends with the window. The deadline is measured from before the request to the database, by `ElapsedTime`, so a
 * process that was stopped admits nothing from an old lease. Units that are carried are in use beyond a window, for
 * example concurrent requests: the database counts them for one window more, in which their process renews them.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Lease, LeaseRequest, RateLimitCounterRows } from "../storage/postgres/RateLimitCounterRows.ts"

/** A counter of a budget. */
export interface CounterKind {
  readonly name: string
  /** Length of the window, in milliseconds. */
  readonly length: number
  /** Maximum units of a window. */
  readonly maximum: number
  /** True if a unit is in use until `giveBack`. Otherwise a unit is used up until the window ends. */
  readonly carries: boolean
  /** Maximum number of unused units that the process leases. */
  readonly spare: number
}

export interface LeasedCounter {
  readonly budget: string
  kind: CounterKind
  /** Unused units. Negative if requests used more than the lease has. */
  balance: number
  /** Carried units in use. */
  running: number
  /** Carried units, used or not, that the database knows of. */
  held: number
  /** The counter in the database after the last exchange: units of all processes, their maximum, end of the window. */
  used: number
  maximum: number
  resetsAt: number
  /** Elapsed time at which the window ends, and at which the lease ends. */
  windowEnd: number
  validUntil: number
  /** Elapsed time until which the counter is known to have too few units. */
  fullUntil: number
  /** Number of additional units of the next lease. */
  step: number
  isExchanging: boolean
  /** Number of requests that wait for an exchange. */
  waiting: number
  exchangedAt: number
  usedAt: number
}

/** Units that a request takes. */
export interface Need {
  readonly counter: LeasedCounter
  readonly amount: number
  /** True if the units are taken even if the counter has too few. */
  readonly isOptional?: boolean
}

export interface LeasedCounters {
  /** Elapsed time, in milliseconds. */
  readonly time: () => number
  readonly find: (budget: string, kind: CounterKind) => LeasedCounter
  /** Takes units of all counters, or of none. Returns the counters that have too few. */
  readonly take: (needs: ReadonlyArray<Need>) => Effect.Effect<ReadonlyArray<LeasedCounter>>
  /** Reads the state of counters from the database. */
  readonly refresh: (counters: ReadonlyArray<LeasedCounter>) => Effect.Effect<void>
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

/** Age in milliseconds at which unused units are given back. */
const IDLE_MILLIS = 5000

/** Milliseconds for which requests are refused without asking the database again. */
const FULL_MILLIS = 1000

/** Milliseconds within which the next lease is larger. */
const QUICK_MILLIS = 1000

/** Part of a lease's time that this process uses, because its clock can be slower than the database's. */
const TRUSTED_PART = 0.999

/** Part of `spare` that the first lease has. */
const FIRST_PART = 1 / 25

/** What requests want of a counter in one exchange. Without `queued` and `keeps`, unused units are given back. */
interface Wish {
  /** Units for the requests that wait. */
  queued: number
  /** True to keep the unused units, for a read. */
  keeps: boolean
}

interface Round {
  readonly wishes: Map<LeasedCounter, Wish>
  readonly done: Deferred.Deferred<void>
}

const firstStep = ({ spare }: CounterKind) => Math.max(1, Math.floor(spare * FIRST_PART))

export const make = Effect.fnUntraced(function* (
  rows: Pick<RateLimitCounterRows, "exchange">,
  time: LeasedCounters["time"],
  maxBudgets = MAX_BUDGETS
) {
  const run = Effect.runForkWith(yield* Effect.context())
  const budgets = new Map<string, Map<string, LeasedCounter>>()
  /** Exchanges that wait for the running one. */
  const rounds: Array<Round> = []
  let isRunning = false

  const find = (budget: string, kind: CounterKind): LeasedCounter => {
    const counters = budgets.get(budget) ?? new Map<string, LeasedCounter>()
    budgets.delete(budget)
    budgets.set(budget, counters)
    if (budgets.size > maxBudgets) evict()
    const known = counters.get(kind.name)
    if (known !== undefined) {
      // Another token of the budget may have another maximum, which the next window gets.
      known.kind = kind
      return known
    }
    const counter = open(budget, kind)
    counters.set(kind.name, counter)
    return counter
  }

  /** Forgets the budget that was not used for the longest time, and gives back its units. */
  const evict = () => {
    for (const [budget, counters] of budgets) {
      if (counters.values().some(({ running }) => running > 0)) continue
      budgets.delete(budget)
      queue([...counters.values()].filter(({ balance }) => balance > 0).map((counter) => ({ counter, queued: 0 })))
      return
    }
  }

  /** Adds wishes to the exchanges that wait. Returns their ends. */
  const queue = (
    wishes: ReadonlyArray<{ readonly counter: LeasedCounter; readonly queued: number; readonly keeps?: boolean }>
  ): ReadonlyArray<Effect.Effect<void>> => {
    const joined = new Set<Round>()
    for (const { counter, keeps = false, queued } of wishes) {
      let round = rounds.find((one) => one.wishes.has(counter)) ?? rounds.at(-1)
      if (round === undefined || (round.wishes.size >= MAX_EXCHANGES && !round.wishes.has(counter))) {
        round = { wishes: new Map(), done: Deferred.makeUnsafe() }
        rounds.push(round)
      }
      const wish = round.wishes.get(counter) ?? { queued: 0, keeps: false }
      wish.queued += queued
      wish.keeps ||= keeps
      round.wishes.set(counter, wish)
      joined.add(round)
    }
    start()
    return [...joined].map(({ done }) => Deferred.await(done))
  }

  const start = () => {
    const round = isRunning ? undefined : rounds.shift()
    if (round === undefined) return
    isRunning = true
    run(
      Effect.onExit(
        Effect.suspend(() => exchange(round)),
        (exit) =>
          Effect.sync(() => {
            isRunning = false
            Deferred.doneUnsafe(round.done, exit)
            start()
          })
      )
    )
  }

  const exchange = ({ wishes }: Round) => {
    const sentAt = time()
    const sent = [...wishes].map(([counter, wish]) => ({ counter, wish, request: requestOf(counter, wish) }))
    for (const { counter } of sent) {
      counter.isExchanging = true
      if (!counter.kind.carries) counter.balance = 0
    }
    const replies = Effect.map(rows.exchange(sent.map(({ request }) => request)), (leases) => {
      const byName = new Map(leases.map((lease) => [keyOf(lease.budget, lease.counter), lease]))
      for (const { counter, request, wish } of sent) {
        const lease = byName.get(keyOf(request.budget, request.counter))
        if (lease !== undefined) receive(counter, request, wish, lease, sentAt)
      }
    })
    return Effect.onExit(replies, (exit) =>
      Effect.sync(() => {
        for (const { counter, request } of sent) {
          counter.isExchanging = false
          if (Exit.isFailure(exit)) lose(counter, request)
        }
      })
    )
  }

  const receive = (counter: LeasedCounter, request: LeaseRequest, wish: Wish, lease: Lease, sentAt: number) => {
    const { carries, length, spare } = counter.kind
    const now = time()
    // Units that were given back during the exchange are of the same window, or lost with their window.
    const change = lease.resets_at === counter.resetsAt ? counter.balance : 0
    counter.balance = carries ? lease.granted - counter.running : lease.granted + change
    counter.held = carries ? lease.granted : 0
    counter.used = lease.used
    counter.maximum = lease.maximum
    counter.resetsAt = lease.resets_at
    const rest = lease.resets_at - lease.read_at
    counter.windowEnd = sentAt + rest
    counter.validUntil = sentAt + (rest + (carries ? length : 0)) * TRUSTED_PART - 1
    if (wish.queued === 0) return
    const isQuick = now - counter.exchangedAt < QUICK_MILLIS
    counter.step = isQuick ? Math.min(spare, counter.step * 2) : Math.max(firstStep(counter.kind), counter.step >> 1)
    counter.exchangedAt = now
    if (lease.granted < request.needed) counter.fullUntil = Math.min(now + FULL_MILLIS, counter.validUntil)
  }

  const available = ({ balance, isExchanging, validUntil }: LeasedCounter, now: number) =>
    isExchanging || now >= validUntil ? 0 : balance

  const takeNow = (needs: ReadonlyArray<Need>, now: number, overdraws = false): boolean => {
    for (const { amount, counter, isOptional = false } of needs) {
      if (available(counter, now) < amount && !(overdraws && isOptional)) return false
    }
    for (const { amount, counter } of needs) {
      counter.balance -= amount
      if (counter.kind.carries) counter.running += amount
      counter.usedAt = now
    }
    return true
  }

  const takeLeased = Effect.fnUntraced(function* (needs: ReadonlyArray<Need>) {
    let short: ReadonlyArray<Need> = []
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const now = time()
      short = needs.filter(({ amount, counter }) => available(counter, now) < amount)
      const full = short.filter(({ counter, isOptional }) => isOptional !== true && now < counter.fullUntil)
      if (full.length > 0) return full.map(({ counter }) => counter)
      for (const { counter } of short) counter.waiting += 1
      yield* Effect.ensuring(
        Effect.all(queue(short.map(({ amount, counter }) => ({ counter, queued: amount }))), { discard: true }),
        Effect.sync(() => {
          for (const { counter } of short) counter.waiting -= 1
        })
      )
      if (takeNow(needs, time(), true)) return []
    }
    return short.map(({ counter }) => counter)
  })

  const take: LeasedCounters["take"] = (needs) =>
    Effect.suspend(() => (takeNow(needs, time()) ? nothing : takeLeased(needs)))

  const refresh: LeasedCounters["refresh"] = (counters) =>
    Effect.suspend(() =>
      Effect.all(queue(counters.map((counter) => ({ counter, queued: 0, keeps: true }))), { discard: true })
    )

  const sweep = Effect.suspend(() => {
    const now = time()
    const changes: Array<{ readonly counter: LeasedCounter; readonly queued: number; readonly keeps: boolean }> = []
    for (const [budget, counters] of budgets) {
      for (const [name, counter] of counters) {
        if (counter.isExchanging || counter.waiting > 0) continue
        const isIdle = counter.balance > 0 && now - counter.usedAt >= IDLE_MILLIS
        const isOverdrawn = counter.balance < 0 || counter.balance > counter.kind.spare
        if (counter.kind.carries ? counter.held + counter.running === 0 : now >= counter.validUntil)
          counters.delete(name)
        else if (counter.kind.carries ? isIdle || now >= counter.windowEnd : isIdle || isOverdrawn)
          changes.push({ counter, queued: 0, keeps: false })
      }
      if (counters.size === 0) budgets.delete(budget)
    }
    return Effect.all(queue(changes), { discard: true })
  })

  const close = Effect.suspend(() => {
    const all = [...budgets.values()].flatMap((counters) => [...counters.values()])
    budgets.clear()
    for (const counter of all) counter.running = 0
    const held = all.filter(({ balance, held }) => balance > 0 || held > 0)
    return Effect.all(queue(held.map((counter) => ({ counter, queued: 0 }))), { discard: true })
  })

  return { time, find, take, refresh, sweep, close } satisfies LeasedCounters
})

const nothing = Effect.succeed<ReadonlyArray<LeasedCounter>>([])

const keyOf = (budget: string, counter: string) => `${budget}\n${counter}`

const open = (budget: string, kind: CounterKind): LeasedCounter => ({
  budget,
  kind,
  balance: 0,
  running: 0,
  held: 0,
  used: 0,
  maximum: kind.maximum,
  resetsAt: 0,
  windowEnd: 0,
  validUntil: 0,
  fullUntil: 0,
  step: firstStep(kind),
  isExchanging: false,
  waiting: 0,
  exchangedAt: Number.NEGATIVE_INFINITY,
  usedAt: 0
})

const requestOf = (counter: LeasedCounter, { keeps, queued }: Wish): LeaseRequest => {
  const { balance, budget, held, kind, resetsAt, running, step } = counter
  const kept = keeps ? Math.max(0, balance) : 0
  return {
    budget,
    counter: kind.name,
    length: kind.length,
    maximum: kind.maximum,
    carries: kind.carries,
    held: kind.carries ? held : balance,
    heldUntil: resetsAt,
    needed: running + Math.max(queued, kept),
    extra: queued > 0 ? step : 0
  }
}

/** After a failed exchange: the database may have granted any number of units. Nothing is given back a second time. */
const lose = (counter: LeasedCounter, { held }: LeaseRequest) => {
  if (counter.kind.carries) {
    counter.held = 0
    counter.balance = -counter.running
    counter.validUntil = 0
  } else {
    counter.balance = Math.min(0, held, counter.balance)
  }
}

/**
 * Gives back a unit that was taken while the window ended at `resetsAt`. A unit of an ended window is lost. `amount` is
 * negative for units that are used in addition, even if the lease has too few.
 */
export const giveBack = (counter: LeasedCounter, amount: number, resetsAt: number): void => {
  if (counter.kind.carries) {
    counter.running -= amount
    counter.balance += amount
  } else if (counter.resetsAt === resetsAt) {
    counter.balance += amount
  }
}

/** Units of the window that requests used or other processes hold, as of the last exchange. At most the maximum. */
export const usedUnits = ({ balance, maximum, used }: LeasedCounter): number =>
  Math.max(0, Math.min(maximum, used - balance))
