/** Where budgets live: in this process, or where other processes with the same credential find them, too. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Budget from "./Budget.ts"
import * as Limits from "./Limits.ts"

export class LimitStore extends Context.Service<
  LimitStore,
  {
    /**
     * One atomic step on the budget of a scope; a scope never seen has an empty one. `f` is pure, and a store may run it
     * more than once.
     */
    readonly modify: <A>(scope: string, f: (budget: Budget.Budget) => readonly [A, Budget.Budget]) => Effect.Effect<A>
    /** Every scope and its budget. */
    readonly all: Effect.Effect<ReadonlyArray<readonly [scope: string, budget: Budget.Budget]>>
  }
>()("@tongs/core/limits/LimitStore") {
  /** One process, as long as it runs. */
  static readonly layerMemory: Layer.Layer<LimitStore> = Layer.sync(LimitStore, () => {
    const budgets = new Map<string, Budget.Budget>()
    return {
      modify: (scope, f) =>
        Effect.sync(() => {
          const known = budgets.get(scope)
          if (known === undefined && budgets.size >= Limits.MAX_SCOPES) forgetIdle(budgets)
          const [result, next] = f(known ?? Budget.empty)
          budgets.set(scope, next)
          return result
        }),
      all: Effect.sync(() => [...budgets])
    }
  })
}

const forgetIdle = (budgets: Map<string, Budget.Budget>): void => {
  for (const [scope, budget] of budgets) {
    if (budget.inFlight === 0 && budget.pause === undefined) {
      budgets.delete(scope)
      return
    }
  }
}
