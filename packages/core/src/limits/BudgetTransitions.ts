/** Changes of a budget when a request ends, with or without a response, or when a process ends. Pure. */
import { type Budget, type Lease, adjustInFlight } from "./Budget.ts"
import * as Limits from "./Limits.ts"
import * as RateLimitCost from "./RateLimitCost.ts"
import type { Observation } from "./RateLimitHeaders.ts"
import type { RateLimitResponse } from "./RateLimitResponse.ts"
import * as RateLimitWindow from "./RateLimitWindow.ts"
import * as SlidingWindowCounter from "./SlidingWindowCounter.ts"

/** Returns a lease to the budget and applies the response. `observation` is undefined without a response. */
export const reconcile = (self: Budget, lease: Lease, observation: Observation | undefined, now: number): Budget => {
  const freed = release(self, lease, now)
  if (observation === undefined) return recordLost(freed, lease.requestClass.resource, 1, now)
  const learned = addCpuTime(applyObservation(freed, lease, observation, now), lease, observation, now)
  return lease.probe && lease.epoch === self.epoch ? { ...learned, pause: undefined, lifted: learned.pause } : learned
}

/** Returns an unused lease to the budget. */
export const cancel = (self: Budget, lease: Lease, now: number): Budget => release(self, lease, now)

/**
 * Releases a lease after a rate limit response, and pauses the rate-limit scope until the returned time. Ignores a
 * requested wait longer than `Limits.MAX_WAIT`: the pause then has the default length, or twice the length of the
 * previous pause. `chance`, from 0 to 1, determines the jitter.
 */
export const recordRateLimit = (
  self: Budget,
  lease: Lease,
  observation: Observation,
  rateLimit: RateLimitResponse,
  now: number,
  chance = 0
): readonly [until: number, next: Budget] => {
  const { window: _, ...rest } = observation
  const requestedMillis = requestedWait(self, observation, rateLimit, now)
  const isExcessive = requestedMillis !== undefined && requestedMillis > Limits.MAX_WAIT
  // The response to a secondary limit may report an empty primary window that is not empty.
  const isOfAnother = rateLimit.limit === "secondary" && observation.remaining === 0
  const next = applyObservation(release(self, lease, now), lease, isOfAnother || isExcessive ? rest : observation, now)
  const acceptedMillis = isExcessive ? undefined : requestedMillis
  const { pause } = self
  if (pause !== undefined && lease.epoch !== self.epoch) {
    // The request was in flight when the pause began, so the response does not count as another pause.
    const until = Math.max(pause.until, now + (acceptedMillis ?? Limits.DEFAULT_PAUSE))
    return [until, { ...next, pause: { ...pause, until } }]
  }
  const previous = pause ?? self.lifted
  const persists =
    previous !== undefined && lease.grantedAt < previous.until + Math.max(previous.length, Limits.MIN_PAUSE)
  const doubled = persists ? Math.max(previous.length * 2, Limits.MIN_PAUSE) * (1 + chance * Limits.PAUSE_JITTER) : 0
  const length = Math.ceil(Math.max(acceptedMillis ?? Limits.DEFAULT_PAUSE, Math.min(doubled, Limits.MAX_PAUSE)))
  const until = now + length
  return [
    until,
    {
      ...next,
      pause: { until, limit: rateLimit.limit, length, probing: undefined },
      lifted: undefined,
      epoch: self.epoch + 1
    }
  ]
}

/** Extends the leases of a process until a time. Returns the same budget if the process has none. */
export const renewHolder = (self: Budget, name: string, until: number): Budget => {
  const holder = self.holders.get(name)
  return holder === undefined ? self : { ...self, holders: new Map(self.holders).set(name, { ...holder, until }) }
}

/** Removes the leases of processes without a recent heartbeat. Returns the same budget if all processes are active. */
export const expireHolders = (self: Budget, now: number): Budget => {
  let next = self
  for (const [name, holder] of self.holders) {
    if (holder.until > now) continue
    const holders = new Map(next.holders)
    holders.delete(name)
    const { pause } = next
    next = { ...next, holders, pause: pause?.probing === name ? { ...pause, probing: undefined } : pause }
    for (const [resource, count] of holder.inFlight) next = recordLost(next, resource, count, now)
  }
  return next
}

/**
 * Returns a lease to the budget. The charges count from `now`, the latest time at which the forge may have received the
 * request. An expired lease frees no request in flight.
 */
const release = (self: Budget, lease: Lease, now: number): Budget => {
  const { grantedAt, holder, requestClass } = lease
  const isHeld = grantedAt >= (self.holders.get(holder)?.since ?? Infinity)
  const { pause } = self
  return {
    ...self,
    meters: self.limits === "none" ? self.meters : moveCharges(self.meters, requestClass, grantedAt, now),
    holders: isHeld ? adjustInFlight(self.holders, holder, requestClass.resource, -1, now) : self.holders,
    pause: lease.probe && lease.epoch === self.epoch && pause !== undefined ? { ...pause, probing: undefined } : pause
  }
}

const moveCharges = (
  meters: Budget["meters"],
  requestClass: Lease["requestClass"],
  from: number,
  to: number
): Budget["meters"] => {
  let next: Map<string, SlidingWindowCounter.SlidingWindowCounter> | undefined
  for (const { amount, meter, limit } of RateLimitCost.costsOf(requestClass)) {
    const known = meters.get(meter) ?? SlidingWindowCounter.empty
    const after = SlidingWindowCounter.move(known, limit.span, from, to, amount)
    if (after !== known) (next ??= new Map(meters)).set(meter, after)
  }
  return next ?? meters
}

/** Records requests without a response, which the forge may have counted. */
const recordLost = (self: Budget, resource: string, count: number, now: number): Budget => {
  const known = self.resources.get(resource)
  if (known === undefined) return self
  const lost = { count: (known.lost?.count ?? 0) + count, at: now }
  return { ...self, resources: new Map(self.resources).set(resource, { ...known, lost }) }
}

const applyObservation = (self: Budget, lease: Lease, observation: Observation, now: number): Budget => {
  const skew = observation.skew === undefined ? self.skew : RateLimitWindow.narrow(self.skew, observation.skew)
  if (observation.window === undefined) {
    const isFirstHint = observation.silence !== undefined && (self.limits === "unknown" || self.limits === "silent")
    return { ...self, skew, limits: isFirstHint ? observation.silence : self.limits }
  }
  const requested = lease.requestClass.resource
  const name = observation.resource ?? (requested === Limits.UNMETERED ? "core" : requested)
  const known = self.resources.get(name)
  const resources = new Map(self.resources).set(name, {
    window: RateLimitWindow.merge(known?.window, RateLimitWindow.clamp(observation.window, skew, now)),
    countedBy: undefined,
    // The response to a request sent after the lost requests counts the lost requests, too.
    lost: known?.lost !== undefined && known.lost.at > lease.grantedAt ? known.lost : undefined
  })
  if (requested !== name && resources.get(requested)?.window === undefined) {
    resources.set(requested, { window: undefined, countedBy: name, lost: undefined })
  }
  for (const other of resources.keys()) {
    if (resources.size <= Limits.MAX_RESOURCES) break
    if (other !== name && other !== requested) resources.delete(other)
  }
  return { ...self, skew, limits: "stated", resources }
}

/**
 * Charges the latency of a response as CPU time, minus the round trip if known. Only an unmetered response measures the
 * round trip: a 304 takes as much CPU time as any other response.
 */
const addCpuTime = (self: Budget, lease: Lease, observation: Observation, now: number): Budget => {
  const { elapsed } = observation
  if (self.limits === "none" || elapsed === undefined) return self
  const { roundTrip, typical } = self.computing
  const isFree = lease.requestClass.resource === Limits.UNMETERED
  const shortest = isFree ? Math.min(roundTrip ?? Infinity, Math.max(0, elapsed - Limits.UNMETERED_CPU)) : roundTrip
  const cost = Math.max(0, elapsed - (shortest ?? 0))
  const computing = { roundTrip: shortest, typical: Math.max(cost, typical * 0.9 + cost * 0.1) }
  if (cost === 0) return { ...self, computing }
  const meters = new Map(self.meters)
  for (const counter of RateLimitCost.cpuCountersOf(lease.requestClass)) {
    const known = meters.get(counter) ?? SlidingWindowCounter.empty
    const { span } = RateLimitCost.limitOf(counter)
    meters.set(counter, SlidingWindowCounter.add(known, span, now, Math.round(cost)))
  }
  return { ...self, computing, meters }
}

/** Returns the wait in milliseconds that a rate limit response requests, if any. */
export const requestedWait = (
  self: Budget,
  observation: Observation,
  rateLimit: RateLimitResponse,
  now: number
): number | undefined => {
  const skew = observation.skew === undefined ? self.skew : RateLimitWindow.narrow(self.skew, observation.skew)
  const reset =
    observation.remaining === 0 && observation.window !== undefined
      ? RateLimitWindow.resetAt(observation.window, skew) - now
      : 0
  if (observation.retryAfter !== undefined) {
    return rateLimit.limit === "primary" ? Math.max(observation.retryAfter, reset) : observation.retryAfter
  }
  return reset > 0 ? reset : undefined
}
