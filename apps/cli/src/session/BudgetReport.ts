/** Reports the rate limits of the current credential: from a request that costs no quota, and from the scheduler. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { RateLimitStatus } from "@tongs/core/contract/groups/RateLimit"
import type { CallOptions } from "@tongs/core/client/CallOptions"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type { BudgetStatus, WindowStatus } from "@tongs/core/limits/BudgetStatus"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as InteractiveRequest from "./InteractiveRequest.ts"

/** The rate-limit budgets of a credential. */
export interface BudgetReport extends Pick<BudgetStatus, "windows" | "meters" | "inFlight" | "waiting" | "holders"> {
  /** `off` if the forge has no rate limits. */
  readonly limits: "on" | "off"
  /**
   * End of a pause in epoch milliseconds by the local clock. The scheduler pauses after the forge refuses a request.
   */
  readonly pausedUntil: number | null
}

/** Reads the current rate-limit budgets. */
export const read = Effect.suspend(() => readWith(InteractiveRequest.interactive))

/** Reads the budgets for `--watch`. Waits at most a second for the forge, then uses the scheduler's last values. */
export const readInWatchMode = Effect.suspend(
  () =>
    readWith(Effect.map(Clock.currentTimeMillis, (now) => ({ priority: "interactive", deadline: now + 1000 }) as const)) // a literal priority
)

const readWith = Effect.fnUntraced(function* (options: Effect.Effect<CallOptions>) {
  const forge = yield* Forge
  const scheduler = yield* Scheduler
  const scopeStatus = Effect.map(scheduler.status, (scopes) => scopes.find(({ scope }) => scope === forge.scope))
  const reported = yield* forge.rateLimit.get({}, yield* options).pipe(
    Effect.map(({ resources }) => windows(resources)),
    Effect.catchTags({
      NotFound: () => Effect.undefined, // A forge without limits responds with 404.
      // Uses the scheduler's last values, because the rate limit allows no request now.
      RateLimited: () => Effect.map(scopeStatus, (view) => view?.windows ?? [])
    })
  )
  const view = yield* scopeStatus
  return {
    limits: reported === undefined ? "off" : "on",
    windows: reported ?? [],
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

/** Formats the budgets in one line, with times relative to `now` (epoch milliseconds). */
export const summary = ({ limits, windows }: Pick<BudgetReport, "limits" | "windows">, now: number): string =>
  limits === "off" ? "no limits" : windows.map((window) => windowText(window, now)).join("; ")

const windowText = ({ limit, remaining, reset, resource }: WindowStatus, now: number) =>
  `${resource} ${NumberFormat.format(remaining)} of ${NumberFormat.format(limit)} left${remaining < limit ? `, resets ${RelativeTime.format(reset, now)}` : ""}`
