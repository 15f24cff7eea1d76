/** The store of budgets: a port. In memory here; `@tongs/connection` has stores that processes or machines share. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Budget from "./Budget.ts"
import * as Limits from "./Limits.ts"
import type { HolderStatus, WaitingRequests } from "./ScopeStatus.ts"

/** The store of budgets as a service. */
export class BudgetStore extends Context.Service<
  BudgetStore,
  {
    /** Identifies this process among those that share the budgets. */
    readonly holder: string
    /** True if other processes change the budgets, so that waiting requests must poll. */
    readonly isShared: boolean
    /** Milliseconds by which the clock of the budgets is ahead of the local one. */
    readonly clockOffset: () => number
    /**
     * Changes the budget of a scope atomically; a new scope has an empty one. `f` is pure, and may run more than once. A
     * store that is unavailable logs it and continues with its last state.
     */
    readonly modify: <A>(scope: string, f: (budget: Budget.Budget) => readonly [A, Budget.Budget]) => Effect.Effect<A>
    /** The scopes of this process and their budgets. */
    readonly all: Effect.Effect<ReadonlyArray<readonly [scope: string, budget: Budget.Budget]>>
    /** Extends the leases of this process and publishes its waiting requests. Due every `Limits.HEARTBEAT_INTERVAL`. */
    readonly heartbeat: (scope: string, waiting: ReadonlyArray<WaitingRequests>) => Effect.Effect<void>
    /** The active processes of a scope, by their heartbeats. `budget` is the current one. */
    readonly holders: (scope: string, budget: Budget.Budget) => Effect.Effect<ReadonlyArray<HolderStatus>>
  }
>()("@tongs/core/limits/BudgetStore") {
  /** Budgets of this process alone. */
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
