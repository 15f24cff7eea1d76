/** Selects the repositories that this process owns. */
import * as Effect from "effect/Effect"
import { RepositoryOwnership } from "../../repositories/RepositoryOwnership.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"

interface Owned {
  readonly version: number
  readonly repositories: ReadonlyArray<ServedRepository>
}

/** Creates a function that returns the same array for the same array, while no repository moves. */
export const make = Effect.map(RepositoryOwnership, (ownership) => {
  const known = new WeakMap<ReadonlyArray<ServedRepository>, Owned>()
  return (all: ReadonlyArray<ServedRepository>): ReadonlyArray<ServedRepository> => {
    const version = ownership.version()
    const before = known.get(all)
    if (before?.version === version) return before.repositories
    const owned = all.filter(({ row }) => ownership.owns(row.id))
    const repositories = owned.length === all.length ? all : owned
    known.set(all, { version, repositories })
    return repositories
  }
})
