/** The results of a search, as they are found. */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { Candidate, CandidateOrder, IndexError } from "./CodeIndex.ts"
import type * as ContentSearch from "./ContentSearch.ts"

/** A file that matches a query. */
export interface SearchHit extends Omit<ContentSearch.ContentHit, "candidate">, Pick<Candidate, "path"> {
  readonly served: ServedRepository
  readonly commit: string
  /** Revisions of the query that have the file. Empty without `rev:`. */
  readonly revisions: ReadonlyArray<string>
  /** True for a file of a work tree that `commit` lacks, or has with another content. */
  readonly isUncommitted: boolean
}

/** A verified file, in the order of the candidates. */
export interface VerifiedFile {
  /** Place in the order of all candidates: files with larger keys come first. */
  readonly key: number
  readonly served: ServedRepository
  /** Undefined for a file that does not match. */
  readonly hit: SearchHit | undefined
}

/** The next results of a search. */
export interface SearchBatch {
  /** Hits by rank, or in the order of the candidates if the search is not ordered by `best`. */
  readonly hits: ReadonlyArray<SearchHit>
  /** The verified files, also those that do not match. Only with the option `withVerified`. */
  readonly verified?: ReadonlyArray<VerifiedFile>
  /** Number of files verified for this batch. */
  readonly examined: number
  /** Estimated number of files still to verify. */
  readonly remaining: number
  /** True if a file or repository could not be searched. The log has the reason. */
  readonly isIncomplete?: boolean
  /** True if a slow process has files that belong into this batch. They come in later batches. */
  readonly isEarly?: boolean
  /** Sentences for the user, from the index. */
  readonly notes?: ReadonlyArray<string>
}

export interface SearchOptions {
  readonly show: ContentSearch.ContentSearchInput["show"]
  readonly order: CandidateOrder
  /** Searches work trees instead of the checked-out commits. The caller checks the permission. */
  readonly searchesWorkTrees?: boolean
  /** Gives `verified` with each batch, to merge the results of several indexes. */
  readonly withVerified?: boolean
  /** Time limit of the whole search. The caller ends `found` at the deadline. */
  readonly deadline: Duration.Duration
}

/** A search in progress. */
export interface Search {
  readonly found: Stream.Stream<SearchBatch, IndexError>
  /** True if a repository cannot be searched. */
  readonly isIncomplete: boolean
  /** Sentences for the user about the searched commits, for example about a revision that no repository has. */
  readonly notes: ReadonlyArray<string>
  /** Returns the names of the repositories whose files the search has not listed so far. */
  readonly unsearched: () => ReadonlyArray<string>
}

/**
 * Starts a search of repositories. The query has no conditions that all files of these repositories fulfil. Other
 * processes get `unresolved`, the same query with expressions in `repo:`, which can match too many names for a request.
 */
export type RunSearch = (
  query: CodeQuery,
  repositories: ReadonlyArray<ServedRepository>,
  options: SearchOptions,
  unresolved: CodeQuery
) => Effect.Effect<Search, IndexError>

/** Empty batch that marks the results as incomplete. */
export const incompleteBatch: SearchBatch = { hits: [], examined: 0, remaining: 0, isIncomplete: true }
