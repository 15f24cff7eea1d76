/**
 * Where the files are that may match a query. The index is behind this port: `SqliteIndex` on one machine, `zoekt` for
 * an installation that outgrows it. What it gives are candidates: whether they do match is decided on their content
 * (`ContentSearch`), so an index may be coarse and may be behind, but must not leave out a file that it has and that
 * matches.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { LeftOutFile } from "@tongs/core/contract/CodeIndex"
import type { CodeSymbol } from "@tongs/core/contract/CodeNavigation"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"

/** A repository as the index knows it. */
export interface IndexedRepository {
  /** The git folder that holds its objects. It is what the index knows it by: names can change. */
  readonly gitDir: string
  /** `<owner>/<name>`. */
  readonly fullName: string
}

/** The commit that the index is to have of a repository. */
export interface IndexChange {
  readonly repository: IndexedRepository
  readonly commit: string
}

/** How far a change has been applied. */
export interface IndexProgress {
  readonly files: number
  readonly of: number
  /** Bytes that were read. */
  readonly bytes: number
  /** Milliseconds that are left, as far as can be told. */
  readonly remaining: number | null
}

/** A file that may match. */
export interface Candidate {
  /** Of the repository, as it was named in the scope. */
  readonly gitDir: string
  readonly path: string
  readonly oid: string
  /** In bytes. */
  readonly size: number
  /** What the file defines under names that have to do with the query; undefined where the index does not know. */
  readonly definitions: ReadonlyArray<CodeSymbol> | undefined
}

/** The most promising first, or by when the content came to the index. */
export type CandidateOrder = "best" | "newest" | "oldest"

/** Some of the candidates, in order. */
export interface CandidateBatch {
  readonly candidates: ReadonlyArray<Candidate>
  /** Candidates that are yet to come, as far as is known. */
  readonly left: number
}

/** What the index has of a repository. */
export interface IndexState {
  /** The commit that is indexed, or null before the first. */
  readonly commit: string | null
  readonly files: number
  /** In bytes. */
  readonly size: number
  readonly leftOut: number
  /** Those of them that are left out because git cannot read them, or does not have them. */
  readonly unreadable: number
}

/** The index cannot be read or written. */
export class IndexError extends Schema.TaggedError<IndexError>()("IndexError", { detail: Schema.String }) {
  override get message() {
    return `The code index failed: ${this.detail}`
  }
}

export class CodeIndex extends Context.Service<
  CodeIndex,
  {
    /**
     * Brings a repository to a commit: all of it, or none of it where that fails. Interrupted, it keeps what is of use
     * to the next attempt.
     */
    apply(change: IndexChange, onProgress: (progress: IndexProgress) => void): Effect.Effect<void, IndexError>
    /**
     * The files of the repositories that may match. It is read as slowly as it is asked; whoever stops reading, or is
     * interrupted, as at a deadline, ends the work.
     */
    candidates(
      query: CodeQuery,
      scope: ReadonlyArray<IndexedRepository>,
      order: CandidateOrder
    ): Stream.Stream<CandidateBatch, IndexError>
    /** In the order of the repositories. */
    states(repositories: ReadonlyArray<IndexedRepository>): Effect.Effect<ReadonlyArray<IndexState>, IndexError>
    /** The files of a repository that are not in the index, and why. */
    leftOut(repository: IndexedRepository, limit: number): Effect.Effect<ReadonlyArray<LeftOutFile>, IndexError>
  }
>()("@tongs/service/search/CodeIndex") {}
