/** Keeps the indexes up to date while a program runs, so that the first search does not wait for an update. */
import * as Effect from "effect/Effect"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { HistoryIndex } from "./history/HistoryIndex.ts"
import { Indexer } from "./Indexer.ts"

/** Starts to update the indexes of all repositories in the background, until the scope closes. */
export const start = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const indexer = yield* Indexer
  const history = yield* HistoryIndex
  yield* Effect.forkScoped(indexer.watch(registry.list, (rows) => registry.open(rows)))
  // The index of the files comes first, because most searches need it.
  const indexed = Effect.gen(function* () {
    const statuses = yield* indexer.statuses(yield* registry.open(yield* registry.list), 0)
    const isBusy = statuses.some(({ phase }) => phase === "waiting" || phase === "indexing")
    return isBusy ? [] : statuses.map(({ served }) => served)
  })
  yield* Effect.forkScoped(history.watch(indexed))
})
