/**
 * What is known of one scope, that is of one credential on one host, and the decisions that follow from it. Pure: every
 * function gives the next state, and a store makes the step atomic.
 */
import * as Limits from "./Limits.ts"
import type { Refusal } from "./Refusal.ts"
import * as Window from "./Window.ts"

export type Priority = "interactive" | "normal" | "background"

/** What a request asks of the budget. */
export interface Ask {
  /** The rate limit resource that counts it; `none` costs nothing. */
  readonly resource: string
  readonly priority: Priority
}

interface Resource {
  readonly window: Window.Window | undefined
  readonly inFlight: number
  /** The resource that the forge counts it by, where that is another: some count code search as search. */
  readonly countedBy: string | undefined
}

export interface Budget {
  readonly resources: ReadonlyMap<string, Resource>
  readonly inFlight: number
  readonly skew: Window.Skew | undefined
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

/** The scope is held back until a time, and then until one request, the probe, has been let through. */
export interface Pause {
  /** Local epoch milliseconds. */
  readonly until: number
  readonly limit: Refusal["limit"]
  /** How long it was made, in milliseconds: the next one in a row takes twice as long. */
  readonly length: number
  readonly probing: boolean
}

/** A request's share of the budget while it is in flight. */
export interface Lease {
  readonly resource: string
  readonly epoch: number
  /** The one request that tells whether a pause is over. */
  readonly probe: boolean
  /** Local epoch milliseconds at which it was given. */
  readonly since: number
}

/** Why a request waits: the primary window, the tenth of it kept from background, a pause, its probe, concurrency. */
export type Reason = "primary" | "reserve" | "pause" | "probe" | "concurrency"

/** `until` (local epoch milliseconds) is missing where only another request's answer can tell. */
export type Decision =
  | { readonly _tag: "Admitted"; readonly lease: Lease }
  | {
      readonly _tag: "Wait"
      readonly reason: Reason
      readonly limit: Refusal["limit"] | "concurrency"
      readonly until: number | undefined
    }

export type Wait = Extract<Decision, { readonly _tag: "Wait" }>

export const empty: Budget = {
  resources: new Map(),
  inFlight: 0,
  skew: undefined,
  limits: "unknown",
  pause: undefined,
  lifted: undefined,
  epoch: 0
}

/** A lease for a request that wants to leave now, or why and how long it waits. */
export const admit = (self: Budget, ask: Ask, now: number): readonly [Decision, Budget] => {
  const wait = obstacle(self, ask, now)
  if (wait !== undefined) return [wait, self]
  const { pause } = self
  const lease: Lease = { resource: ask.resource, epoch: self.epoch, probe: pause !== undefined, since: now }
  return [
    { _tag: "Admitted", lease },
    {
      ...self,
      resources: occupy(self.resources, ask.resource, 1),
      inFlight: self.inFlight + 1,
      pause: pause === undefined ? undefined : { ...pause, probing: true }
    }
  ]
}

/** Gives a lease back. Without an observation no answer came: a probe has then found out nothing. */
export const settle = (self: Budget, lease: Lease, observation: Window.Observation | undefined): Budget => {
  const freed = release(self, lease)
  if (observation === undefined) return freed
  const learned = learn(freed, lease, observation)
  return lease.probe && lease.epoch === self.epoch ? { ...learned, pause: undefined, lifted: learned.pause } : learned
}

/** Gives back a lease whose request was refused, and pauses the scope. Also when the refused request may be sent again. */
export const refuse = (
  self: Budget,
  lease: Lease,
  observation: Window.Observation,
  refusal: Refusal,
  now: number
): readonly [until: number, next: Budget] => {
  const next = learn(release(self, lease), lease, observation)
  const stated = statedWait(next, observation, refusal, now)
  const { pause } = self
  if (pause !== undefined && lease.epoch !== self.epoch) {
    // It was in flight when the pause began: part of the refusal that began it, not one more.
    const until = Math.max(pause.until, now + (stated ?? Limits.PAUSE))
    return [until, { ...next, pause: { ...pause, until } }]
  }
  const previous = pause ?? self.lifted
  const persists = previous !== undefined && now < previous.until + previous.length
  const longer = persists ? Math.min(previous.length * 2, Limits.MAX_PAUSE) : 0
  const length = Math.max(stated ?? Limits.PAUSE, longer)
  const until = now + length
  return [
    until,
    {
      ...next,
      pause: { until, limit: refusal.limit, length, probing: false },
      lifted: undefined,
      epoch: self.epoch + 1
    }
  ]
}

const obstacle = (self: Budget, ask: Ask, now: number): Wait | undefined => {
  const { pause } = self
  if (pause !== undefined) {
    if (now < pause.until) return wait("pause", pause.limit, pause.until)
    if (pause.probing) return wait("probe", pause.limit, undefined)
  }
  if (self.inFlight >= Limits.CONCURRENCY) return wait("concurrency", "concurrency", undefined)
  if (ask.resource === Limits.FREE) return undefined
  const own = self.resources.get(ask.resource)
  const other = own?.window === undefined ? self.resources.get(own?.countedBy ?? "") : undefined
  const window = own?.window ?? other?.window
  const inFlight = (own?.inFlight ?? 0) + (other?.inFlight ?? 0)
  if (window === undefined) {
    return (self.limits === "unknown" || self.limits === "stated") && inFlight >= Limits.assumed(ask.resource)
      ? wait("primary", "primary", undefined)
      : undefined
  }
  const reset = Window.resetAt(window, self.skew)
  // Requests in flight may or may not be in the count already; taking them for uncounted is never too many.
  const free = (now < reset ? window.remaining : window.limit) - inFlight
  const kept = ask.priority === "background" ? Math.ceil(window.limit * Limits.RESERVE) : 0
  // A new window has room for one at least, however little its limit leaves: else nobody would learn of the next.
  if (free > kept || (now >= reset && inFlight === 0)) return undefined
  return wait(free > 0 ? "reserve" : "primary", "primary", now < reset ? reset : undefined)
}

const wait = (reason: Reason, limit: Wait["limit"], until: number | undefined): Wait => ({
  _tag: "Wait",
  reason,
  limit,
  until
})

const release = (self: Budget, lease: Lease): Budget => ({
  ...self,
  resources: occupy(self.resources, lease.resource, -1),
  inFlight: self.inFlight - 1,
  pause:
    lease.probe && lease.epoch === self.epoch && self.pause !== undefined
      ? { ...self.pause, probing: false }
      : self.pause
})

const learn = (self: Budget, lease: Lease, observation: Window.Observation): Budget => {
  const skew = observation.skew === undefined ? self.skew : Window.refine(self.skew, observation.skew)
  if (observation.window === undefined) {
    const heard = observation.silence !== undefined && (self.limits === "unknown" || self.limits === "silent")
    return { ...self, skew, limits: heard ? observation.silence : self.limits }
  }
  const name = observation.resource ?? (lease.resource === Limits.FREE ? "core" : lease.resource)
  const known = self.resources.get(name)
  if (known === undefined && self.resources.size >= Limits.MAX_RESOURCES) return { ...self, skew, limits: "stated" }
  const resources = new Map(self.resources).set(name, {
    window: Window.merge(known?.window, observation.window),
    inFlight: known?.inFlight ?? 0,
    countedBy: undefined
  })
  const asked = resources.get(lease.resource)
  if (asked !== undefined && asked.window === undefined) resources.set(lease.resource, { ...asked, countedBy: name })
  return { ...self, skew, limits: "stated", resources }
}

const occupy = (resources: Budget["resources"], name: string, by: 1 | -1): Budget["resources"] => {
  const known = resources.get(name) ?? { window: undefined, inFlight: 0, countedBy: undefined }
  return new Map(resources).set(name, { ...known, inFlight: Math.max(0, known.inFlight + by) })
}

const statedWait = (
  self: Budget,
  observation: Window.Observation,
  refusal: Refusal,
  now: number
): number | undefined => {
  const reset =
    observation.remaining === 0 && observation.window !== undefined
      ? Window.resetAt(observation.window, self.skew) - now
      : 0
  if (observation.retryAfter !== undefined) {
    return refusal.limit === "primary" ? Math.max(observation.retryAfter, reset) : observation.retryAfter
  }
  return reset > 0 ? reset : undefined
}
