import type { LeftOutFile } from "@tongs/core/contract/groups/CodeIndex"
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type {
  CandidateBatch,
  Candidate,
  IndexedRepository,
  IndexedTree,
  LanguageSize,
  CandidateOrder,
  IndexProgress,
  IndexState,
  SearchTarget
} from "../CodeIndex.ts"
import type { WalkBatch, WalkStart } from "../commits/CommitWalk.ts"
import type * as LogMatching from "../commits/LogMatching.ts"
import type * as ContentSearch from "../ContentSearch.ts"
import type { Document, ReadFile } from "../IndexedDocument.ts"
import type * as Navigation from "../navigation/Navigation.ts"
import type { Place } from "../navigation/Place.ts"
import type { DeclaredPackage } from "../packages/Manifests.ts"

/** Types of a worker method: input, output and progress events. */
export interface Method<Input, Output, Event = never> {
  readonly input: Input
  readonly output: Output
  readonly event: Event
}

/** Methods of the workers that write shards of the index. A worker creates a missing shard. */
export interface WriterMethods {
  /** Returns the total size of the files of a commit in bytes, and whether the repository borrows objects. */
  readonly measure: Method<
    { readonly gitDir: string; readonly commit: string },
    { readonly bytes: number; readonly borrows: boolean }
  >
  /** Returns the index of the first other repository that shares objects with a repository. */
  readonly findSharing: Method<{ readonly gitDir: string; readonly others: ReadonlyArray<string> }, number | undefined>
  readonly apply: Method<
    {
      readonly shard: number
      readonly gitDir: string
      readonly commit: string
      readonly pinned: ReadonlyArray<string>
    },
    void,
    IndexProgress
  >
  readonly maintain: Method<{ readonly shard: number }, void>
  readonly refine: Method<{ readonly shard: number; readonly millis: number }, number>
  readonly forget: Method<{ readonly shard: number; readonly gitDir: string }, void>
}

/** Start of a search in a reader. Targets are numbers, because thousands of objects take long to send. */
export interface BeginSearch {
  /** Number of the search for `next` and `end`, which the caller chooses. */
  readonly cursor: number
  readonly query: CodeQuery
  readonly order: CandidateOrder
  /** True if the reader forgets all numbers of earlier searches. */
  readonly isReset: boolean
  /** Targets with new numbers. */
  readonly defined: ReadonlyArray<readonly [number: number, target: SearchTarget]>
  readonly parts: ReadonlyArray<SearchPart>
}

/** Targets of a search in one shard. */
export interface SearchPart {
  /** Number of the shard. 0 for targets that no shard has. */
  readonly shard: number
  /** Numbers of the targets without a work tree. */
  readonly targets: Uint32Array
  readonly workTrees: ReadonlyArray<SearchTarget>
  /** Index of each target in the whole search: those of `targets`, then those of `workTrees`. */
  readonly places: Uint32Array
}

export interface ReaderBatch extends CandidateBatch {
  readonly keys: ReadonlyArray<number>
}

/** Repositories of a shard, or the reason why the shard cannot be read. */
export type ShardState =
  | {
      readonly shard: number
      /** Changes with every change of the shard. */
      readonly version: string
      /** Undefined if the caller knows this version. */
      readonly repositories?: ReadonlyArray<RepositoryState>
    }
  | { readonly shard: number; readonly isGone: boolean; readonly detail: string }

/** State of an indexed repository. */
export interface RepositoryState extends IndexState {
  readonly gitDir: string
}

/** Methods of the workers that read shards of the index. */
export interface ReaderMethods {
  /** Starts a search and returns the first batch. */
  readonly begin: Method<BeginSearch, ReaderBatch>
  readonly next: Method<{ readonly cursor: number }, ReaderBatch>
  readonly end: Method<{ readonly cursor: number }, void>
  /** Returns the state of each shard. `version` is the version that the caller knows. */
  readonly states: Method<
    { readonly shards: ReadonlyArray<{ readonly shard: number; readonly version: string | undefined }> },
    ReadonlyArray<ShardState>
  >
  /** Returns the languages of the files of commits. Undefined for a commit that is not the indexed one. */
  readonly languages: Method<
    { readonly shard: number; readonly trees: ReadonlyArray<IndexedTree> },
    ReadonlyArray<ReadonlyArray<LanguageSize> | undefined>
  >
  readonly leftOut: Method<
    { readonly shard: number; readonly repository: IndexedRepository; readonly limit: number },
    ReadonlyArray<LeftOutFile>
  >
}

/** Methods of the workers that read contents: to verify candidates, for outlines, navigation, logs and long Markdown. */
export interface ContentMethods {
  readonly verify: Method<ContentSearch.ContentSearchInput, ContentSearch.ContentSearchOutput>
  readonly matchNames: Method<{ readonly source: string; readonly names: ReadonlyArray<string> }, ReadonlyArray<number>>
  readonly outline: Method<Pick<Candidate, "gitDir" | "oid" | "path">, ReadonlyArray<CodeSymbol>>
  readonly locate: Method<Navigation.Position, Navigation.Located>
  readonly packages: Method<
    ReadonlyArray<ReadonlyArray<Navigation.ManifestFile>>,
    ReadonlyArray<ReadonlyArray<DeclaredPackage>>
  >
  readonly exported: Method<Navigation.PackageExport, ReadonlyArray<Place>>
  readonly describe: Method<ReadonlyArray<Navigation.DefinitionPlace>, ReadonlyArray<Navigation.DefinitionText>>
  readonly references: Method<Navigation.ReferencesInput, Navigation.ReferencesOutput>
  readonly packageReferences: Method<Navigation.PackageReferencesInput, Navigation.ReferencesOutput["uses"]>
  readonly renderMarkdown: Method<{ readonly text: string; readonly mode: "markdown" | "gfm" }, string>
  readonly beginLog: Method<LogMatching.LogStart, void>
  readonly matchLog: Method<LogMatching.LogChunk, LogMatching.LogMatches>
  readonly endLog: Method<{ readonly log: number }, void>
}

/** Methods of the thread that analyzes documents for a writer. */
export interface AnalyzerMethods {
  readonly analyze: Method<ReadonlyArray<ReadFile>, ReadonlyArray<Document>>
}

/** Methods of the workers that read and build the indexes of histories. */
export interface HistoryMethods {
  /** Adds the ancestors of a commit to the index. Returns false if another process is building. */
  readonly build: Method<
    { readonly gitDir: string; readonly tip: string },
    boolean,
    { readonly commits: number; readonly of: number }
  >
  readonly forget: Method<{ readonly gitDir: string }, void>
  /** Starts a walk. The caller chooses the `walk` number, for `nextCommits` and `endWalk`. */
  readonly beginWalk: Method<{ readonly walk: number; readonly start: WalkStart }, void>
  /** Returns the next commits, at most `max`. */
  readonly nextCommits: Method<{ readonly walk: number; readonly max: number }, WalkBatch>
  readonly endWalk: Method<{ readonly walk: number }, void>
}

/** Methods of the workers of each role. */
export interface Workers {
  readonly writer: WriterMethods
  readonly reader: ReaderMethods
  readonly content: ContentMethods
  readonly analyzer: AnalyzerMethods
  readonly history: HistoryMethods
}

/** Implementations of the methods of a role. */
export type Handlers<M> = {
  readonly [K in keyof M]: M[K] extends Method<infer Input, infer Output, infer Event>
    ? (
        input: Input,
        context: { readonly signal: AbortSignal; readonly emit: (event: Event) => void }
      ) => Output | Promise<Output>
    : never
}
