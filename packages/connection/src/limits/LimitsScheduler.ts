/** Creates the scheduler with the budget store that `TONGS_LIMITS_STORE` selects: `memory`, `sqlite` or a Redis URL. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import { BudgetStore } from "@tongs/core/limits/BudgetStore"
import { badSettings, ConnectionError } from "../base/ConnectionError.ts"
import { UserDirectories } from "../base/UserDirectories.ts"

/**
 * Provides the scheduler with a budget store, and loads only the code of this store. Fails with `BadSettings` for an
 * unknown store.
 */
export const layer = (store: string): Layer.Layer<Scheduler, ConnectionError> =>
  Layer.provide(Scheduler.layer, storeLayer(store))

const storeLayer = (store: string): Layer.Layer<BudgetStore, ConnectionError> => {
  switch (store) {
    case "memory":
      return BudgetStore.layerMemory
    case "sqlite":
      return Layer.provide(Layer.effect(BudgetStore, sqlite), UserDirectories.layer)
    default:
      return Layer.effect(
        BudgetStore,
        /^rediss?:\/\//.test(store) && URL.canParse(store) ? redis(store) : unknown(store)
      )
  }
}

const unknown = (store: string) =>
  Effect.fail(
    badSettings(
      `Invalid store for rate-limit budgets: ${JSON.stringify(store)}`,
      "Set TONGS_LIMITS_STORE to memory, sqlite or redis://HOST:PORT"
    )
  )

const sqlite = Effect.gen(function* () {
  const { state } = yield* UserDirectories
  const [SqliteBackend, Store] = yield* Effect.promise(() =>
    Promise.all([import("./SqliteBudgetBackend.ts"), import("./SharedBudgetStore.ts")])
  )
  const backend = yield* SqliteBackend.make(join(state, "limits.sqlite"))
  return Store.make(backend, yield* Store.currentProcess)
})

const redis = Effect.fnUntraced(function* (url: string) {
  const [NodeRedis, RedisBackend, Store] = yield* Effect.promise(() =>
    Promise.all([
      import("@effect/platform-node/NodeRedis"),
      import("./RedisBudgetBackend.ts"),
      import("./SharedBudgetStore.ts")
    ])
  )
  const { host, protocol } = new URL(url)
  const server = `${protocol}//${host}`
  const client = Layer.build(NodeRedis.layer({ url, socket: { connectTimeout: 2000 } }))
  const backend = Effect.flatMap(client, (context) => Effect.provide(RedisBackend.make(server), context))
  const connected = Effect.mapError(
    backend,
    (error) =>
      new ConnectionError({
        reason: "StorageFailed",
        detail: `Cannot reach the store of rate-limit budgets: ${server}: ${RedisBackend.describeError(error)}`,
        hint: "Start the server, or set TONGS_LIMITS_STORE to another store"
      })
  )
  return Store.make(yield* connected, yield* Store.currentProcess)
})
