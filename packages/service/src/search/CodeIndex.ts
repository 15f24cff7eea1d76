import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { LeftOutFile } from "@tongs/core/contract/CodeIndex"
import type { CodeSymbol } from "@tongs/core/contract/CodeNavigation"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"

/** A repository in the index. */
export interface IndexedRepository {
  /** Git folder of the repository. It identifies the repository in the index, because the name can change. */
  readonly gitDir: string
  /** Name of the repository as `<owner>/<name>`. */
  readonly fullName: string
}

/** Update of a repository in the index to a commit. */
export interface IndexChange {
  readonly repository: IndexedRepository
  readonly commit: string
}

/** Progress of updating the index of a repository. */
export interface IndexProgress {
  /** Number of new file contents read so far. */
  readonly files: number
  /** Total number of new file contents. */
  readonly of: number
  /** Bytes read so far. */
  readonly bytes: number
  /** Estimated milliseconds left, or null if unknown. */
  readonly remaining: number | null
}

/** A file that may match a query. */
export interface Candidate {
  /** Git folder of the repository, equal to `gitDir` of the searched repository. */
  readonly gitDir: string
  readonly path: string
  readonly oid: string
  /** Size of the file in bytes. */
  readonly size: number
  /** Definitions whose names contain an identifier of the query. Undefined if the index does not have definitions. */
  readonly definitions: ReadonlyArray<CodeSymbol> | undefined
}

/** Order of candidates: `best` estimated rank first, or by the time when the file was indexed. */
export type CandidateOrder = "best" | "newest" | "oldest"

/** The next candidates of a search, in order. */
export interface CandidateBatch {
  readonly candidates: ReadonlyArray<Candidate>
  /** Estimated number of further candidates. */
  readonly left: number
}

/** State of a repository in the index. */
export interface IndexState {
  /** Indexed commit, or null if none is indexed. */
  readonly commit: string | null
  /** Number of files, including those left out. */
  readonly files: number
  /** Total size of the files in bytes. */
  readonly size: number
  /** Number of files that are not searchable. */
  readonly leftOut: number
  /** Number of files left out because git cannot read them or a partial clone lacks them. */
  readonly unreadable: number
}

/** Failure to read or write the index. `detail` is the cause. */
export class IndexError extends Schema.TaggedError<IndexError>()("IndexError", { detail: Schema.String }) {
  override get message() {
    return `The code index failed: ${this.detail}`
  }
}

/**
 * Index of the default branches: `SqliteIndex` on one machine, `ZoektIndex` for larger installations. It gives
 * candidates, which `ContentSearch` verifies on their content. An index can give false candidates and be out of date,
 * but must give every indexed file that matches.
 */
export class CodeIndex extends Context.Service<
  CodeIndex,
  {
    /**
     * Updates a repository to a commit, completely or, if that fails, not at all. After an interruption, the next
     * attempt reuses the contents read so far.
     */
    apply(change: IndexChange, onProgress: (progress: IndexProgress) => void): Effect.Effect<void, IndexError>
    /** Streams the candidates of a query in the repositories. Stopping or interrupting the stream ends the search. */
    candidates(
      query: CodeQuery,
      scope: ReadonlyArray<IndexedRepository>,
      order: CandidateOrder
    ): Stream.Stream<CandidateBatch, IndexError>
    /** Returns the state of each repository, in the order of the repositories. */
    states(repositories: ReadonlyArray<IndexedRepository>): Effect.Effect<ReadonlyArray<IndexState>, IndexError>
    /** Returns up to `limit` files of a repository that are not searchable, with the reasons. */
    leftOut(repository: IndexedRepository, limit: number): Effect.Effect<ReadonlyArray<LeftOutFile>, IndexError>
  }
>()("@tongs/service/search/CodeIndex") {}
