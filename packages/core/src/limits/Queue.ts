/** Those who wait in one scope of this process: by priority, and in each by arrival. Mutable; one fiber works on it at a time. */
import type * as Deferred from "effect/Deferred"
import type * as Fiber from "effect/Fiber"
import type { RateLimited } from "../contract/Failure.ts"
import * as Budget from "./Budget.ts"
import type { Priority, RequestClass } from "./RequestClass.ts"
import type { ScheduledRequest } from "./ScheduledRequest.ts"

export interface Waiter {
  readonly order: number
  readonly request: ScheduledRequest
  /** Done with a lease when it is let through, or with the reason why waiting is of no use. */
  readonly admission: Deferred.Deferred<Budget.Lease, RateLimited>
  /** Set once it is let through: whoever stops waiting after that has to give it back. */
  lease: Budget.Lease | undefined
}

/** Waiters that meet the same walls, in the order of their arrival. */
export interface Lane {
  readonly requestClass: RequestClass
  readonly waiters: Set<Waiter>
  /** What its first waiter waits for. */
  wait: Budget.Wait | undefined
}

export interface Queue {
  /** The most urgent priority first. */
  readonly lanes: Array<Lane>
  size: number
  timer: { readonly at: number; readonly fiber: Fiber.Fiber<void> } | undefined
  isDraining: boolean
  /** Something changed while the queue was being worked on. */
  isDirty: boolean
  /** What became of requests since the last step: the next one takes it in. */
  readonly transitions: Array<Transition>
  /** Looks in a row that let nobody through, where others share the budget. */
  idlePolls: number
}

/** What the end of a request does to the budget. */
export type Transition = (budget: Budget.Budget) => Budget.Budget

export const make = (): Queue => ({
  lanes: [],
  size: 0,
  timer: undefined,
  isDraining: false,
  isDirty: false,
  transitions: [],
  idlePolls: 0
})

/** The lane for these waiters. */
export const laneOf = (self: Queue, requestClass: RequestClass): Lane => {
  const known = self.lanes.find((lane) => isSameClass(lane.requestClass, requestClass))
  if (known !== undefined) return known
  const made: Lane = { requestClass, waiters: new Set(), wait: undefined }
  self.lanes.push(made)
  self.lanes.sort((a, b) => URGENCY[a.requestClass.priority] - URGENCY[b.requestClass.priority])
  return made
}

const isSameClass = (one: RequestClass, other: RequestClass) =>
  one.endpoint === other.endpoint &&
  one.priority === other.priority &&
  one.resource === other.resource &&
  one.method === other.method &&
  one.points === other.points

/** Puts a waiter at the end of its lane. */
export const add = (self: Queue, lane: Lane, waiter: Waiter): void => {
  lane.waiters.add(waiter)
  self.size++
}

/** Takes a waiter out, and its lane with it when that is empty; false when it was out already. */
export const remove = (self: Queue, lane: Lane, waiter: Waiter): boolean => {
  if (!lane.waiters.delete(waiter)) return false
  self.size--
  if (lane.waiters.size === 0) self.lanes.splice(self.lanes.indexOf(lane), 1)
  return true
}

/** By the clock of the budget, which is `clockOffset` of the local one. */
export const deadline = ({ request }: Waiter, clockOffset: number): number =>
  (request.deadline ?? Infinity) + clockOffset

/** When to look at a lane again: when its wait ends, or the estimate no longer holds its first waiter back. */
export const wakeTime = ({ wait, waiters }: Lane, clockOffset: number): number | undefined => {
  const head = wait?.reason === "cpu" ? waiters.values().next().value : undefined
  if (head?.request.deadline === undefined) return wait?.until
  return Math.min(wait?.until ?? Infinity, Budget.estimateDeadline(deadline(head, clockOffset)))
}

/** Who can go now, and what the first of each lane waits for otherwise. */
export interface Grants {
  readonly granted: ReadonlyArray<readonly [Lane, Waiter, Budget.Lease]>
  readonly waits: ReadonlyMap<Lane, Budget.Wait>
}

/**
 * Lets through as many as the budget has room for. Leaves the queue as it is, since a store may run it twice. The clock of
 * the budget is `clockOffset` of the local one, by which deadlines go.
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
      if (!SCOPE_WIDE.has(decision.reason)) continue
      // Whoever is less urgent meets it as well.
      for (const { head, lane } of heads) if (head !== undefined && !waits.has(lane)) waits.set(lane, decision)
      return [{ granted, waits }, next]
    }
    granted.push([first.lane, first.head, decision.lease])
    first.head = first.rest.next().value
  }
}

/** What holds back all requests of a scope, whatever they ask for. */
const SCOPE_WIDE: ReadonlySet<Budget.WaitReason> = new Set(["pause", "probe", "concurrency"])

const URGENCY: Readonly<Record<Priority, number>> = { interactive: 0, normal: 1, background: 2 }

const precedes = (lane: Lane, waiter: Waiter, otherLane: Lane, other: Waiter): boolean => {
  const urgency = URGENCY[lane.requestClass.priority] - URGENCY[otherLane.requestClass.priority]
  return urgency < 0 || (urgency === 0 && waiter.order < other.order)
}
