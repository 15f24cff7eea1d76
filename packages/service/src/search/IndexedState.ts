import type * as Effect from "effect/Effect"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { LanguageSize } from "./CodeIndex.ts"
import type { IndexStatus } from "./Indexer.ts"

/** State of a repository. */
export interface IndexedState extends IndexStatus {
  /** Languages of the tip, if the index has them. */
  readonly languages: ReadonlyArray<LanguageSize> | undefined
}

/** Returns the states of repositories, in their order. Does not wait for updates. */
export type ReadStates = (repositories: ReadonlyArray<ServedRepository>) => Effect.Effect<ReadonlyArray<IndexedState>>
