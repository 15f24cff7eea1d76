/**
 * The waiting requests of one rate-limit scope in this process, by priority and arrival. Mutable, by one fiber at a
 * time.
 */
import type * as Deferred from "effect/Deferred"
import type * as Fiber from "effect/Fiber"
import type { RateLimited } from "../contract/Failure.ts"
import * as Budget from "./Budget.ts"
import type { Priority, RequestClass } from "./RequestClass.ts"
import type { ScheduledRequest } from "./ScheduledRequest.ts"

/** A waiting request. */
export interface Waiter {
  readonly order: number
  readonly request: ScheduledRequest
  /** Completed with a lease, or with a failure if the request can never be admitted in time. */
  readonly admission: Deferred.Deferred<Budget.Lease, RateLimited>
  /** Start of the wait, by the clock of the store. */
  readonly since: number
  /** True once `onLongWait` was called. */
  isReported: boolean
  /** Set when the request is admitted. If the request is interrupted later, the lease must be returned. */
  lease: Budget.Lease | undefined
}

/** Waiting requests of one class in the order of arrival. */
export interface Lane {
  readonly requestClass: RequestClass
  readonly waiters: Set<Waiter>
  /** The wait of the lane's first request. */
  wait: Budget.Wait | undefined
}

/** The queue of one rate-limit scope. */
export interface Queue {
  /** Lanes by priority, the most urgent first. */
  readonly lanes: Array<Lane>
  size: number
  timer: { readonly at: number; readonly fiber: Fiber.Fiber<void> } | undefined
  isDraining: boolean
  /** True while `LongWaits` checks the queue. */
  isWatched: boolean
  /** True if the queue changed while requests were being admitted. */
  isDirty: boolean
  /** Changes to the budget by requests that ended, for the next atomic change of the store. */
  readonly transitions: Array<Transition>
  /** Consecutive polls of a shared budget that admitted no request. */
  idlePolls: number
}

/** A change of the budget. */
export type Transition = (budget: Budget.Budget) => Budget.Budget

/** Creates an empty queue. */
export const make = (): Queue => ({
  lanes: [],
  size: 0,
  timer: undefined,
  isDraining: false,
  isWatched: false,
  isDirty: false,
  transitions: [],
  idlePolls: 0
})

/** Returns the lane of a request class. Adds a missing lane. */
export const laneOf = (self: Queue, requestClass: RequestClass): Lane => {
  const known = self.lanes.find((lane) => isSameClass(lane.requestClass, requestClass))
  if (known !== undefined) return known
  const made: Lane = { requestClass, waiters: new Set(), wait: undefined }
  self.lanes.push(made)
  self.lanes.sort((a, b) => urgencyByPriority[a.requestClass.priority] - urgencyByPriority[b.requestClass.priority])
  return made
}

const isSameClass = (one: RequestClass, other: RequestClass) =>
  one.endpoint === other.endpoint &&
  one.priority === other.priority &&
  one.resource === other.resource &&
  one.method === other.method &&
  one.points === other.points

/** Appends a waiting request to a lane. */
export const add = (self: Queue, lane: Lane, waiter: Waiter): void => {
  lane.waiters.add(waiter)
  self.size++
}

/** Removes a waiting request, and an empty lane. Returns false if the request was already removed. */
export const remove = (self: Queue, lane: Lane, waiter: Waiter): boolean => {
  if (!lane.waiters.delete(waiter)) return false
  self.size--
  if (lane.waiters.size === 0) self.lanes.splice(self.lanes.indexOf(lane), 1)
  return true
}

/** Returns the deadline of a waiting request by the clock of the store. */
export const deadline = ({ request }: Waiter, clockOffset: number): number =>
  (request.deadline ?? Infinity) + clockOffset

/**
 * Returns when to check a lane again: at the end of the wait, or when the CPU estimate no longer delays the first
 * request.
 */
export const wakeTime = ({ wait, waiters }: Lane, clockOffset: number): number | undefined => {
  const head = wait?.reason === "cpu" ? waiters.values().next().value : undefined
  if (head?.request.deadline === undefined) return wait?.until
  return Math.min(wait?.until ?? Infinity, Budget.estimateDeadline(deadline(head, clockOffset)))
}

/** Admitted requests with leases, and the waits of lanes whose first request was not admitted. */
export interface Grants {
  readonly granted: ReadonlyArray<readonly [Lane, Waiter, Budget.Lease]>
  readonly waits: ReadonlyMap<Lane, Budget.Wait>
}

/**
 * Admits as many requests as the budget has room for. Does not change the queue, because a store may call this function
 * twice. `clockOffset` converts deadlines to the clock of the store.
 */
export const grant = (
  self: Queue,
  budget: Budget.Budget,
  now: number,
  holder: string,
  clockOffset: number
): readonly [Grants, Budget.Budget] => {
  const granted: Array<readonly [Lane, Waiter, Budget.Lease]> = []
  const waits = new Map<Lane, Budget.Wait>()
  const heads = self.lanes.map((lane) => {
    const rest = lane.waiters.values()
    return { lane, rest, head: rest.next().value }
  })
  let next = budget
  for (;;) {
    let first: (typeof heads)[number] | undefined
    for (const candidate of heads) {
      if (candidate.head === undefined || waits.has(candidate.lane)) continue
      if (first?.head === undefined || precedes(candidate.lane, candidate.head, first.lane, first.head))
        first = candidate
    }
    if (first?.head === undefined) return [{ granted, waits }, next]
    const [decision, after] = Budget.admit(
      next,
      first.lane.requestClass,
      now,
      holder,
      deadline(first.head, clockOffset)
    )
    next = after
    if (decision._tag === "Wait") {
      waits.set(first.lane, decision)
      if (!scopeWide.has(decision.reason)) continue
      // A reason that applies to the whole rate-limit scope is also the wait of the less urgent lanes.
      for (const { head, lane } of heads) if (head !== undefined && !waits.has(lane)) waits.set(lane, decision)
      return [{ granted, waits }, next]
    }
    granted.push([first.lane, first.head, decision.lease])
    first.head = first.rest.next().value
  }
}

/** Reasons for which all requests of a rate-limit scope wait. */
const scopeWide: ReadonlySet<Budget.WaitReason> = new Set(["pause", "probe", "concurrency"])

const urgencyByPriority: Readonly<Record<Priority, number>> = { interactive: 0, normal: 1, background: 2 }

const precedes = (lane: Lane, waiter: Waiter, otherLane: Lane, other: Waiter): boolean => {
  const urgency = urgencyByPriority[lane.requestClass.priority] - urgencyByPriority[otherLane.requestClass.priority]
  return urgency < 0 || (urgency === 0 && waiter.order < other.order)
}
