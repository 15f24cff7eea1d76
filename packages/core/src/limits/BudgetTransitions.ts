/** What a budget learns when a request ends: by an answer, a refusal, neither, or with the process that sent it. Pure. */
import { type Budget, type Lease, adjustInFlight } from "./Budget.ts"
import * as Limits from "./Limits.ts"
import * as MeterCharge from "./MeterCharge.ts"
import type { RateLimitResponse } from "./RateLimitResponse.ts"
import * as RateLimitWindow from "./RateLimitWindow.ts"
import * as SlidingWindowCounter from "./SlidingWindowCounter.ts"

/** Gives a lease back. Without an observation no answer came: a probe has then found out nothing. */
export const reconcile = (
  self: Budget,
  lease: Lease,
  observation: RateLimitWindow.Observation | undefined,
  now: number
): Budget => {
  const freed = release(self, lease, now)
  if (observation === undefined) return recordLost(freed, lease.requestClass.resource, 1, now)
  const learned = addCpuTime(applyObservation(freed, lease, observation, now), lease, observation, now)
  return lease.probe && lease.epoch === self.epoch ? { ...learned, pause: undefined, lifted: learned.pause } : learned
}

/** Gives back a lease that nothing was sent for. */
export const cancel = (self: Budget, lease: Lease, now: number): Budget => release(self, lease, now)

/**
 * Gives back a lease whose request was refused, and pauses the scope. Also when the refused request may be sent again.
 *
 * A wait that no documented limit lasts counts as none that was named: the pause is then the one that grows by itself, and
 * no budget ever holds the time that the forge named. `chance` is from 0 to 1, for the jitter.
 */
export const recordRateLimit = (
  self: Budget,
  lease: Lease,
  observation: RateLimitWindow.Observation,
  refusal: RateLimitResponse,
  now: number,
  chance = 0
): readonly [until: number, next: Budget] => {
  const { window: _, ...rest } = observation
  const named = requestedWait(self, observation, refusal, now)
  const isExcessive = named !== undefined && named > Limits.MAX_WAIT
  // A refusal because of another limit may say that nothing remains of the window: that is not the window's count.
  const isOfAnother = refusal.limit === "secondary" && observation.remaining === 0
  const next = applyObservation(release(self, lease, now), lease, isOfAnother || isExcessive ? rest : observation, now)
  const stated = isExcessive ? undefined : named
  const { pause } = self
  if (pause !== undefined && lease.epoch !== self.epoch) {
    // It was in flight when the pause began: part of the refusal that began it, not one more.
    const until = Math.max(pause.until, now + (stated ?? Limits.DEFAULT_PAUSE))
    return [until, { ...next, pause: { ...pause, until } }]
  }
  const previous = pause ?? self.lifted
  const persists =
    previous !== undefined && lease.grantedAt < previous.until + Math.max(previous.length, Limits.MIN_PAUSE)
  const doubled = persists ? Math.max(previous.length * 2, Limits.MIN_PAUSE) * (1 + chance * Limits.PAUSE_JITTER) : 0
  const length = Math.ceil(Math.max(stated ?? Limits.DEFAULT_PAUSE, Math.min(doubled, Limits.MAX_PAUSE)))
  const until = now + length
  return [
    until,
    {
      ...next,
      pause: { until, limit: refusal.limit, length, probing: undefined },
      lifted: undefined,
      epoch: self.epoch + 1
    }
  ]
}

/** Says of a process that it is there until then, where it holds something. */
export const renewHolder = (self: Budget, name: string, until: number): Budget => {
  const holder = self.holders.get(name)
  return holder === undefined ? self : { ...self, holders: new Map(self.holders).set(name, { ...holder, until }) }
}

/** Takes back what processes hold that have not been heard of in time. The same budget where there are none. */
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
 * Nobody holds it any more, and what it took counts from now on: the forge may have seen the request that late. A lease
 * that was taken back before, because its process seemed dead, frees nothing.
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
  for (const { amount, meter, limit } of MeterCharge.chargesOf(requestClass)) {
    const known = meters.get(meter) ?? SlidingWindowCounter.empty
    const after = SlidingWindowCounter.move(known, limit.span, from, to, amount)
    if (after !== known) (next ??= new Map(meters)).set(meter, after)
  }
  return next ?? meters
}

/** Requests that the forge may have counted though no answer came. */
const recordLost = (self: Budget, resource: string, count: number, now: number): Budget => {
  const known = self.resources.get(resource)
  if (known === undefined) return self
  const lost = { count: (known.lost?.count ?? 0) + count, at: now }
  return { ...self, resources: new Map(self.resources).set(resource, { ...known, lost }) }
}

const applyObservation = (
  self: Budget,
  lease: Lease,
  observation: RateLimitWindow.Observation,
  now: number
): Budget => {
  const skew = observation.skew === undefined ? self.skew : RateLimitWindow.narrow(self.skew, observation.skew)
  if (observation.window === undefined) {
    const heard = observation.silence !== undefined && (self.limits === "unknown" || self.limits === "silent")
    return { ...self, skew, limits: heard ? observation.silence : self.limits }
  }
  const asked = lease.requestClass.resource
  const name = observation.resource ?? (asked === Limits.UNMETERED ? "core" : asked)
  const known = self.resources.get(name)
  const resources = new Map(self.resources).set(name, {
    window: RateLimitWindow.merge(known?.window, RateLimitWindow.clamp(observation.window, skew, now)),
    countedBy: undefined,
    // This one left after those were lost, so that the count that it brings knows of them.
    lost: known?.lost !== undefined && known.lost.at > lease.grantedAt ? known.lost : undefined
  })
  if (asked !== name && resources.get(asked)?.window === undefined) {
    resources.set(asked, { window: undefined, countedBy: name, lost: undefined })
  }
  for (const other of resources.keys()) {
    if (resources.size <= Limits.MAX_RESOURCES) break
    if (other !== name && other !== asked) resources.delete(other)
  }
  return { ...self, skew, limits: "stated", resources }
}

/**
 * How long the answer took, less the round trip where that is known: what the forge may count as computing time. Only what
 * it has at hand tells the round trip: a 304 is computed like any other answer, however little comes of it.
 */
const addCpuTime = (self: Budget, lease: Lease, observation: RateLimitWindow.Observation, now: number): Budget => {
  const { elapsed } = observation
  if (self.limits === "none" || elapsed === undefined) return self
  const { roundTrip, typical } = self.computing
  const isFree = lease.requestClass.resource === Limits.UNMETERED
  const shortest = isFree ? Math.min(roundTrip ?? Infinity, Math.max(0, elapsed - Limits.UNMETERED_CPU)) : roundTrip
  const cost = Math.max(0, elapsed - (shortest ?? 0))
  const { span } = MeterCharge.limitOf(MeterCharge.CPU)
  return {
    ...self,
    computing: { roundTrip: shortest, typical: Math.max(cost, typical * 0.9 + cost * 0.1) },
    meters:
      cost === 0
        ? self.meters
        : new Map(self.meters).set(
            MeterCharge.CPU,
            SlidingWindowCounter.add(
              self.meters.get(MeterCharge.CPU) ?? SlidingWindowCounter.empty,
              span,
              now,
              Math.round(cost)
            )
          )
  }
}

/** The milliseconds that a refusal asks to wait, as the forge named them; nothing where it names no time. */
export const requestedWait = (
  self: Budget,
  observation: RateLimitWindow.Observation,
  refusal: RateLimitResponse,
  now: number
): number | undefined => {
  const skew = observation.skew === undefined ? self.skew : RateLimitWindow.narrow(self.skew, observation.skew)
  const reset =
    observation.remaining === 0 && observation.window !== undefined
      ? RateLimitWindow.resetAt(observation.window, skew) - now
      : 0
  if (observation.retryAfter !== undefined) {
    return refusal.limit === "primary" ? Math.max(observation.retryAfter, reset) : observation.retryAfter
  }
  return reset > 0 ? reset : undefined
}
