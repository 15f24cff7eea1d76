import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { CodeSymbol } from "@tongs/core/contract/CodeNavigation"
import type { Candidate, IndexError } from "./CodeIndex.ts"
import * as QueryNames from "./QueryNames.ts"
import * as IdleWorker from "./workers/IdleWorker.ts"
import { SearchWorker } from "./workers/SearchWorker.ts"
import type * as LogMatching from "./commits/LogMatching.ts"
import type * as ContentSearch from "./ContentSearch.ts"

/** Maximum number of processes for regular expressions. Each process runs one search at a time; other searches wait. */
const maxRegexProcesses = 4

/** Milliseconds after the interruption of a search until its process is killed. */
const graceMillis = 25

/** Idle time after which a worker ends, to free its memory. */
const idleTime = "1 minute"

/** Matches the logs of one search. Interrupting a call ends a regular expression that takes too long. */
export interface LogMatcher {
  begin(start: LogMatching.LogStart): Effect.Effect<void, IndexError>
  match(chunk: LogMatching.LogChunk): Effect.Effect<LogMatching.LogMatches, IndexError>
  end(log: number): Effect.Effect<void, IndexError>
}

/**
 * Pool of workers that verify candidate files. Searches with regular expressions run in separate processes, so that a
 * slow expression delays no other search.
 */
export class ContentSearchPool extends Context.Service<
  ContentSearchPool,
  {
    /** Returns the candidates that match. Can be interrupted even during a regular expression that never ends. */
    verify(input: ContentSearch.ContentSearchInput): Effect.Effect<ContentSearch.ContentSearchOutput, IndexError>
    /** Returns the indexes of the names that a regular expression matches, ignoring case. Can be interrupted. */
    matchNames(source: string, names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<number>, IndexError>
    /** Returns the symbols that a file defines. */
    outline(file: Pick<Candidate, "gitDir" | "oid" | "path">): Effect.Effect<ReadonlyArray<CodeSymbol>, IndexError>
    /** Borrows a worker for the logs of one search: a process of its own if the query has regular expressions. */
    logMatcher(options: { readonly hasRegex: boolean }): Effect.Effect<LogMatcher, never, Scope.Scope>
  }
>()("@tongs/service/search/ContentSearchPool") {
  static readonly layer = Layer.effect(
    ContentSearchPool,
    Effect.gen(function* () {
      // Searches without regular expressions are fast, so they share one thread.
      const shared = yield* IdleWorker.make("verifier", idleTime)
      const useShared = <A>(use: (thread: SearchWorker<"verifier">) => Effect.Effect<A, IndexError>) =>
        Effect.scoped(Effect.flatMap(shared, use))

      const permits = yield* Semaphore.make(maxRegexProcesses)
      const processes = new Set<SearchWorker<"verifier">>()
      yield* Effect.addFinalizer(() => Effect.forEach(processes, (one) => one.end, { concurrency: "unbounded" }))
      const idle = new Set<SearchWorker<"verifier">>()
      /** Fibers that end processes after their idle time. */
      const ends = yield* FiberMap.make<SearchWorker<"verifier">>()

      /** Returns an idle process without pending calls, or starts one. */
      const take = Effect.suspend(() => {
        for (const one of processes) if (!one.isAlive && processes.delete(one)) idle.delete(one)
        const known = [...idle].find((one) => one.isAlive && one.load === 0)
        if (known !== undefined && idle.delete(known)) return Effect.as(FiberMap.remove(ends, known), known)
        const made = new SearchWorker("verifier", { graceMillis })
        processes.add(made)
        return Effect.succeed(made)
      })
      const putBack = (process: SearchWorker<"verifier">) => {
        idle.add(process)
        const end = Effect.suspend(() => (idle.delete(process) ? process.end : Effect.void))
        return FiberMap.run(ends, process, Effect.delay(end, idleTime))
      }
      const useProcess = <A>(use: (process: SearchWorker<"verifier">) => Effect.Effect<A, IndexError>) =>
        permits.withPermit(Effect.acquireUseRelease(take, use, putBack))
      const borrowProcess = Effect.andThen(
        Effect.acquireRelease(permits.take(1), () => permits.release(1), { interruptible: true }),
        Effect.acquireRelease(take, putBack)
      )

      return ContentSearchPool.of({
        verify: (input) =>
          (QueryNames.hasRegex(input.query) ? useProcess : useShared)((worker) => worker.call("verify", input)),
        matchNames: (source, names) => useProcess((process) => process.call("matchNames", { source, names })),
        outline: (file) => useShared((thread) => thread.call("outline", file)),
        logMatcher: ({ hasRegex }) =>
          Effect.map(hasRegex ? borrowProcess : shared, (worker) => ({
            begin: (start) => worker.call("beginLog", start),
            match: (chunk) => worker.call("matchLog", chunk),
            end: (log) => worker.call("endLog", { log })
          }))
      })
    })
  )
}
