/** Keeps the index up to date while a program runs, so that the first search does not wait for an update. */
import * as Effect from "effect/Effect"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { Indexer } from "./Indexer.ts"

/** Starts to update the index of all repositories in the background, until the scope closes. */
export const start = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const indexer = yield* Indexer
  yield* Effect.forkScoped(indexer.watch(registry.list, (rows) => registry.open(rows)))
})
