/** A counter of the rate limits of which this process has leased units, and how the answers of the database change it. */
import type { Lease, LeaseRequest } from "../storage/postgres/RateLimitCounterRows.ts"

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

/** What requests want of a counter in one exchange. Without `queued` and `keeps`, unused units are given back. */
export interface Wish {
  /** Units for the requests that wait. */
  readonly queued: number
  /** True to keep the unused units, for a read. */
  readonly keeps: boolean
}

/** Part of a lease's time that this process uses, because its clock can be slower than the database's. */
const TRUSTED_PART = 0.999

/** Part of `spare` that the first lease has. */
const FIRST_PART = 1 / 25

/** Milliseconds for which requests are refused without asking the database again. */
const FULL_MILLIS = 1000

/** Milliseconds within which the next lease is larger. */
const QUICK_MILLIS = 1000

/** Age in milliseconds at which unused units are given back. */
const IDLE_MILLIS = 5000

const firstStep = ({ spare }: CounterKind) => Math.max(1, Math.floor(spare * FIRST_PART))

/** Creates a counter without units. */
export const make = (budget: string, kind: CounterKind): LeasedCounter => ({
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

/** Units that requests can take now. */
export const available = ({ balance, isExchanging, validUntil }: LeasedCounter, now: number): number =>
  isExchanging || now >= validUntil ? 0 : balance

/**
 * True if an optional request needs no exchange, because the counter is known to have too few units. During an exchange,
 * which can fail, overdrawn units could be lost.
 */
export const canOverdraw = ({ fullUntil, isExchanging }: LeasedCounter, now: number): boolean =>
  !isExchanging && now < fullUntil

/** Takes units, also if too few are available. */
export const take = (counter: LeasedCounter, amount: number, now: number): void => {
  counter.balance -= amount
  if (counter.kind.carries) counter.running += amount
  counter.usedAt = now
}

/**
 * Gives back units that were taken while the window ended at `resetsAt`. A unit of an ended window is lost. `amount` is
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

/** True if nothing of the counter is leased any more. */
export const isEnded = ({ held, kind, running, validUntil }: LeasedCounter, now: number): boolean =>
  kind.carries ? held + running === 0 : now >= validUntil

/** True if the database should know: unused units to give back, overdrawn units, or carried units to renew. */
export const isDue = ({ balance, kind, usedAt, windowEnd }: LeasedCounter, now: number): boolean => {
  const isIdle = balance > 0 && now - usedAt >= IDLE_MILLIS
  return isIdle || (kind.carries ? now >= windowEnd : balance < 0 || balance > kind.spare)
}

/** Begins an exchange. The database gets all unused units, so requests take none until the answer. */
export const send = (counter: LeasedCounter, { keeps, queued }: Wish): LeaseRequest => {
  const { balance, budget, held, kind, resetsAt, running, step } = counter
  const { carries, length, maximum, name } = kind
  const kept = keeps ? Math.max(0, balance) : 0
  counter.isExchanging = true
  if (!carries) counter.balance = 0
  return {
    budget,
    counter: name,
    length,
    maximum,
    carries,
    held: carries ? held : balance,
    heldUntil: resetsAt,
    needed: running + Math.max(queued, kept),
    extra: queued > 0 ? step : 0
  }
}

/** Ends an exchange that was sent at the elapsed time `sentAt`. */
export const receive = (
  counter: LeasedCounter,
  { queued }: Wish,
  { needed }: LeaseRequest,
  lease: Lease,
  sentAt: number,
  now: number
): void => {
  const { carries, length, spare } = counter.kind
  // Units that were given back during the exchange are of the same window, or lost with their window.
  const change = lease.resets_at === counter.resetsAt ? counter.balance : 0
  const rest = lease.resets_at - lease.read_at
  counter.isExchanging = false
  counter.balance = carries ? lease.granted - counter.running : lease.granted + change
  counter.held = carries ? lease.granted : 0
  counter.used = lease.used
  counter.maximum = lease.maximum
  counter.resetsAt = lease.resets_at
  counter.windowEnd = sentAt + rest
  counter.validUntil = sentAt + (rest + (carries ? length : 0)) * TRUSTED_PART - 1
  if (queued === 0) return
  const isQuick = now - counter.exchangedAt < QUICK_MILLIS
  counter.step = isQuick ? Math.min(spare, counter.step * 2) : Math.max(firstStep(counter.kind), counter.step >> 1)
  counter.exchangedAt = now
  if (lease.granted < needed) counter.fullUntil = Math.min(now + FULL_MILLIS, counter.validUntil)
}

/** Ends a failed exchange. The database may have granted any number of units, and none are given back a second time. */
export const lose = (counter: LeasedCounter, { held }: LeaseRequest): void => {
  counter.isExchanging = false
  if (counter.kind.carries) {
    counter.held = 0
    counter.balance = -counter.running
    counter.validUntil = 0
  } else {
    counter.balance = Math.min(0, held, counter.balance)
  }
}
