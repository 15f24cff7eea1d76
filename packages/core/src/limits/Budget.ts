/**
 * What is known of one scope, that is of one credential on one host, and the decisions that follow from it. Pure: every
 * function gives the next state, and a store makes the step atomic. All times are epoch milliseconds by the clock of the
 * store, which in this process alone is the local one.
 */
import * as Limits from "./Limits.ts"
import * as MeterCharge from "./MeterCharge.ts"
import type { RateLimitResponse } from "./RateLimitResponse.ts"
import type { RequestClass } from "./RequestClass.ts"
import * as RateLimitWindow from "./RateLimitWindow.ts"
import * as SlidingWindowCounter from "./SlidingWindowCounter.ts"

interface Resource {
  readonly window: RateLimitWindow.RateLimitWindow | undefined
  /** The resource that the forge counts it by, where that is another: some count code search as search. */
  readonly countedBy: string | undefined
  /** Requests of which no answer came: the forge may have counted them, and no header has told since `at`. */
  readonly lost: { readonly count: number; readonly at: number } | undefined
}

/** A process that has requests in flight. */
export interface Holder {
  /** Since when without a break: leases from before were taken back. */
  readonly since: number
  /** When they are taken for lost unless the process says that it is still there. */
  readonly until: number
  /** How many, by resource. */
  readonly inFlight: ReadonlyMap<string, number>
}

export interface Budget {
  readonly resources: ReadonlyMap<string, Resource>
  /** Sliding counts by name (`Claim.rule`). */
  readonly meters: ReadonlyMap<string, SlidingWindowCounter.SlidingWindowCounter>
  readonly holders: ReadonlyMap<string, Holder>
  readonly computing: CpuEstimate
  readonly skew: RateLimitWindow.ClockSkew | undefined
  /**
   * What the forge has told of its limits: `unknown` before its first answer, `stated` in headers, `silent` when an
   * answer had none, `none` when it has said as well that it keeps no limits (`spec/4`, Rate limits).
   */
  readonly limits: "unknown" | "stated" | "silent" | "none"
  readonly pause: Pause | undefined
  /** The pause that was lifted last: a refusal soon after it takes twice as long. */
  readonly lifted: Pause | undefined
  /** Counts pauses: a lease from before the current one is no news about it. */
  readonly epoch: number
}

/** How long the forge takes for a request, in milliseconds: its computing time cannot be seen any closer. */
interface CpuEstimate {
  /** The most that one took lately. */
  readonly typical: number
  /** How long an answer takes for which next to nothing is computed, less what may be, where one was seen. */
  readonly roundTrip: number | undefined
}

/** The scope is held back until a time, and then until one request, the probe, has been let through. */
export interface Pause {
  readonly until: number
  readonly limit: RateLimitResponse["limit"]
  /** How long it was made, in milliseconds: the next one in a row takes twice as long. */
  readonly length: number
  /** The holder of the probe. */
  readonly probing: string | undefined
}

/** A request's share of the budget while it is in flight. */
export interface Lease {
  readonly requestClass: RequestClass
  readonly holder: string
  readonly epoch: number
  /** The one request that tells whether a pause is over. */
  readonly probe: boolean
  /** When it was given. */
  readonly grantedAt: number
}

/**
 * Why a request waits: the primary window, the tenth that is kept from background, one of the limits that no header
 * tells of, a pause, its probe, or as many in flight as may be.
 */
export type WaitReason = "primary" | "reserve" | MeterCharge.MeterLimit["reason"] | "pause" | "probe" | "concurrency"

/** `until` is missing where only another request's answer can tell. */
export type Decision =
  | { readonly _tag: "Admitted"; readonly lease: Lease }
  | {
      readonly _tag: "Wait"
      readonly reason: WaitReason
      readonly limit: RateLimitResponse["limit"] | "concurrency"
      readonly until: number | undefined
    }

export type Wait = Extract<Decision, { readonly _tag: "Wait" }>

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

/** Requests in flight: all, or those of one resource. */
export const inFlight = (self: Budget, resource?: string): number => {
  let sum = 0
  for (const holder of self.holders.values()) {
    if (resource !== undefined) sum += holder.inFlight.get(resource) ?? 0
    else for (const count of holder.inFlight.values()) sum += count
  }
  return sum
}

/** A lease for a request of a holder that wants to leave now, or why and how long it waits. */
export const admit = (
  self: Budget,
  request: RequestClass,
  now: number,
  holder: string,
  deadline = Infinity
): readonly [Decision, Budget] => {
  const charges = self.limits === "none" ? [] : MeterCharge.chargesOf(request)
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
  charges: ReadonlyArray<MeterCharge.MeterCharge>,
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

/** From when on a request with this deadline is not held back by the estimate of computing time alone. */
export const estimateDeadline = (deadline: number): number => deadline - Limits.ESTIMATE_MARGIN

/** The primary window of the request's resource, where it has no room. */
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
  // Requests in flight may or may not be in the count already; taking them for uncounted is never too many.
  const lost = isNew ? 0 : (own?.lost?.count ?? 0) + (other === undefined ? 0 : (counting?.lost?.count ?? 0))
  const free = (isNew ? window.limit : window.remaining - lost) - sent
  const kept = request.priority === "background" ? Math.ceil(window.limit * Limits.BACKGROUND_RESERVE) : 0
  // A new window has room for one at least, however little its limit leaves, and so has one in doubt: else nobody would
  // learn how it stands.
  const asksAnew = sent === 0 && (isNew || (lost > 0 && window.remaining > kept))
  if (free > kept || asksAnew) return undefined
  return makeWait(free > 0 ? "reserve" : "primary", "primary", isNew ? undefined : reset)
}

/** The one of its sliding counts that is full for longest. */
const counterWait = (
  self: Budget,
  request: RequestClass,
  charges: ReadonlyArray<MeterCharge.MeterCharge>,
  now: number
): Wait | undefined => {
  let worst: Wait | undefined
  for (const { amount, meter, limit: rule } of charges) {
    const known = self.meters.get(meter)
    if (known === undefined) continue
    const limit =
      request.priority === "background" ? Math.floor(rule.limit * (1 - Limits.BACKGROUND_RESERVE)) : rule.limit
    // What alone is more than the limit can only be tried when nothing else counts.
    const until = SlidingWindowCounter.availableAt(known, rule.span, now, Math.max(0, limit - amount))
    if (until > now) worst = longerWait(worst, makeWait(rule.reason, "secondary", until))
  }
  return worst
}

/**
 * The computing time of the last minute and of what is in flight, where one more would be too much. When half of it is
 * used, requests in flight become fewer: a forge that works on many at once takes longer for each, and counts that.
 */
const cpuWait = (
  { computing, meters }: Budget,
  { priority }: RequestClass,
  sent: number,
  now: number
): Wait | undefined => {
  const known = meters.get(MeterCharge.CPU)
  if (known === undefined) return undefined
  const { limit, span } = MeterCharge.limitOf(MeterCharge.CPU)
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

/** Of two waits the longer one; one of unknown length is looked at again soon, and so counts as the shorter. */
const longerWait = (one: Wait | undefined, other: Wait | undefined): Wait | undefined => {
  if (one === undefined || other === undefined) return one ?? other
  return (other.until ?? 0) > (one.until ?? 0) ? other : one
}

const charge = (
  meters: Budget["meters"],
  charges: ReadonlyArray<MeterCharge.MeterCharge>,
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

/** The same holders where one has so many more or fewer requests of a resource in flight. */
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

/** Makes room for another endpoint: the one that was not asked for longest goes. */
const evictIdle = (meters: Map<string, SlidingWindowCounter.SlidingWindowCounter>): void => {
  let idle: string | undefined
  for (const [name, meter] of meters) {
    if (MeterCharge.limitOf(name).reason !== "points") continue
    if (
      idle === undefined ||
      SlidingWindowCounter.lastSlot(meter) <
        SlidingWindowCounter.lastSlot(meters.get(idle) ?? SlidingWindowCounter.empty)
    )
      idle = name
  }
  if (idle !== undefined) meters.delete(idle)
}
