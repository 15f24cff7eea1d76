/** The budget of this connection's credential: what the forge says, which costs nothing, and what the scheduler knows. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type { ScopeView, WindowView } from "@tongs/core/limits/View"
import * as Ago from "@tongs/core/text/Ago"
import * as Count from "@tongs/core/text/Count"
import * as Patience from "./Patience.ts"

export interface Budget extends Pick<ScopeView, "windows" | "inFlight" | "waiting"> {
  /** Whether the forge limits its callers at all. */
  readonly limits: "on" | "off"
  /** Local epoch milliseconds until which the scheduler sends nothing, after a refusal. */
  readonly pausedUntil: number | null
}

export const look = Effect.gen(function* () {
  const forge = yield* Forge
  const scheduler = yield* Scheduler
  const resources = yield* forge.rateLimit.get({}, yield* Patience.interactive).pipe(
    Effect.map((status) => status.resources),
    Effect.catchTag("NotFound", () => Effect.undefined) // limits are off (spec part 4)
  )
  const view = (yield* scheduler.view).find(({ scope }) => scope === forge.scope)
  return {
    limits: resources === undefined ? "off" : "on",
    windows: Object.entries(resources ?? {}).flatMap(([resource, window]): ReadonlyArray<WindowView> =>
      window === undefined ? [] : [{ resource, ...window, reset: window.reset * 1000 }]
    ),
    inFlight: view?.inFlight ?? 0,
    waiting: view?.waiting ?? [],
    pausedUntil: view?.pausedUntil ?? null
  } satisfies Budget
})

/** The state in one line; times are told from `now`. */
export const line = ({ limits, windows }: Pick<Budget, "limits" | "windows">, now: number): string =>
  limits === "off" ? "no limits" : windows.map((window) => windowText(window, now)).join("; ")

const windowText = ({ limit, remaining, reset, resource }: WindowView, now: number) =>
  `${resource} ${Count.format(remaining)} of ${Count.format(limit)} left${remaining < limit ? `, full again ${Ago.format(reset, now)}` : ""}`
