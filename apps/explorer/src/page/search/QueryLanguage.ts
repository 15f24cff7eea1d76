/** The query language of a forge: the extended one with an index, otherwise the contract's. */
import * as Result from "effect/Result"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
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

/** The kind of results of a query: files, or commits with `type:commit` and `type:diff`. */
export const kindOf = (q: string, hasIndex: boolean): CodeQuery["kind"] =>
  hasIndex ? Result.match(CodeQueryParser.parse(q), { onSuccess: ({ kind }) => kind, onFailure: () => "file" }) : "file"

/** Whether a query names revisions. */
export const hasRevisions = (q: string, hasIndex: boolean): boolean =>
  hasIndex &&
  Result.match(CodeQueryParser.parse(q), { onSuccess: ({ revisions }) => revisions.length > 0, onFailure: () => false })

/** Maximum number of rounds of corrections: one can uncover the next problem. */
const MAX_ROUNDS = 5

/** The valid query that corrects all problems of `q`, undefined if there is none. */
export const correction = (q: string, hasIndex: boolean): string | undefined => {
  let text = q
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = problems(text, hasIndex)
    if (found.length === 0) return text === q || text.trim() === "" ? undefined : text
    if (found.some(({ replacement }) => replacement === undefined)) return undefined
    for (const problem of found.toSorted((a, b) => b.start - a.start)) text = replace(text, problem)
  }
  return undefined
}

/** Replaces the span of a problem. Removes the space that would remain before or after a removed part. */
const replace = (text: string, { length, replacement = "", start }: Diagnostic): string => {
  const before = text.slice(0, start)
  const after = text.slice(start + length)
  return replacement === "" && /(^|\s)$/.test(before)
    ? `${before}${after.trimStart()}`.trimEnd()
    : before + replacement + after
}
