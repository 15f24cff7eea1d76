/** A budget backend that need not be reachable at the start. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type BudgetBackend, BudgetBackendFailed } from "./BudgetBackend.ts"

/** Delay between two attempts to connect. */
const RETRY_DELAY = "5 seconds"

/**
 * Connects to a backend, and tries again in the background if that fails, until the Effect scope closes. Until then each
 * operation fails, so that `SharedBudgetStore` continues with the budgets of this process.
 */
export const make = Effect.fnUntraced(function* <E>(
  description: string,
  connect: Effect.Effect<BudgetBackend, E, Scope.Scope>,
  describe: (error: E) => string
) {
  const parent = yield* Effect.scope
  let backend: BudgetBackend | undefined
  let detail = ""
  const attempt = Effect.gen(function* () {
    const scope = yield* Scope.fork(parent)
    const exit = yield* Effect.exit(Scope.provide(Effect.mapError(connect, describe), scope))
    if (Exit.isSuccess(exit)) backend = exit.value
    else {
      detail = Exit.findErrorOption(exit).pipe((found) => (found._tag === "Some" ? found.value : "no connection"))
      yield* Scope.close(scope, Exit.void)
    }
  })
  yield* attempt
  const retry = Effect.suspend(() => (backend === undefined ? Effect.delay(attempt, RETRY_DELAY) : Effect.interrupt))
  yield* Effect.forkIn(Effect.forever(retry), parent)
  const use = <A>(f: (backend: BudgetBackend) => Effect.Effect<A, BudgetBackendFailed>) =>
    Effect.suspend(() =>
      backend === undefined ? Effect.fail(new BudgetBackendFailed({ detail: `${description}: ${detail}` })) : f(backend)
    )
  return {
    description,
    clockOffset: () => backend?.clockOffset() ?? 0,
    compareAndSet: (...args) => use((backend) => backend.compareAndSet(...args)),
    putHolder: (...args) => use((backend) => backend.putHolder(...args)),
    holders: (...args) => use((backend) => backend.holders(...args))
  } satisfies BudgetBackend
})
