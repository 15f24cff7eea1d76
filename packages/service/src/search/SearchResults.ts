/** The first results of a search, in their order, and how many there are. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { IndexError, CandidateOrder } from "./CodeIndex.ts"
import { CodeSearch, type SearchBatch, type SearchHit, incompleteBatch } from "./CodeSearch.ts"

/** Most results that a search has (spec part 3 §4.12). */
export const maxResults = 1_000

/**
 * Parts of what is found that are put in order together. What comes later has less promise, and stays behind them, so
 * that the order does not depend on how much is asked for.
 */
const firstParts = 2

export interface SearchResults {
  readonly hits: ReadonlyArray<SearchHit>
  /** Exact where everything was looked at; otherwise as many as there are if the rest is like the beginning. */
  readonly total: number
  /** The deadline came first, or the index is not complete, or something could not be read. */
  readonly isIncomplete: boolean
}

/** At least the `wanted` first, where there are so many. */
export const collect = Effect.fn("Results.collect")(function* (
  query: CodeQuery,
  repositories: ReadonlyArray<ServedRepository>,
  wanted: number,
  order: CandidateOrder
) {
  const { deadline, search } = yield* CodeSearch
  const parts: Array<SearchBatch> = []
  let isPartial = true
  let count = 0
  const run = Effect.gen(function* () {
    const started = yield* search(query, repositories, { show: "fragments", order, deadline })
    isPartial = started.isBehind || started.isIncomplete
    yield* Stream.runForEachWhile(started.found, (found) =>
      Effect.sync(() => {
        parts.push(found)
        count += found.hits.length
        return count < wanted || parts.length < firstParts
      })
    )
  })
  const broken = ({ message }: IndexError) =>
    Effect.suspend(() => {
      parts.push(incompleteBatch)
      return Effect.logError(message)
    })
  const ended = yield* Effect.timeoutOption(Effect.catchTag(run, "IndexError", broken), deadline)
  const isOver = Option.isNone(ended)
  const first = parts.slice(0, firstParts).flatMap(({ hits }) => hits)
  const later = parts.slice(firstParts).flatMap(({ hits }) => hits)
  const hits = [...(order === "best" ? first.sort((a, b) => b.rank - a.rank) : first), ...later]
  const examined = parts.reduce((sum, part) => sum + part.examined, 0)
  const left = parts.at(-1)?.remaining ?? 0
  return {
    hits: hits.slice(0, maxResults),
    total: hits.length + (isOver ? 0 : Math.round((left * hits.length) / Math.max(examined, 1))),
    isIncomplete: isOver || isPartial || parts.some((part) => part.isIncomplete)
  } satisfies SearchResults
})
