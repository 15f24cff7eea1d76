/** Runs Effects with this entry point's copy of Effect. The client calls the returned promises. */
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import type { BudgetStore } from "@tongs/core/limits/BudgetStore"
import * as LimitsStore from "../LimitsStore.ts"

/** A lifetime, and a function that runs Effects in it. */
export interface Boundary {
  readonly run: <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Promise<A>
  readonly close: () => Promise<void>
}

/** Opens a lifetime. Warnings of Effects go to `log`. */
export const open = (log: LimitsStore.Log): Boundary => {
  const scope = Scope.makeUnsafe()
  const variables = ConfigProvider.fromEnv()
  const logger = Logger.make<unknown, void>(({ message }) =>
    log(Array.isArray(message) ? message.join(" ") : String(message))
  )
  return {
    run: (effect) =>
      Effect.runPromise(
        effect.pipe(
          Scope.provide(scope),
          Effect.provideService(Logger.CurrentLoggers, new Set([logger])),
          // The default client reads the environment while loading, perhaps before the program changes the environment.
          Effect.provideService(ConfigProvider.ConfigProvider, variables)
        )
      ),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** Creates a limits store from a budget store. */
export const defineStore = (
  kind: string,
  make: Effect.Effect<BudgetStore["Service"], never, Scope.Scope>
): LimitsStore.LimitsStore =>
  LimitsStore.define(kind, async (log) => {
    const { close, run } = open(log)
    const { all, clockOffset, heartbeat, holder, holders, modify } = await run(make)
    return {
      holder,
      clockOffset,
      modify: (scope, f) => run(modify(scope, f)),
      all: () => run(all),
      heartbeat: (scope, waiting) => run(heartbeat(scope, waiting)),
      holders: (scope, budget) => run(holders(scope, budget)),
      close
    }
  })
