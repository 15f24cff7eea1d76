/** The query language of the forge at hand: the explorer's where there is an index, the contract's elsewhere. */
import * as Result from "effect/Result"
import * as CodeLanguage from "@tongs/core/query/CodeLanguage"
import type { Problem } from "@tongs/core/query/Problem"
import * as Query from "@tongs/core/query/Query"

/** Everything that is wrong with a query; nothing where it can be sent, or is empty. */
export const problems = (q: string, hasIndex: boolean): ReadonlyArray<Problem> => {
  if (q.trim() === "") return []
  return Result.match<unknown, ReadonlyArray<Problem>, ReadonlyArray<Problem>>(
    hasIndex ? CodeLanguage.parse(q) : Query.parse(q),
    { onSuccess: () => [], onFailure: (problems) => problems }
  )
}

/** Whether there is something to send. */
export const canRun = (q: string, hasIndex: boolean): boolean => q.trim() !== "" && problems(q, hasIndex).length === 0
