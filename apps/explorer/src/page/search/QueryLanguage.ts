/** The query language of a forge: the extended one with an index, otherwise the contract's. */
import * as Result from "effect/Result"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import type { Diagnostic } from "@tongs/core/query/Diagnostic"
import * as SearchQuery from "@tongs/core/query/SearchQuery"

/** The problems of a query. An empty query has none. */
export const problems = (q: string, hasIndex: boolean): ReadonlyArray<Diagnostic> => {
  if (q.trim() === "") return []
  return Result.match<unknown, ReadonlyArray<Diagnostic>, ReadonlyArray<Diagnostic>>(
    hasIndex ? CodeQueryParser.parse(q) : SearchQuery.parse(q),
    { onSuccess: () => [], onFailure: (problems) => problems }
  )
}

/** Whether a query is valid and not empty. */
export const canRun = (q: string, hasIndex: boolean): boolean => q.trim() !== "" && problems(q, hasIndex).length === 0
