/** The budget of this connection's credential: what the forge says, which costs nothing, and what the scheduler knows. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { RateLimitStatus } from "@tongs/core/contract/RateLimit"
import type { CallOptions } from "@tongs/core/client/CallOptions"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type { ScopeStatus, WindowStatus } from "@tongs/core/limits/ScopeStatus"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Deadline from "./Deadline.ts"

export interface BudgetReport extends Pick<ScopeStatus, "windows" | "meters" | "inFlight" | "waiting" | "holders"> {
  /** Whether the forge limits its callers at all. */
  readonly limits: "on" | "off"
  /** Local epoch milliseconds until which the scheduler sends nothing, after a refusal. */
  readonly pausedUntil: number | null
}

/** The budget as the forge tells it now. */
export const read = Effect.suspend(() => lookWith(Deadline.interactive))

/** The same for who looks again soon: where the request would have to wait, what is known already has to do. */
export const readForWatch = Effect.suspend(
  () =>
    lookWith(Effect.map(Clock.currentTimeMillis, (now) => ({ priority: "interactive", deadline: now + 1000 }) as const)) // a literal priority
)

const lookWith = Effect.fnUntraced(function* (patience: Effect.Effect<CallOptions>) {
  const forge = yield* Forge
  const scheduler = yield* Scheduler
  const seen = Effect.map(scheduler.status, (views) => views.find(({ scope }) => scope === forge.scope))
  const told = yield* forge.rateLimit.get({}, yield* patience).pipe(
    Effect.map(({ resources }) => windows(resources)),
    Effect.catchTags({
      NotFound: () => Effect.undefined, // limits are off (spec part 4)
      // Nothing is sent now: what was known before has to do.
      RateLimited: () => Effect.map(seen, (view) => view?.windows ?? [])
    })
  )
  const view = yield* seen
  return {
    limits: told === undefined ? "off" : "on",
    windows: told ?? [],
    meters: view?.meters ?? [],
    inFlight: view?.inFlight ?? 0,
    waiting: view?.waiting ?? [],
    holders: view?.holders ?? [],
    pausedUntil: view?.pausedUntil ?? null
  } satisfies BudgetReport
})

const windows = (resources: RateLimitStatus["resources"]): ReadonlyArray<WindowStatus> =>
  Object.entries(resources).flatMap(([resource, window]) =>
    window === undefined ? [] : [{ resource, ...window, reset: window.reset * 1000 }]
  )

/** The state in one line; times are told from `now`. */
export const summary = ({ limits, windows }: Pick<BudgetReport, "limits" | "windows">, now: number): string =>
  limits === "off" ? "no limits" : windows.map((window) => windowText(window, now)).join("; ")

const windowText = ({ limit, remaining, reset, resource }: WindowStatus, now: number) =>
  `${resource} ${NumberFormat.format(remaining)} of ${NumberFormat.format(limit)} left${remaining < limit ? `, full again ${RelativeTime.format(reset, now)}` : ""}`
