/**
 * The rate-limit budget of one rate-limit scope (a credential on a host), and the admission of requests. Pure:
 * functions return the next budget, and a store applies the result atomically. Times are epoch milliseconds by the
 * clock of the store, which is the local clock for a store in memory.
 */
import * as Limits from "./Limits.ts"
import * as RateLimitCost from "./RateLimitCost.ts"
import type { RateLimitResponse } from "./RateLimitResponse.ts"
import * as RateLimitWindow from "./RateLimitWindow.ts"
import type { RequestClass } from "./RequestClass.ts"
import * as SlidingWindowCounter from "./SlidingWindowCounter.ts"

interface Resource {
  readonly window: RateLimitWindow.RateLimitWindow | undefined
  /** The resource that counts the requests, if different: some forges count code search as search. */
  readonly countedBy: string | undefined
  /**
   * Requests without a response since the last rate limit headers, which the forge may have counted. `at` is the time
   * of the latest request.
   */
  readonly lost: { readonly count: number; readonly at: number } | undefined
}

/** A process that holds leases and has requests in flight. */
export interface LeaseHolder {
  /** Start of the process's uninterrupted heartbeats. Earlier leases of the process have expired. */
  readonly since: number
  /** Time at which the leases of the process expire without another heartbeat. */
  readonly until: number
  /** Number of requests in flight by resource. */
  readonly inFlight: ReadonlyMap<string, number>
}

/** The rate-limit budget of one rate-limit scope. */
export interface Budget {
  readonly resources: ReadonlyMap<string, Resource>
  /** Counters of limits that no header reports, by name (`RateLimitCost.limitOf`). */
  readonly meters: ReadonlyMap<string, SlidingWindowCounter.SlidingWindowCounter>
  readonly holders: ReadonlyMap<string, LeaseHolder>
  readonly computing: CpuEstimate
  readonly skew: RateLimitWindow.ClockSkew | undefined
  /**
   * Knowledge about the forge's limits. `unknown`: no response yet. `stated`: headers have reported limits. `silent`:
   * responses do not mention limits. `none`: the forge has no limits.
   */
  readonly limits: "unknown" | "stated" | "silent" | "none"
  readonly pause: Pause | undefined
  /** The most recent pause that ended. A rate limit response soon afterwards doubles the length of the next pause. */
  readonly lifted: Pause | undefined
  /** Number of pauses so far. The response to a request whose lease has a lower number cannot end the current pause. */
  readonly epoch: number
}

/** Estimate of the forge's CPU time per request, derived from latencies in milliseconds. */
interface CpuEstimate {
  /** The highest recent latency minus the network round trip. */
  readonly typical: number
  /** The lowest latency of unmetered responses minus the assumed CPU time; undefined before the first response. */
  readonly roundTrip: number | undefined
}

/** A pause of all requests in the rate-limit scope until a time, and then until one request, the probe, succeeds. */
export interface Pause {
  readonly until: number
  readonly limit: RateLimitResponse["limit"]
  /** Length in milliseconds. A pause that follows immediately is twice as long. */
  readonly length: number
  /** Name of the process that sends the probe. */
  readonly probing: string | undefined
}

/** A request's share of the rate-limit budget while the request is in flight. */
export interface Lease {
  readonly requestClass: RequestClass
  readonly holder: string
  readonly epoch: number
  /** True for the probe, the request that tests whether a pause is over. */
  readonly probe: boolean
  readonly grantedAt: number
}

/**
 * Why a request waits: the primary window, the reserve that background requests cannot use, a limit that no header
 * reports, a pause, the probe that ends a pause, or the limit of concurrent requests.
 */
export type WaitReason =
  | "primary"
  | "reserve"
  | RateLimitCost.SlidingWindowLimit["reason"]
  | "pause"
  | "probe"
  | "concurrency"

/** Whether a request may be sent. `until` is undefined if the wait ends with the response to another request. */
export type Decision =
  | { readonly _tag: "Admitted"; readonly lease: Lease }
  | {
      readonly _tag: "Wait"
      readonly reason: WaitReason
      readonly limit: RateLimitResponse["limit"] | "concurrency"
      readonly until: number | undefined
    }

/** A decision that the request must wait. */
export type Wait = Extract<Decision, { readonly _tag: "Wait" }>

/** The budget of a new rate-limit scope. */
export const empty: Budget = {
  resources: new Map(),
  meters: new Map(),
  holders: new Map(),
  computing: { typical: 0, roundTrip: undefined },
  skew: undefined,
  limits: "unknown",
  pause: undefined,
  lifted: undefined,
  epoch: 0
}

/** Returns the number of requests in flight for one resource, or for all. */
export const inFlight = (self: Budget, resource?: string): number => {
  let sum = 0
  for (const holder of self.holders.values()) {
    if (resource !== undefined) sum += holder.inFlight.get(resource) ?? 0
    else for (const count of holder.inFlight.values()) sum += count
  }
  return sum
}

/** Decides whether a request of a process can be sent now. Returns a lease, or the reason and end of the wait. */
export const admit = (
  self: Budget,
  request: RequestClass,
  now: number,
  holder: string,
  deadline = Infinity
): readonly [Decision, Budget] => {
  const charges = self.limits === "none" ? [] : RateLimitCost.costsOf(request)
  const wait = blockingWait(self, request, charges, now, deadline)
  if (wait !== undefined) return [wait, self]
  const { pause } = self
  const lease: Lease = { requestClass: request, holder, epoch: self.epoch, probe: pause !== undefined, grantedAt: now }
  return [
    { _tag: "Admitted", lease },
    {
      ...self,
      meters: charges.length === 0 ? self.meters : charge(self.meters, charges, now),
      holders: adjustInFlight(self.holders, holder, request.resource, 1, now),
      pause: pause === undefined ? undefined : { ...pause, probing: holder }
    }
  ]
}

const blockingWait = (
  self: Budget,
  request: RequestClass,
  charges: ReadonlyArray<RateLimitCost.RateLimitCost>,
  now: number,
  deadline: number
): Wait | undefined => {
  const { pause } = self
  if (pause !== undefined) {
    if (now < pause.until) return makeWait("pause", pause.limit, pause.until)
    if (pause.probing !== undefined) return makeWait("probe", pause.limit, undefined)
  }
  const sent = inFlight(self)
  const most = Limits.CONCURRENCY - (request.priority === "interactive" ? 0 : Limits.INTERACTIVE_CONCURRENCY)
  if (sent >= most) return makeWait("concurrency", "concurrency", undefined)
  const primary = request.resource === Limits.UNMETERED ? undefined : primaryWait(self, request, now)
  if (self.limits !== "unknown" && self.limits !== "stated") return primary
  const estimated = now >= estimateDeadline(deadline) ? undefined : cpuWait(self, request, sent, now)
  return longerWait(primary, longerWait(counterWait(self, request, charges, now), estimated))
}

/** Returns the time from which a request with this deadline is no longer delayed only by the estimate of CPU time. */
export const estimateDeadline = (deadline: number): number => deadline - Limits.ESTIMATE_MARGIN

/** Returns the wait for the primary window of the request's resource; undefined if the window has room. */
const primaryWait = (self: Budget, request: RequestClass, now: number): Wait | undefined => {
  const own = self.resources.get(request.resource)
  const other = own?.window === undefined && own?.countedBy !== undefined ? own.countedBy : undefined
  const counting = other === undefined ? own : self.resources.get(other)
  const window = counting?.window
  const sent = inFlight(self, request.resource) + (other === undefined ? 0 : inFlight(self, other))
  if (window === undefined) {
    return (self.limits === "unknown" || self.limits === "stated") && sent >= Limits.assumedLimit(request.resource)
      ? makeWait("primary", "primary", undefined)
      : undefined
  }
  const reset = RateLimitWindow.resetAt(window, self.skew)
  const isNew = now >= reset
  // The window's count may already include requests in flight. Counting a request twice only delays requests.
  const lost = isNew ? 0 : (own?.lost?.count ?? 0) + (other === undefined ? 0 : (counting?.lost?.count ?? 0))
  const left = isNew ? window.limit : window.remaining - lost
  const free = left - sent
  const reserve = request.priority === "background" ? Math.ceil(window.limit * Limits.BACKGROUND_RESERVE) : 0
  // Always admits one request to a new or uncertain window, even beyond the limit, because only a response can show the
  // window's state.
  const isFirst = sent === 0 && (isNew || (lost > 0 && window.remaining > reserve))
  if (free > reserve || isFirst) return undefined
  // If only the requests in flight leave no room, the responses may show that the window already counts these requests.
  const isUncertain = isNew || (sent > 0 && left > reserve)
  return makeWait(free > 0 ? "reserve" : "primary", "primary", isUncertain ? undefined : reset)
}

/** Returns the longest wait for a counter without room for the request; undefined if all have room. */
const counterWait = (
  self: Budget,
  request: RequestClass,
  charges: ReadonlyArray<RateLimitCost.RateLimitCost>,
  now: number
): Wait | undefined => {
  let worst: Wait | undefined
  for (const { amount, meter, limit: rule } of charges) {
    const known = self.meters.get(meter)
    if (known === undefined) continue
    const limit =
      request.priority === "background" ? Math.floor(rule.limit * (1 - Limits.BACKGROUND_RESERVE)) : rule.limit
    // A request costlier than the limit is admitted only into an empty window.
    const until = SlidingWindowCounter.availableAt(known, rule.span, now, Math.max(0, limit - amount))
    if (until > now) worst = longerWait(worst, makeWait(rule.reason, "secondary", until))
  }
  return worst
}

/**
 * Returns the wait for CPU time, if the last minute and the requests in flight leave no room. Lowers concurrency when
 * half of the CPU time is used, because the forge takes longer for each of many concurrent requests, and counts that
 * time.
 */
const cpuWait = (self: Budget, request: RequestClass, sent: number, now: number): Wait | undefined =>
  RateLimitCost.cpuCountersOf(request).reduce<Wait | undefined>(
    (worst, counter) => longerWait(worst, cpuCounterWait(self, counter, request, sent, now)),
    undefined
  )

const cpuCounterWait = (
  { computing, meters }: Budget,
  counter: string,
  { priority }: RequestClass,
  sent: number,
  now: number
): Wait | undefined => {
  const known = meters.get(counter)
  if (known === undefined) return undefined
  const { limit, span } = RateLimitCost.limitOf(counter)
  const left = limit - SlidingWindowCounter.used(known, span, now)
  if (left <= 0) return makeWait("cpu", "secondary", SlidingWindowCounter.availableAt(known, span, now, limit - 1))
  const few = Math.max(Limits.MIN_CONCURRENCY, (left * Limits.IN_FLIGHT_CPU_SHARE) / computing.typical)
  const isCrowded = priority !== "interactive" && left < limit / 2 && sent >= few
  const isTooMuch = sent > 0 && computing.typical * (sent + 1) > left
  return isCrowded || isTooMuch ? makeWait("cpu", "secondary", undefined) : undefined
}

const makeWait = (reason: WaitReason, limit: Wait["limit"], until: number | undefined): Wait => ({
  _tag: "Wait",
  reason,
  limit,
  until
})

/** Returns the longer of two waits. A wait of unknown length is checked again soon, and so counts as the shorter. */
const longerWait = (one: Wait | undefined, other: Wait | undefined): Wait | undefined => {
  if (one === undefined || other === undefined) return one ?? other
  return (other.until ?? 0) > (one.until ?? 0) ? other : one
}

const charge = (
  meters: Budget["meters"],
  charges: ReadonlyArray<RateLimitCost.RateLimitCost>,
  now: number
): Budget["meters"] => {
  const next = new Map(meters)
  for (const { amount, meter, limit: rule } of charges) {
    const known = next.get(meter)
    if (known === undefined && next.size >= Limits.MAX_COUNTERS) evictIdle(next)
    next.set(meter, SlidingWindowCounter.add(known ?? SlidingWindowCounter.empty, rule.span, now, amount))
  }
  return next
}

/** Returns the processes after changing the number of requests in flight of one process and resource by one. */
export const adjustInFlight = (
  holders: Budget["holders"],
  name: string,
  resource: string,
  by: 1 | -1,
  now: number
): Budget["holders"] => {
  const known = holders.get(name)
  const counts = new Map(known?.inFlight)
  const count = (counts.get(resource) ?? 0) + by
  if (count > 0) counts.set(resource, count)
  else counts.delete(resource)
  const next = new Map(holders)
  if (counts.size === 0) next.delete(name)
  else next.set(name, { since: known?.since ?? now, until: known?.until ?? Infinity, inFlight: counts })
  return next
}

/** Removes the endpoint's counter that was idle longest. */
const evictIdle = (meters: Map<string, SlidingWindowCounter.SlidingWindowCounter>): void => {
  let idle: string | undefined
  for (const [name, meter] of meters) {
    if (RateLimitCost.limitOf(name).reason !== "points") continue
    if (
      idle === undefined ||
      SlidingWindowCounter.lastSlot(meter) <
        SlidingWindowCounter.lastSlot(meters.get(idle) ?? SlidingWindowCounter.empty)
    )
      idle = name
  }
  if (idle !== undefined) meters.delete(idle)
}
