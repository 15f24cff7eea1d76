/** Finds the pull requests that bring commits. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { GitError } from "../git/values/GitError.ts"
import { type PullRequestRow, PullRequestRows } from "../issues/PullRequestRows.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

/** Maximum number of pull requests whose commits are read, the newest first, and maximum number of their commits. */
const MAX_SEARCHED = 100
const MAX_COMMITS = 250

/**
 * Makes the function that returns the pull requests of commits by their ids, in one statement.
 *
 * **Details**
 *
 * An index finds the commit of a merge and the head of each pull request; other commits are looked for in the newest
 * pull requests only. A commit of the default branch has those that were merged, if any.
 */
export const make = Effect.gen(function* () {
  const rows = yield* PullRequestRows
  const sql = yield* SqlClient.SqlClient
  const { isOneOfTexts } = SqlFragments.make(sql)

  /** Returns the ids of the commits that a pull request brings. */
  const broughtBy = ({ base_sha, head_sha, merge_commit_sha, merged_at }: PullRequestRow, { git }: ServedRepository) =>
    git.log({ from: head_sha, exclude: base_sha, skip: 0, limit: MAX_COMMITS }).pipe(
      Effect.orElseSucceed(() => []),
      Effect.map((oids) => new Set([...oids, head_sha, ...(merged_at === null ? [] : [merge_commit_sha])]))
    )

  return Effect.fn("CommitPullRequests.find")(function* (
    repository: ServedRepository,
    oids: ReadonlyArray<string>
  ): Effect.fn.Return<ReadonlyMap<string, ReadonlyArray<PullRequestRow>>, GitError> {
    const { git, row } = repository
    const newest = sql`p.issue_id IN (
      SELECT n.id FROM issues n WHERE n.repository_id = ${row.id} AND n.is_pull_request = 1
      ORDER BY n.updated_at DESC, n.id DESC LIMIT ${MAX_SEARCHED})`
    const exact = sql`p.repository_id = ${row.id}
      AND (${isOneOfTexts("p.head_sha", oids)} OR ${isOneOfTexts("p.merge_commit_sha", oids)})`
    const found = yield* rows.matching(sql`(${exact} OR ${newest})`)
    const brought = yield* Effect.forEach(found, (pull) => broughtBy(pull, repository), { concurrency: 4 })
    const tip = (yield* git.tip).ref
    const ofCommit = Effect.fnUntraced(function* (oid: string) {
      const bringing = found.filter((_, index) => brought[index]?.has(oid) === true)
      const merged = bringing.filter(({ merged_at }) => merged_at !== null)
      const isOnDefault = merged.length > 0 && tip !== undefined && (yield* git.isAncestor(oid, tip.oid))
      return [oid, isOnDefault ? merged : bringing] as const // a pair
    })
    return new Map(yield* Effect.forEach(oids, ofCommit))
  })
})
