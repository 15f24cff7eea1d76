import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { IndexError, CandidateOrder } from "./CodeIndex.ts"
import { CodeSearch } from "./CodeSearch.ts"
import { incompleteBatch, type SearchBatch, type SearchHit } from "./SearchBatch.ts"

/** Maximum number of results per search, as the API documents. */
export const MAX_RESULTS = 1_000

/**
 * Number of first verified files whose results are sorted together. Later results have a lower estimated rank and are
 * appended, so that the order does not depend on the number of wanted results.
 */
const FIRST_FILES = 192

/** The first results of a search, collected from several batches. */
export interface SearchResults {
  readonly hits: ReadonlyArray<SearchHit>
  /**
   * Number of results: exact if all files were verified, estimated if enough were found, a minimum after the deadline.
   */
  readonly total: number
  /**
   * True if the deadline passed, a process of the cluster was too slow, the index is out of date, or a file or repository
   * could not be searched.
   */
  readonly isIncomplete: boolean
}

/**
 * Searches until at least `wanted` results are found or the deadline passes. An error of the index is logged and makes
 * the results incomplete.
 */
export const collect = Effect.fn("SearchResults.collect")(function* (
  query: CodeQuery,
  repositories: ReadonlyArray<ServedRepository>,
  wanted: number,
  order: CandidateOrder
) {
  const { deadline, search } = yield* CodeSearch
  const parts: Array<SearchBatch> = []
  let isPartial = true
  let count = 0
  let examined = 0
  let firstParts = 0
  const run = Effect.gen(function* () {
    const started = yield* search(query, repositories, { show: "fragments", order, deadline })
    isPartial = started.isIncomplete
    yield* Stream.runForEachWhile(started.found, (found) =>
      Effect.sync(() => {
        parts.push(found)
        count += found.hits.length
        if (examined < FIRST_FILES) firstParts = parts.length
        examined += found.examined
        const isFull = count >= wanted && examined >= FIRST_FILES
        isPartial ||= isFull && found.isEarly === true
        return !isFull
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
  const left = parts.at(-1)?.remaining ?? 0
  return {
    hits: hits.slice(0, MAX_RESULTS),
    total: hits.length + (isOver ? 0 : Math.round((left * hits.length) / Math.max(examined, 1))),
    isIncomplete: isOver || isPartial || parts.some((part) => part.isIncomplete)
  } satisfies SearchResults
})
