/** The query language of the forge at hand: the explorer's where there is an index, the contract's elsewhere. */
import * as Result from "effect/Result"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import type { Diagnostic } from "@tongs/core/query/Diagnostic"
import * as SearchQuery from "@tongs/core/query/SearchQuery"

/** Everything that is wrong with a query; nothing where it can be sent, or is empty. */
export const problems = (q: string, hasIndex: boolean): ReadonlyArray<Diagnostic> => {
  if (q.trim() === "") return []
  return Result.match<unknown, ReadonlyArray<Diagnostic>, ReadonlyArray<Diagnostic>>(
    hasIndex ? CodeQueryParser.parse(q) : SearchQuery.parse(q),
    { onSuccess: () => [], onFailure: (problems) => problems }
  )
}

/** Whether there is something to send. */
export const canRun = (q: string, hasIndex: boolean): boolean => q.trim() !== "" && problems(q, hasIndex).length === 0
