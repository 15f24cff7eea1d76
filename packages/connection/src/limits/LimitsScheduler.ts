/** Where the budgets of a connection live: `memory`, `sqlite`, or a Redis by its URL (`TONGS_LIMITS_STORE`). */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import { BudgetStore } from "@tongs/core/limits/BudgetStore"
import { ConnectionError } from "../base/ConnectionError.ts"
import { UserDirectories } from "../base/UserDirectories.ts"

/** A scheduler on the named store; each kind is loaded where it is asked for. */
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
    new ConnectionError({
      reason: "BadSettings",
      detail: `${JSON.stringify(store)} is no store for budgets`,
      hint: "Set TONGS_LIMITS_STORE to memory, sqlite or redis://HOST:PORT"
    })
  )

const sqlite = Effect.gen(function* () {
  const { state } = yield* UserDirectories
  const [Sqlite, Shared] = yield* Effect.promise(() =>
    Promise.all([import("./SqliteBudgetBackend.ts"), import("./SharedBudgetStore.ts")])
  )
  return Shared.make(yield* Sqlite.make(join(state, "limits.sqlite")), yield* Shared.currentProcess)
})

const redis = Effect.fnUntraced(function* (url: string) {
  const [NodeRedis, Documents, Shared] = yield* Effect.promise(() =>
    Promise.all([
      import("@effect/platform-node/NodeRedis"),
      import("./RedisBudgetBackend.ts"),
      import("./SharedBudgetStore.ts")
    ])
  )
  const { host, protocol } = new URL(url)
  const place = `${protocol}//${host}`
  const client = Layer.build(NodeRedis.layer({ url, socket: { connectTimeout: 2000 } }))
  const documents = Effect.flatMap(client, (context) => Effect.provide(Documents.make(place), context))
  const reached = Effect.mapError(
    documents,
    (error) =>
      new ConnectionError({
        reason: "StorageFailed",
        detail: `The store of the budgets cannot be reached: ${Documents.describeError(error)}`,
        hint: "Start it, or name another with TONGS_LIMITS_STORE"
      })
  )
  return Shared.make(yield* reached, yield* Shared.currentProcess)
})
