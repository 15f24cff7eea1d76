import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import type { LazyArg } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import * as KeyedSemaphore from "../base/KeyedSemaphore.ts"
import type { Candidate, IndexError } from "./CodeIndex.ts"
import * as QueryNames from "./QueryNames.ts"
import { SearchCaller } from "./SearchCaller.ts"
import * as IdleWorker from "./workers/IdleWorker.ts"
import { SearchWorker } from "./workers/SearchWorker.ts"
import type { ContentMethods } from "./workers/WorkerMethods.ts"
import type * as LogMatching from "./commits/LogMatching.ts"
import type * as ContentSearch from "./ContentSearch.ts"
import type * as Navigation from "./navigation/Navigation.ts"
import type { Place } from "./navigation/Place.ts"
import type { DeclaredPackage } from "./packages/Manifests.ts"

/** Number of threads for searches without regular expressions, which are fast and share the threads. */
const THREADS = 2

/** Number of candidates up to which one thread or process verifies a batch alone. */
const MAX_ALONE = 16

/** Maximum number of processes for regular expressions. Each process runs one search at a time; other searches wait. */
const MAX_REGEX_PROCESSES = 4

/**
 * Maximum number of regular expression processes per caller, not counting the separate process for saved searches. One
 * process always remains for another caller.
 */
const MAX_REGEX_PROCESSES_PER_CALLER = 2

/** Milliseconds after the interruption of a search until the process is killed. */
const GRACE_MILLIS = 25

/** Maximum number of processes that parse files for definitions and uses, and the time limit of one call. */
const MAX_NAVIGATION_PROCESSES = 2
const NAVIGATION_TIME = "4 seconds"

/** Like `GRACE_MILLIS`, but longer, because most calls end soon and a surviving process keeps the parsed files. */
const NAVIGATION_GRACE_MILLIS = 150

/** Idle time after which a worker ends, to free memory. */
const IDLE_TIME = "1 minute"

/** Matches the logs of one search. Interrupting a call ends a regular expression that takes too long. */
export interface LogMatcher {
  begin(start: LogMatching.LogStart): Effect.Effect<void, IndexError>
  match(chunk: LogMatching.LogChunk): Effect.Effect<LogMatching.LogMatches, IndexError>
  end(log: number): Effect.Effect<void, IndexError>
}

/** Creates a pool of processes that run one call at a time. */
const makeProcesses = Effect.fnUntraced(function* (count: number, graceMillis: number) {
  const permits = yield* Semaphore.make(count)
  const processes = new Set<SearchWorker<"content">>()
  yield* Effect.addFinalizer(() => Effect.forEach(processes, (one) => one.end, { concurrency: "unbounded" }))
  const idle = new Set<SearchWorker<"content">>()
  /** Fibers that end idle processes. */
  const ends = yield* FiberMap.make<SearchWorker<"content">>()

  /** Returns an idle process without pending calls, or starts one. */
  const take = Effect.suspend(() => {
    for (const one of processes) if (!one.isAlive && processes.delete(one)) idle.delete(one)
    const known = [...idle].find((one) => one.isAlive && one.load === 0)
    if (known !== undefined && idle.delete(known)) return Effect.as(FiberMap.remove(ends, known), known)
    const made = new SearchWorker("content", { graceMillis })
    processes.add(made)
    return Effect.succeed(made)
  })
  const putBack = (process: SearchWorker<"content">) => {
    idle.add(process)
    const end = Effect.suspend(() => (idle.delete(process) ? process.end : Effect.void))
    return FiberMap.run(ends, process, Effect.delay(end, IDLE_TIME))
  }
  return {
    use: <A>(use: (process: SearchWorker<"content">) => Effect.Effect<A, IndexError>) =>
      permits.withPermit(Effect.acquireUseRelease(take, use, putBack)),
    borrow: Effect.andThen(
      Effect.acquireRelease(permits.take(1), () => permits.release(1), { interruptible: true }),
      Effect.acquireRelease(take, putBack)
    )
  }
})

/** Joins the outputs for consecutive parts of the candidates, all but the last of which have `size` candidates. */
const join = (
  outputs: ReadonlyArray<ContentSearch.ContentSearchOutput>,
  size: number
): ContentSearch.ContentSearchOutput => {
  const problem = outputs.map((output) => output.problem).find((one) => one !== undefined)
  return {
    hits: outputs.flatMap(({ hits }, part) => hits.map((hit) => ({ ...hit, candidate: part * size + hit.candidate }))),
    cut: outputs.flatMap(({ cut }, part) => cut.map((at) => part * size + at)),
    rest: outputs.flatMap(({ rest }, part) => rest.map((at) => part * size + at)),
    ...(problem === undefined ? {} : { problem })
  }
}

/** The result for a name in a file that takes too long to parse. */
const nowhere = (name: string): Navigation.Located => ({
  names: [name],
  found: [],
  isFinal: false,
  isDeclaration: false,
  use: undefined,
  isIncomplete: true
})

/**
 * Pool of workers that verify candidate files. Regular expressions and parsing run in separate processes, so that a
 * slow expression or file delays no other search.
 */
export class ContentSearchPool extends Context.Service<
  ContentSearchPool,
  {
    /**
     * Returns the candidates that match. At least one candidate is verified, so a call for one candidate has no `rest`.
     * Can be interrupted even during a regular expression that never ends.
     */
    verify(input: ContentSearch.ContentSearchInput): Effect.Effect<ContentSearch.ContentSearchOutput, IndexError>
    /** Returns the indexes of the names that a regular expression matches, ignoring case. Can be interrupted. */
    matchNames(source: string, names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<number>, IndexError>
    /** Returns the symbols that a file defines. Undefined if the file takes too long. */
    outline(
      file: Pick<Candidate, "gitDir" | "oid" | "path">
    ): Effect.Effect<ReadonlyArray<CodeSymbol> | undefined, IndexError>
    /** Finds the meaning of a name at a position, by scopes and imports. */
    locate(position: Navigation.Position): Effect.Effect<Navigation.Located, IndexError>
    /** Returns the packages that the manifests of repositories declare. Undefined if reading them takes too long. */
    packages(
      repositories: ReadonlyArray<ReadonlyArray<Navigation.ManifestFile>>
    ): Effect.Effect<ReadonlyArray<ReadonlyArray<DeclaredPackage>> | undefined, IndexError>
    /** Finds the declarations that a package of the repository exports. */
    exported(input: Navigation.PackageExport): Effect.Effect<ReadonlyArray<Place>, IndexError>
    /** Returns the signatures and documentations of definitions, in their order. */
    describe(
      places: ReadonlyArray<Navigation.DefinitionPlace>
    ): Effect.Effect<ReadonlyArray<Navigation.DefinitionText>, IndexError>
    /** Returns the lines of files that use a name. Undefined if the files take too long. */
    references(input: Navigation.ReferencesInput): Effect.Effect<Navigation.ReferencesOutput | undefined, IndexError>
    /** Returns the lines of files that use definitions of a package. Undefined if the files take too long. */
    packageReferences(
      input: Navigation.PackageReferencesInput
    ): Effect.Effect<Navigation.ReferencesOutput["uses"] | undefined, IndexError>
    /** Renders a Markdown text. Undefined if it takes too long. */
    renderMarkdown(input: ContentMethods["renderMarkdown"]["input"]): Effect.Effect<string | undefined, IndexError>
    /** Borrows a worker for the logs of one search: a separate process if the query has regular expressions. */
    logMatcher(options: { readonly hasRegex: boolean }): Effect.Effect<LogMatcher, never, Scope.Scope>
  }
>()("@tongs/service/search/ContentSearchPool") {
  static readonly layer = Layer.effect(
    ContentSearchPool,
    Effect.gen(function* () {
      const threads = yield* Effect.forEach(Arr.range(1, THREADS), () => IdleWorker.make("content", IDLE_TIME))
      let last = 0
      const shared = Effect.suspend(() => threads[last++ % threads.length] ?? Effect.die("no thread"))
      const useShared = <A>(use: (thread: SearchWorker<"content">) => Effect.Effect<A, IndexError>) =>
        Effect.scoped(Effect.flatMap(shared, use))

      const regexProcesses = yield* makeProcesses(MAX_REGEX_PROCESSES, GRACE_MILLIS)
      const perCaller = KeyedSemaphore.make(MAX_REGEX_PROCESSES_PER_CALLER)
      const regex: typeof regexProcesses = {
        // A caller waits for all own searches before waiting with the other callers.
        use: (use) => Effect.flatMap(SearchCaller, (caller) => perCaller.withPermit(caller)(regexProcesses.use(use))),
        borrow: Effect.andThen(Effect.flatMap(SearchCaller, perCaller.take), regexProcesses.borrow)
      }
      // Parsing takes long in hostile files. In these processes parsing delays no search, and can be ended.
      const navigation = yield* makeProcesses(MAX_NAVIGATION_PROCESSES, NAVIGATION_GRACE_MILLIS)
      const navigate = <A>(
        use: (process: SearchWorker<"content">) => Effect.Effect<A, IndexError>,
        late: LazyArg<A>
      ): Effect.Effect<A, IndexError> =>
        // The time limit excludes the wait for a process.
        navigation.use((process) =>
          Effect.map(Effect.timeoutOption(use(process), NAVIGATION_TIME), Option.getOrElse(late))
        )

      return ContentSearchPool.of({
        verify: (input) => {
          const use = QueryNames.hasRegex(input.query) ? regex.use : useShared
          const size = Math.max(MAX_ALONE, Math.ceil(input.candidates.length / THREADS))
          return Effect.map(
            Effect.forEach(
              Arr.chunksOf(input.candidates, size),
              (candidates) => use((worker) => worker.call("verify", { ...input, candidates })),
              { concurrency: THREADS }
            ),
            (outputs) => join(outputs, size)
          )
        },
        matchNames: (source, names) => regex.use((process) => process.call("matchNames", { source, names })),
        outline: (file) =>
          navigate(
            (process): Effect.Effect<ReadonlyArray<CodeSymbol> | undefined, IndexError> =>
              process.call("outline", file),
            () => undefined
          ),
        locate: (position) =>
          navigate(
            (process) => process.call("locate", position),
            () => nowhere(position.name)
          ),
        packages: (repositories) =>
          navigate(
            (process): Effect.Effect<ReadonlyArray<ReadonlyArray<DeclaredPackage>> | undefined, IndexError> =>
              process.call("packages", repositories),
            () => undefined
          ),
        exported: (input) =>
          navigate(
            (process): Effect.Effect<ReadonlyArray<Place>, IndexError> => process.call("exported", input),
            () => []
          ),
        describe: (places) =>
          navigate(
            (process) => process.call("describe", places),
            () => []
          ),
        references: (input) =>
          navigate(
            (process): Effect.Effect<Navigation.ReferencesOutput | undefined, IndexError> =>
              process.call("references", input),
            () => undefined
          ),
        packageReferences: (input) =>
          navigate(
            (process): Effect.Effect<Navigation.ReferencesOutput["uses"] | undefined, IndexError> =>
              process.call("packageReferences", input),
            () => undefined
          ),
        renderMarkdown: (input) =>
          navigate(
            (process): Effect.Effect<string | undefined, IndexError> => process.call("renderMarkdown", input),
            () => undefined
          ),
        logMatcher: ({ hasRegex }) =>
          Effect.map(hasRegex ? regex.borrow : shared, (worker) => ({
            begin: (start) => worker.call("beginLog", start),
            match: (chunk) => worker.call("matchLog", chunk),
            end: (log) => worker.call("endLog", { log })
          }))
      })
    })
  )
}
