/** Keeps the indexes up to date while a program runs, so that the first search does not wait for an update. */
import * as Effect from "effect/Effect"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import { CodeIndex } from "./CodeIndex.ts"
import { HistoryIndex } from "./history/HistoryIndex.ts"
import { Indexer } from "./Indexer.ts"

/** Starts to update the indexes of the owned repositories in the background, until the scope closes. */
export const start = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const indexer = yield* Indexer
  const history = yield* HistoryIndex
  const { isShared } = yield* CodeIndex
  const ownership = yield* RepositoryOwnership
  const owned = (rows: ReadonlyArray<RepositoryRow>) =>
    ownership.runner === null ? rows : rows.filter(({ id }) => ownership.owns(id))
  const searched = isShared ? registry.list : Effect.map(registry.list, owned)
  yield* Effect.forkScoped(indexer.watch(searched, (rows) => registry.open(rows)))
  // The index of the files comes first, because most searches need it.
  const indexed = Effect.gen(function* () {
    const statuses = yield* indexer.statuses(yield* registry.open(yield* Effect.map(registry.list, owned)), 0)
    const isBusy = statuses.some(({ phase }) => phase === "waiting" || phase === "indexing")
    return isBusy ? [] : statuses.map(({ served }) => served)
  })
  yield* Effect.forkScoped(history.watch(indexed))
  if (ownership.runner === null) return
  const FormerRepositories = yield* Effect.promise(() => import("./FormerRepositories.ts"))
  yield* Effect.forkScoped(FormerRepositories.remove)
})
