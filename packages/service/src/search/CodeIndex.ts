import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { LeftOutFile } from "@tongs/core/contract/groups/CodeIndex"
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type { LanguageStatistics } from "../git/values/Languages.ts"

export interface IndexedRepository {
  /** Git folder of the repository. Identifies the repository in the index, because the name can change. */
  readonly gitDir: string
  /** Name of the repository as `<owner>/<name>`. */
  readonly fullName: string
}

/** Files of a work tree that differ from a commit. */
export interface WorkTreeChanges {
  /** Top folder of the work tree, an absolute path without symbolic links. */
  readonly folder: string
  /** Changed, added and untracked files, with paths relative to the folder and sizes in bytes. */
  readonly changed: ReadonlyArray<{ readonly path: string; readonly size: number }>
  /** Paths of the commit that the work tree lacks. */
  readonly removed: ReadonlyArray<string>
}

/** Files to search: the files of a commit, or of a work tree if `workTree` lists the differences to the commit. */
export interface SearchTarget extends IndexedRepository {
  readonly commit: string
  readonly workTree?: WorkTreeChanges | undefined
}

/** Update of a repository in the index to a commit. */
export interface IndexChange {
  readonly repository: IndexedRepository
  readonly commit: string
  /** Other commits whose file contents remain in the index for fast searches. */
  readonly pinned: ReadonlyArray<string>
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
  /** Indexes of the targets that have this file with this content: of one repository, ascending. */
  readonly targets: readonly [number, ...ReadonlyArray<number>]
  readonly gitDir: string
  readonly path: string
  /** Id of the content. Empty for a file of a work tree. */
  readonly oid: string
  /** Absolute path of the work tree that has the file. Undefined for a file of a commit. */
  readonly folder?: string | undefined
  /** Size of the file in bytes. */
  readonly size: number
  /** Number of the shard that has the file. Undefined for an index without shards, 0 if no shard has the file. */
  readonly shard?: number | undefined
  /** Definitions whose names contain an identifier of the query. Undefined if the index does not have definitions. */
  readonly definitions: ReadonlyArray<CodeSymbol> | undefined
  /** Place of the content in the index. Undefined if the index does not have the content. */
  readonly index?: IndexedContent | undefined
  /** True if the end of the path is the path of another file in the repository, as of a copy below `tools/`. */
  readonly isCopy?: boolean | undefined
  /** Number of files that import the file. Undefined if unknown, also for a file that defines no name of the query. */
  readonly importers?: number | undefined
}

/** Place of a content in an index on this machine. */
export interface IndexedContent {
  /** Path and inode of the index file. Document numbers are those of this file, until it is replaced. */
  readonly file: string
  readonly inode: number
  readonly document: number
  /** Lines, lengths and bytes of the chunks of the content, as stored. Null for a single chunk. */
  readonly layout: Uint8Array | null
  /** Chunks of the content that may have matches. Undefined if all may. */
  readonly chunks: ReadonlyArray<number> | undefined
}

/** Order of candidates: `best` estimated rank first, or by the time when the file was indexed. */
export type CandidateOrder = "best" | "newest" | "oldest"

/** The next candidates of a search, in order. Those of a slow part of the index can come in later batches. */
export interface CandidateBatch {
  readonly candidates: ReadonlyArray<Candidate>
  /** Place of each candidate in the order of the whole search, if the index has one: larger keys come first. */
  readonly keys?: ReadonlyArray<number>
  /** Estimated number of further candidates. */
  readonly left: number
  /** Targets that cannot be searched, or of which candidates are missing, with the reason. */
  readonly failed?: ReadonlyArray<{ readonly target: number; readonly detail: string }>
  /** Sentences for the user, for example about a server that does not respond. */
  readonly notes?: ReadonlyArray<string>
  /** True if the index cannot give all candidates. */
  readonly isIncomplete?: boolean
}

/** State of a repository in the index. */
export interface IndexState {
  /** Indexed commit, or null if none is indexed. */
  readonly commit: string | null
  /** Other commits whose contents are indexed. */
  readonly pinned: ReadonlyArray<string>
  /** Number of files, including the files left out. */
  readonly files: number
  /** Total size of the files in bytes. */
  readonly size: number
  /** Number of files that are not searchable. */
  readonly leftOut: number
  /** Number of files left out because git cannot read the object or a partial clone lacks the object. */
  readonly unreadable: number
  /** Number of files with symbols that `refine` replaces. */
  readonly impreciseSymbols: number
}

/** A repository with the commit whose files are wanted. */
export interface IndexedTree {
  readonly gitDir: string
  readonly commit: string
}

/** A language with the size of its files in bytes. */
export type LanguageSize = Pick<LanguageStatistics["languages"][number], "name" | "bytes">

/** Failure to read or write the index. `detail` is the cause. */
export class IndexError extends Schema.TaggedError<IndexError>()("IndexError", { detail: Schema.String }) {
  override get message() {
    return `The code index failed: ${this.detail}`
  }
}

/**
 * Index of file contents: `SqliteIndex` on one machine, `ZoektIndex` for larger installations. Gives candidates, which
 * `ContentSearch` verifies on the content. An index can give false candidates, but must give every file of a target
 * that matches, also while the target's commit is not indexed.
 */
export class CodeIndex extends Context.Service<
  CodeIndex,
  {
    /** True if all processes of a forge use the same index, which has the repositories of all of them. */
    readonly isShared: boolean
    /**
     * Updates a repository to a commit, completely or, if that fails, not at all. After an interruption, the next
     * attempt reuses the contents read so far. Calls for different repositories can be concurrent; the index bounds the
     * number of updates that run at the same time.
     */
    apply(change: IndexChange, onProgress: (progress: IndexProgress) => void): Effect.Effect<void, IndexError>
    /**
     * Replaces symbols found by patterns with symbols of grammars, for some milliseconds. Returns the number of files
     * left. Interruption keeps the finished files.
     */
    refine(millis: number): Effect.Effect<number, IndexError>
    /**
     * Removes a deleted repository from the index. Contents that only this repository has go with the next cleaning.
     */
    forget(gitDir: string): Effect.Effect<void, IndexError>
    /** Streams the candidates of a query in the targets. Stopping or interrupting the stream ends the search. */
    candidates(
      query: CodeQuery,
      targets: ReadonlyArray<SearchTarget>,
      order: CandidateOrder
    ): Stream.Stream<CandidateBatch, IndexError>
    /** Returns the state of each repository, in the order of the repositories. */
    states(repositories: ReadonlyArray<IndexedRepository>): Effect.Effect<ReadonlyArray<IndexState>, IndexError>
    /**
     * Returns the languages of the files of commits, the main one first. Undefined for a commit whose files the index
     * does not have.
     */
    languages(
      repositories: ReadonlyArray<IndexedTree>
    ): Effect.Effect<ReadonlyArray<ReadonlyArray<LanguageSize> | undefined>, IndexError>
    /** Returns up to `limit` files of a repository that are not searchable, with the reasons. */
    leftOut(repository: IndexedRepository, limit: number): Effect.Effect<ReadonlyArray<LeftOutFile>, IndexError>
  }
>()("@tongs/service/search/CodeIndex") {}
