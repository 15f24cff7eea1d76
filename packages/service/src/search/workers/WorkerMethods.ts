import type { LeftOutFile } from "@tongs/core/contract/groups/CodeIndex"
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type {
  CandidateBatch,
  Candidate,
  IndexedRepository,
  CandidateOrder,
  IndexProgress,
  IndexState,
  SearchTarget
} from "../CodeIndex.ts"
import type * as LogMatching from "../commits/LogMatching.ts"
import type * as ContentSearch from "../ContentSearch.ts"
import type * as Navigation from "../navigation/Navigation.ts"
import type { Place } from "../navigation/Place.ts"

/** Types of a worker method: input, output and progress events. */
export interface Method<Input, Output, Event = never> {
  readonly input: Input
  readonly output: Output
  readonly event: Event
}

/** Methods of the worker that writes the index. */
export interface WriterMethods {
  /** Creates a missing index, and replaces an unusable index. */
  readonly open: Method<void, void>
  readonly apply: Method<
    { readonly gitDir: string; readonly commit: string; readonly pinned: ReadonlyArray<string> },
    void,
    IndexProgress
  >
  readonly refine: Method<{ readonly millis: number }, number>
  readonly forget: Method<{ readonly gitDir: string }, void>
}

/** Methods of the worker that reads the index. */
export interface ReaderMethods {
  /** Starts a search and returns the first batch. The caller chooses the `cursor` number, for `next` and `end`. */
  readonly begin: Method<
    {
      readonly cursor: number
      readonly query: CodeQuery
      readonly targets: ReadonlyArray<SearchTarget>
      readonly order: CandidateOrder
    },
    CandidateBatch
  >
  readonly next: Method<{ readonly cursor: number }, CandidateBatch>
  readonly end: Method<{ readonly cursor: number }, void>
  readonly states: Method<{ readonly repositories: ReadonlyArray<IndexedRepository> }, ReadonlyArray<IndexState>>
  readonly leftOut: Method<
    { readonly repository: IndexedRepository; readonly limit: number },
    ReadonlyArray<LeftOutFile>
  >
}

/** Methods of the workers that read contents: to verify candidates, for outlines, navigation, logs and long Markdown. */
export interface ContentMethods {
  readonly verify: Method<ContentSearch.ContentSearchInput, ContentSearch.ContentSearchOutput>
  readonly matchNames: Method<{ readonly source: string; readonly names: ReadonlyArray<string> }, ReadonlyArray<number>>
  readonly outline: Method<Pick<Candidate, "gitDir" | "oid" | "path">, ReadonlyArray<CodeSymbol>>
  readonly locate: Method<Navigation.Position, Navigation.Located>
  readonly exported: Method<Navigation.PackageExport, ReadonlyArray<Place>>
  readonly describe: Method<ReadonlyArray<Navigation.DefinitionPlace>, ReadonlyArray<Navigation.DefinitionText>>
  readonly references: Method<Navigation.ReferencesInput, Navigation.ReferencesOutput>
  readonly renderMarkdown: Method<{ readonly text: string; readonly mode: "markdown" | "gfm" }, string>
  readonly beginLog: Method<LogMatching.LogStart, void>
  readonly matchLog: Method<LogMatching.LogChunk, LogMatching.LogMatches>
  readonly endLog: Method<{ readonly log: number }, void>
}

/** Methods of the workers of each role. */
export interface Workers {
  readonly writer: WriterMethods
  readonly reader: ReaderMethods
  readonly content: ContentMethods
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
