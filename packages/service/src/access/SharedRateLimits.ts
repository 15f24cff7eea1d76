/**
 * Enforces the rate limits over all processes of a cluster, with counters in PostgreSQL. Each process admits requests
 * from units that it has leased (`LeasedCounters.ts`).
 *
 * **Details**
 *
 * Each limit counts in windows that begin with a request, at the same time for all processes. In no window do the
 * processes together admit more than the limit. Where a single process has a sliding minute or hour, a cluster has
 * windows of this length too. The time and the points of a request that are only known at its end are counted then,
 * for other processes within a second, so the requests that run at this moment can exceed these two limits.
 *
 * `used` is what requests have used and what other processes have leased, as of the last question to the database:
 * at each lease, and for `GET /rate_limit`. It is never above the limit, and falls when a process gives back what it
 * did not use. `remaining` is 0 if this process would refuse the next request.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { RateLimitStatus } from "@tongs/core/contract/groups/RateLimit"
import * as RateLimitCounterRows from "../storage/postgres/RateLimitCounterRows.ts"
import type { Caller } from "./Caller.ts"
import * as ElapsedTime from "../base/ElapsedTime.ts"
import * as LeasedCounter from "./LeasedCounter.ts"
import * as LeasedCounters from "./LeasedCounters.ts"
import {
  budgetKey,
  hasRaisedLimit,
  isSearch,
  type LimitedResource,
  type RateLimitNumbers,
  windowLimit,
  windowResource,
  type WindowResource
} from "./RateLimitPolicy.ts"
import {
  type CountedRequest,
  primary,
  type RateLimitDecision,
  RateLimits,
  secondary,
  shape,
  windowHeaders
} from "./RateLimits.ts"

/** Maximum unused units that a process leases: of requests and points, and of CPU time in milliseconds. */
const SPARE_UNITS = 100
const SPARE_CPU_MILLIS = 2000

const NANOS_PER_MILLI = 1_000_000

/** Milliseconds for which the database knows the concurrent requests of a process, at least and at most twice. */
const CONCURRENT_MILLIS = 10_000

/** Milliseconds until a retry of a request that exceeds the concurrent requests. */
const CONCURRENT_RETRY_MILLIS = 1000

const SWEEP_INTERVAL = "1 second"
const FORGET_INTERVAL = "1 minute"

/** Maximum time for giving back all units at the end. */
const CLOSE_LIMIT = "5 seconds"

const unlimited = {
  charge: () => Effect.undefined,
  settle: () => Effect.void
}

/**
 * Creates the rate limits of this process with the leases of `counters`. The time of requests is measured by
 * `monotonic`, in milliseconds, because no request uses the time by which the wall clock is moved forward.
 */
export const fromCounters = (
  numbers: RateLimitNumbers,
  counters: LeasedCounters.LeasedCounters,
  monotonic: () => number
) => {
  const { minute } = numbers

  const kindOf = (name: string, length: number, maximum: number, spare = SPARE_UNITS): LeasedCounter.CounterKind => ({
    name,
    length,
    maximum,
    carries: false,
    spare
  })
  const concurrent = { ...kindOf("concurrent", CONCURRENT_MILLIS, numbers.concurrent), carries: true }
  const cpu = kindOf("cpu", minute, numbers.cpuPerMinute, SPARE_CPU_MILLIS)
  const graphqlCpu = kindOf("graphql cpu", minute, numbers.graphqlCpuPerMinute, SPARE_CPU_MILLIS)
  const contentMinute = kindOf("content per minute", minute, numbers.contentPerMinute)
  const contentHour = kindOf("content per hour", 60 * minute, numbers.contentPerHour)
  const tokens = kindOf("tokens", 60 * minute, numbers.tokensPerHour)

  const windowOf = (budget: string, caller: Caller, resource: WindowResource) => {
    const length = isSearch(resource) ? numbers.searchWindow : numbers.window
    return counters.find(budget, kindOf(`window ${resource}`, length, windowLimit(numbers, caller, resource)))
  }

  const admit = Effect.fnUntraced(function* (counted: CountedRequest) {
    const { address, caller, endpoint, givesToken = false, method, resource } = counted
    const budget = budgetKey(caller, address)
    const isRead = method === "GET" || method === "HEAD" || method === "OPTIONS"
    const isGraphQl = resource === "graphql"
    const createsContent = !isRead && method !== "DELETE" && !givesToken && !isGraphQl
    const pointsPerMinute = isGraphQl ? numbers.graphqlPointsPerMinute : numbers.pointsPerMinute
    const points = counted.points ?? (isRead ? 1 : 5)
    const of = (kind: LeasedCounter.CounterKind) => counters.find(budget, kind)
    const need = (counter: LeasedCounter.LeasedCounter, amount = 1) => ({ counter, amount })

    const window = resource === "none" ? undefined : windowOf(budget, caller, windowResource(caller, resource))
    const lower = resource === "core" && hasRaisedLimit(caller) ? windowOf(budget, caller, "core") : undefined
    const slot = of(concurrent)
    const spent = of(kindOf(`points of ${endpoint}`, minute, pointsPerMinute))
    const times = isGraphQl ? [of(cpu), of(graphqlCpu)] : [of(cpu)]
    const headers = () => (window === undefined ? {} : windowHeaders(resource, stateOf(window)))

    const short = yield* counters.take([
      ...(window === undefined ? [] : [need(window)]),
      // Requests that use the raised limit of an enterprise also count towards the normal limit.
      ...(lower === undefined ? [] : [{ ...need(lower), isOptional: true }]),
      need(slot),
      need(spent, points),
      // A request needs a millisecond, and uses more or less of it.
      ...times.map((time) => need(time)),
      ...(createsContent ? [need(of(contentMinute)), need(of(contentHour))] : []),
      ...(givesToken ? [need(of(tokens))] : [])
    ])
    if (window !== undefined && short.includes(window)) {
      return { ...unlimited, headers, exceeded: primary(caller, address) }
    }
    if (short.length > 0) return { ...unlimited, headers, exceeded: secondary(waitOf(short)) }

    const begin = monotonic()
    const windows = [window, lower].flatMap((counter) =>
      counter === undefined ? [] : [{ counter, resetsAt: counter.resetsAt }]
    )
    const timesUsed = times.map((counter) => ({ counter, resetsAt: counter.resetsAt }))
    const pointsReset = spent.resetsAt
    const settle = (free: boolean) =>
      Effect.sync(() => {
        LeasedCounter.giveBack(slot, 1, slot.resetsAt)
        const rest = 1 - Math.round(monotonic() - begin)
        for (const { counter, resetsAt } of timesUsed) LeasedCounter.giveBack(counter, rest, resetsAt)
        if (free) for (const { counter, resetsAt } of windows) LeasedCounter.giveBack(counter, 1, resetsAt)
      })
    const charge = Effect.fnUntraced(function* (cost: number, ofQuery: number) {
      if (window !== undefined && cost > 1 && !(yield* takeMore(window, cost - 1))) return primary(caller, address)
      LeasedCounter.giveBack(spent, points - ofQuery, pointsReset)
      return undefined
    })
    return { headers, exceeded: undefined, charge, settle } satisfies RateLimitDecision
  })

  /** Takes many units of a window. Leases them only if the window has as many, because others could use some. */
  const takeMore = Effect.fnUntraced(function* (window: LeasedCounter.LeasedCounter, amount: number) {
    if (window.balance < amount) {
      yield* counters.refresh([window])
      if (LeasedCounter.usedUnits(window) + amount > window.maximum) return false
    }
    return (yield* counters.take([{ counter: window, amount }])).length === 0
  })

  const waitOf = (short: ReadonlyArray<LeasedCounter.LeasedCounter>) => {
    const now = counters.time()
    return Math.max(
      ...short.map(({ kind, windowEnd }) => (kind.carries ? CONCURRENT_RETRY_MILLIS : Math.max(1, windowEnd - now)))
    )
  }

  const status = Effect.fnUntraced(function* (caller: Caller, address: string) {
    const budget = budgetKey(caller, address)
    const of = (resource: LimitedResource) => windowOf(budget, caller, windowResource(caller, resource))
    const windows = { core: of("core"), search: of("search"), code_search: of("code_search"), graphql: of("graphql") }
    yield* counters.refresh(Object.values(windows))
    const core = shape(stateOf(windows.core))
    return {
      resources: {
        core,
        search: shape(stateOf(windows.search)),
        code_search: shape(stateOf(windows.code_search)),
        graphql: shape(stateOf(windows.graphql)),
        integration_manifest: { ...core, used: 0, remaining: core.limit }
      }
    } satisfies RateLimitStatus
  })

  return RateLimits.of({ enforced: true, admit, status })
}

const stateOf = (counter: LeasedCounter.LeasedCounter) => ({
  limit: counter.maximum,
  used: LeasedCounter.usedUnits(counter),
  reset: counter.resetsAt
})

/** Layer of the rate limits of a process of a cluster. Needs PostgreSQL. Gives back all leases at the end. */
export const layer = (numbers: RateLimitNumbers) =>
  Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const rows = yield* RateLimitCounterRows.make
      const clock = yield* Clock.Clock
      const counters = yield* LeasedCounters.make(rows, ElapsedTime.make(clock))
      const monotonic = () => Number(clock.monotonicTimeNanosUnsafe()) / NANOS_PER_MILLI
      const logged = (what: string) =>
        Effect.catchCause((cause) => Effect.logWarning(`rate limits: ${what} failed`, cause))
      yield* Effect.addFinalizer(() =>
        Effect.ignore(
          Effect.timeoutOption(Effect.interruptible(counters.close.pipe(logged("giving back the leases"))), CLOSE_LIMIT)
        )
      )
      const sweep = logged("giving back unused leases")(counters.sweep)
      yield* Effect.forkScoped(Effect.schedule(sweep, Schedule.spaced(SWEEP_INTERVAL)))
      const forget = logged("deleting the counters of ended windows")(rows.forget)
      yield* Effect.forkScoped(Effect.schedule(forget, Schedule.spaced(FORGET_INTERVAL)))
      return fromCounters(numbers, counters, monotonic)
    })
  )
