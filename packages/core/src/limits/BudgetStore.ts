/** Where budgets live: in this process, or where other processes with the same credential find them, too. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Budget from "./Budget.ts"
import * as Limits from "./Limits.ts"
import type { HolderStatus, WaitingRequests } from "./ScopeStatus.ts"

export class BudgetStore extends Context.Service<
  BudgetStore,
  {
    /** What this process is called among those that share the budgets. */
    readonly holder: string
    /** Whether other processes change them too, so that whoever waits has to look now and then. */
    readonly isShared: boolean
    /** Milliseconds by which the clock that budgets go by is ahead of the local one. */
    readonly clockOffset: () => number
    /**
     * One atomic step on the budget of a scope; a scope never seen has an empty one. `f` is pure, and a store may run it
     * more than once. A store that is out of order says so in the log and goes on with what it knows.
     */
    readonly modify: <A>(scope: string, f: (budget: Budget.Budget) => readonly [A, Budget.Budget]) => Effect.Effect<A>
    /** The scopes that this process has to do with, and their budgets. */
    readonly all: Effect.Effect<ReadonlyArray<readonly [scope: string, budget: Budget.Budget]>>
    /** Says that this process is still there, and what waits in it: to be said every `Limits.BEAT` while it is at work. */
    readonly heartbeat: (scope: string, waiting: ReadonlyArray<WaitingRequests>) => Effect.Effect<void>
    /** The processes that are at work in a scope, as far as they have said so; `budget` is the present one. */
    readonly holders: (scope: string, budget: Budget.Budget) => Effect.Effect<ReadonlyArray<HolderStatus>>
  }
>()("@tongs/core/limits/BudgetStore") {
  /** One process, as long as it runs. */
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
