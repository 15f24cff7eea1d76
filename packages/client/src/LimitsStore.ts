/** The storage of a client's rate-limit budgets: the option `limitsStore` of `createForge`. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Budget } from "@tongs/core/limits/Budget"
import type { HolderStatus, WaitingRequests } from "@tongs/core/limits/BudgetStatus"
import type { BudgetStore } from "@tongs/core/limits/BudgetStore"

/** A store of rate-limit budgets that several processes share: the result of `sqlite` or `redis`. */
export interface LimitsStore {
  /** Name of the function that created the store. */
  readonly kind: string
}

/** A `BudgetStore` with promises, because each entry point of this package contains a separate copy of Effect. */
export interface PromisedStore {
  readonly holder: string
  readonly clockOffset: () => number
  readonly modify: <A>(scope: string, f: (budget: Budget) => readonly [A, Budget]) => Promise<A>
  readonly all: () => Promise<ReadonlyArray<readonly [scope: string, budget: Budget]>>
  readonly heartbeat: (scope: string, waiting: ReadonlyArray<WaitingRequests>) => Promise<void>
  readonly holders: (scope: string, budget: Budget) => Promise<ReadonlyArray<HolderStatus>>
  readonly close: () => Promise<void>
}

/** Receives a warning. */
export type Log = (message: string) => void

/** Opens a store. An unavailable store logs a warning, and continues with the budgets of this process. */
export type OpenStore = (log: Log) => Promise<PromisedStore>

/** Hides the function from the type. A registered symbol, which all entry points of this package share. */
const key = Symbol.for("@tongs/client/limitsStore")

export const define = (kind: string, open: OpenStore): LimitsStore =>
  Object.freeze(Object.defineProperty({ kind }, key, { value: open }))

/** Returns the Effect that opens a store. Throws a `TypeError` for another value. */
export const resolve = (
  store: LimitsStore
): ((log: Log) => Effect.Effect<BudgetStore["Service"], never, Scope.Scope>) => {
  const open: unknown = Reflect.get(store, key)
  if (typeof open !== "function") {
    throw new TypeError("Invalid `limitsStore`: pass the result of `sqlite()` or `redis(…)`")
  }
  return (log) =>
    Effect.map(
      Effect.acquireRelease(
        Effect.promise(() => (open as OpenStore)(log)), // oxlint-disable-line typescript/no-unsafe-type-assertion -- only `define` sets it
        ({ close }) => Effect.promise(close)
      ),
      ({ all, clockOffset, heartbeat, holder, holders, modify }) => ({
        holder,
        isShared: true,
        clockOffset,
        modify: (scope, f) => Effect.promise(() => modify(scope, f)),
        all: Effect.promise(all),
        heartbeat: (scope, waiting) => Effect.promise(() => heartbeat(scope, waiting)),
        holders: (scope, budget) => Effect.promise(() => holders(scope, budget))
      })
    )
}
