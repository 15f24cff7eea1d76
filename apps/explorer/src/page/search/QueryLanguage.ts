/** The query language of a forge: the extended language with an index, otherwise the contract's language. */
import * as Result from "effect/Result"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import type { Diagnostic } from "@tongs/core/query/Diagnostic"
import * as QueryCorrection from "@tongs/core/query/QueryCorrection"
import * as SearchQuery from "@tongs/core/query/SearchQuery"

/** The problems of a query. An empty query has no problems. */
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

/** Number of work trees above which a search reads only commits. The forge compares each work tree with two processes. */
const MAX_WORK_TREES = 16

/**
 * The source of a search by the index on an explorer that shows this number of work trees by default: undefined for
 * commits, the only source without work trees and for queries of commits.
 */
export const sourceOf = (q: string, workTrees: number): "work_trees" | "too_many_work_trees" | undefined => {
  if (workTrees === 0 || hasRevisions(q, true) || kindOf(q, true) !== "file") return undefined
  return workTrees <= MAX_WORK_TREES || /(?:^|[\s(])repo:/i.test(q) ? "work_trees" : "too_many_work_trees"
}

/** Returns a valid query with all problems of `q` corrected, or undefined if a problem has no correction. */
export const correction = (q: string, hasIndex: boolean): string | undefined =>
  QueryCorrection.correct(q, hasIndex ? CodeQueryParser.parse : SearchQuery.parse)
