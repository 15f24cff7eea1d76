/**
 * The interface of budget stores, and a store in memory. `@tongs/connection` has stores that processes or machines
 * share.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Budget from "./Budget.ts"
import * as Limits from "./Limits.ts"
import type { HolderStatus, WaitingRequests } from "./BudgetStatus.ts"

/** The store of budgets as a service. */
export class BudgetStore extends Context.Service<
  BudgetStore,
  {
    /** Name of this process among the processes that share the budgets. */
    readonly holder: string
    /** True if other processes can change the budgets, so that waiting requests must poll. */
    readonly isShared: boolean
    /** Returns the milliseconds by which the store's clock is ahead of the local clock. */
    readonly clockOffset: () => number
    /**
     * Changes the budget of a rate-limit scope atomically, starting with an empty budget. `f` must be pure, because a
     * store may call `f` more than once. If the store is unavailable, logs the failure and continues with the store's
     * last state.
     */
    readonly modify: <A>(scope: string, f: (budget: Budget.Budget) => readonly [A, Budget.Budget]) => Effect.Effect<A>
    /** The rate-limit scopes of this process with their budgets. */
    readonly all: Effect.Effect<ReadonlyArray<readonly [scope: string, budget: Budget.Budget]>>
    /**
     * Extends the leases of this process and publishes the waiting requests. Must run every
     * `Limits.HEARTBEAT_INTERVAL`.
     */
    readonly heartbeat: (scope: string, waiting: ReadonlyArray<WaitingRequests>) => Effect.Effect<void>
    /**
     * Returns the processes with a recent heartbeat that use a rate-limit scope. `budget` is the current budget of the
     * scope.
     */
    readonly holders: (scope: string, budget: Budget.Budget) => Effect.Effect<ReadonlyArray<HolderStatus>>
  }
>()("@tongs/core/limits/BudgetStore") {
  /** Provides a store in memory, for this process alone. */
  static readonly layerMemory: Layer.Layer<BudgetStore> = Layer.sync(BudgetStore, () => {
    const budgets = new Map<string, Budget.Budget>()
    return {
      holder: "",
      isShared: false,
      clockOffset: () => 0,
      modify: (scope, f) =>
        Effect.sync(() => {
          const known = budgets.get(scope)
          if (known === undefined && budgets.size >= Limits.MAX_SCOPES) evictIdle(budgets)
          const [result, next] = f(known ?? Budget.empty)
          budgets.set(scope, next)
          return result
        }),
      all: Effect.sync(() => [...budgets]),
      heartbeat: () => Effect.void,
      holders: () => Effect.succeed([])
    }
  })
}

const evictIdle = (budgets: Map<string, Budget.Budget>): void => {
  for (const [scope, budget] of budgets) {
    if (budget.holders.size === 0 && budget.pause === undefined) {
      budgets.delete(scope)
      return
    }
  }
}
