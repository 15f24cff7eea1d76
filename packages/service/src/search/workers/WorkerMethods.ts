/** What the threads of the code index can be asked: the input, the events on the way, and the output of each. */
import type { LeftOut, Symbol } from "@tongs/core/explore/Explore"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type {
  CandidateBatch,
  Candidate,
  IndexedRepository,
  CandidateOrder,
  IndexProgress,
  IndexState
} from "../CodeIndex.ts"
import type * as ContentSearch from "../ContentSearch.ts"

export interface Method<Input, Output, Event = never> {
  readonly input: Input
  readonly output: Output
  readonly event: Event
}

/** Of the thread that writes the index. */
export interface WriterMethods {
  /** Makes the index where there is none that is of use. */
  readonly open: Method<void, void>
  readonly apply: Method<{ readonly gitDir: string; readonly commit: string }, void, IndexProgress>
}

/** Of the thread that reads it. */
export interface ReaderMethods {
  /** Gives the first batch. By the number of the caller's choice there is more, until it is ended. */
  readonly begin: Method<
    {
      readonly cursor: number
      readonly query: CodeQuery
      readonly scope: ReadonlyArray<IndexedRepository>
      readonly order: CandidateOrder
    },
    CandidateBatch
  >
  readonly next: Method<{ readonly cursor: number }, CandidateBatch>
  readonly end: Method<{ readonly cursor: number }, void>
  readonly states: Method<{ readonly repositories: ReadonlyArray<IndexedRepository> }, ReadonlyArray<IndexState>>
  readonly leftOut: Method<{ readonly repository: IndexedRepository; readonly limit: number }, LeftOut["files"]>
}

/** Of the threads that look at contents. */
export interface VerifierMethods {
  readonly verify: Method<ContentSearch.ContentSearchInput, ContentSearch.ContentSearchOutput>
  readonly outline: Method<Pick<Candidate, "gitDir" | "oid" | "path">, ReadonlyArray<Symbol>>
}

export interface Workers {
  readonly writer: WriterMethods
  readonly reader: ReaderMethods
  readonly verifier: VerifierMethods
}

/** How a thread answers. */
export type Handlers<M> = {
  readonly [K in keyof M]: M[K] extends Method<infer Input, infer Output, infer Event>
    ? (
        input: Input,
        context: { readonly signal: AbortSignal; readonly emit: (event: Event) => void }
      ) => Output | Promise<Output>
    : never
}
