/** Searches of commits that can be merged: those of this process, and of the others of a cluster. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { CommitHit, IncompleteReason } from "@tongs/core/contract/groups/CodeSearch"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type { GitError } from "../git/values/GitError.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { IndexError } from "./CodeIndex.ts"
import type * as CommitQuery from "./commits/CommitQuery.ts"
import type { WalkPosition } from "./commits/CommitWalk.ts"

/** A matching commit, with the number of matches. */
export interface FoundCommit {
  readonly hit: CommitHit
  readonly matchCount: number
}

/** What changes while a search runs. */
export interface SearchState {
  /** Number of commits searched so far, without those that the index or the date ruled out. */
  examined: number
  readonly incomplete: Set<IncompleteReason>
  readonly notes: Set<string>
}

/** Where a search starts: at the newest commits, or where an earlier search stopped. */
export interface Options {
  readonly cursor?: WalkPosition | undefined
}

/** A step of a search, with what a merge of several searches needs. */
export interface RepositoryStep {
  readonly served: ServedRepository
  readonly found: FoundCommit | undefined
  /** Where the search continues after this step. Undefined if all commits were searched. */
  readonly position: WalkPosition | undefined
  /** Date of the step, and of the newest commit of the repository, in seconds. */
  readonly seconds: number
  readonly newest: number
}

/** A search that has found the newest commits of its repositories. */
export interface OpenedSearch {
  readonly steps: Stream.Stream<RepositoryStep>
  /** Where the search starts. Undefined without commits. */
  readonly start: WalkPosition | undefined
  /** Revisions of the query that none of the repositories has. `notes` does not mention them. */
  readonly unknownRevisions: ReadonlyArray<string>
}

/** Starts a search of repositories, and writes its progress to `search`. */
export type OpenSearch = (
  query: CommitQuery.CommitQuery,
  repositories: ReadonlyArray<ServedRepository>,
  options: Options,
  search: SearchState
) => Effect.Effect<OpenedSearch, GitError | IndexError, Scope.Scope>

/** Starts a search in all processes. The others get `unresolved`, as in `RunSearch`. */
export type OpenClusterSearch = (
  ...input: readonly [...local: Parameters<OpenSearch>, unresolved: CodeQuery]
) => ReturnType<OpenSearch>
