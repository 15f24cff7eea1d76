/** Lists of pull requests: of a repository, of a head and of a commit. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as OperationAccess from "../../api/OperationAccess.ts"
import type { PageRequest } from "../../base/Paging.ts"
import { IssueRows } from "../../issues/IssueRows.ts"
import { PullRequestRows } from "../../issues/PullRequestRows.ts"
import * as CommitPullRequests from "../../pulls/CommitPullRequests.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"
import * as PullRequestTarget from "../pulls/PullRequestTarget.ts"
import { commitKey, groupById } from "./CheckObjects.ts"
import * as Connections from "./Connections.ts"
import { readsPullRequests } from "./PullRequestObjects.ts"
import * as PullRequestTemplates from "./PullRequestTemplates.ts"
import * as QueryError from "./QueryError.ts"
import { refusal, requireAccess } from "./RepositoryObjects.ts"
import type { FoundRepository, PullRequestArguments, RunningQuery } from "./RunningQuery.ts"

const readsOfCommit = OperationAccess.operationOf("pulls", "listForCommit")
const readsFiles = OperationAccess.operationOf("contents", "get")

const orders = { CREATED_AT: "i.created_at", UPDATED_AT: "i.updated_at", COMMENTS: "i.comments" } as const // columns

const isGiven = <A>(value: A | null | undefined): value is A => (value ?? undefined) !== undefined

/** Creates the functions that return the lists. */
export const make = Effect.gen(function* () {
  const issues = yield* IssueRows
  const ofCommits = yield* CommitPullRequests.make
  const pulls = yield* PullRequestRows
  const sql = yield* SqlClient.SqlClient
  const target = yield* PullRequestTarget.make
  const { hasName, isOneOf } = SqlFragments.make(sql)

  /** Condition: the issue is a pull request that fulfills a condition on `p`. */
  const isPull = (condition: Fragment) => sql`i.id IN (SELECT p.issue_id FROM pull_requests p WHERE ${condition})`

  const hasState = (state: "OPEN" | "CLOSED" | "MERGED") => {
    const isMerged = isPull(sql`p.merged_at IS NOT NULL`)
    switch (state) {
      case "OPEN":
        return sql`i.state = 'open'`
      case "CLOSED":
        return sql`(i.state = 'closed' AND NOT ${isMerged})`
      case "MERGED":
        return isMerged
    }
  }

  const isAny = <A>(values: ReadonlyArray<A> | null | undefined, condition: (value: A) => Fragment) =>
    isGiven(values) ? [values.length === 0 ? sql`1 = 0` : sql.or(values.map(condition))] : []

  /** Returns the page of the pull requests of some repositories. */
  const list = (
    query: RunningQuery,
    field: string,
    repositories: ReadonlyArray<number>,
    given: PullRequestArguments,
    more: ReadonlyArray<Fragment> = []
  ) => {
    const { baseRefName, headRefName, labels, orderBy, states } = given
    const where = sql.and([
      isOneOf("i.repository_id", repositories),
      sql`i.is_pull_request = 1`,
      ...isAny(states, hasState),
      ...isAny(
        labels,
        (name) => sql`i.id IN (SELECT l.issue_id FROM labels n JOIN issue_labels l ON l.label_id = n.id
          WHERE ${hasName("n.name", name)} AND ${isOneOf("n.repository_id", repositories)})`
      ),
      ...(isGiven(baseRefName) ? [isPull(sql`p.base_ref = ${baseRefName}`)] : []),
      ...(isGiven(headRefName) ? [isPull(sql`p.head_ref = ${headRefName}`)] : []),
      ...more
    ])
    const { direction, field: by } = orderBy ?? { direction: "ASC", field: "CREATED_AT" }
    const way = sql.literal(direction === "DESC" ? "DESC" : "ASC")
    const order = sql`${sql.literal(orders[by])} ${way}, i.number ${way}, i.id ${way}`
    const read = async (page: PageRequest) => {
      const { items, total } = await query.run(issues.page(where, order, page))
      const found = await Promise.all(items.map(({ id }) => query.issue(id)))
      return { items: found.filter((one) => one !== null), total }
    }
    return Connections.make(field, given, read)
  }

  /** Returns the pull requests whose head is a branch. */
  const ofHead = async (
    query: RunningQuery,
    { served }: FoundRepository,
    branch: string,
    given: PullRequestArguments
  ) => {
    const isHead = sql`p.head_repository_id = ${served.row.id} AND p.head_ref = ${branch}`
    const found = await query.run(pulls.matching(isHead))
    const ids = [...new Set(found.map(({ repository_id }) => repository_id))]
    const repositories = await Promise.all(ids.map(query.findRepository))
    const readable = repositories.flatMap((at) =>
      at === undefined || refusal(readsPullRequests, query.caller, at) !== undefined ? [] : [at.served.row.id]
    )
    return list(query, "associatedPullRequests", readable, given, [isPull(isHead)])
  }

  /** Reads the pull requests that bring commits, by `commitKey`. */
  const ofCommitsByKey = async (query: RunningQuery, keys: ReadonlyArray<string>) => {
    const found = await Promise.all(
      [...groupById(keys)].map(async ([id, oids]) => {
        const at = await query.findRepository(id)
        if (at === undefined) return []
        const pulls = await query.run(ofCommits(at.served, oids))
        return oids.map((oid) => [commitKey(at, oid), pulls.get(oid) ?? []] as const) // a pair
      })
    )
    return new Map(found.flat())
  }

  /** Returns the pull requests that bring a commit, as the REST API lists them. */
  const ofCommit = async (query: RunningQuery, at: FoundRepository, oid: string, page: Connections.PageArguments) => {
    requireAccess(readsOfCommit, query, at)
    const pulls = (await query.pullRequestsByCommit(commitKey(at, oid))) ?? []
    const found = await Promise.all(pulls.map(({ issue_id }) => query.issue(issue_id)))
    return Connections.ofList(
      "associatedPullRequests",
      page,
      found.filter((one) => one !== null),
      (one) => one
    )
  }

  /** Counts the commits that only one of two branches has. */
  const compare = async (query: RunningQuery, at: FoundRepository, base: string, headRef: string) => {
    const { git } = at.served
    const context = { caller: query.caller, repository: at.served }
    const head = await query.run(target.head(headRef.replace(/^refs\/heads\//, ""), undefined, context))
    if ((await query.run(git.commit(head.sha))) === undefined)
      throw QueryError.unresolved(`a commit of '${headRef}' in ${at.served.fullName}`)
    const aheadBy = await query.run(git.countLog({ from: head.sha, exclude: base }))
    const behindBy = await query.run(git.countLog({ from: base, exclude: head.sha }))
    const [ahead, behind] = [aheadBy > 0, behindBy > 0]
    return {
      aheadBy,
      behindBy,
      status: ahead && behind ? "DIVERGED" : ahead ? "AHEAD" : behind ? "BEHIND" : "IDENTICAL",
      baseTarget: () => query.gitObject(at, base),
      headTarget: () => query.gitObject(at, head.sha)
    }
  }

  /** Returns the fields of a repository with its pull requests. */
  const fields = (query: RunningQuery, at: FoundRepository) => {
    const { row } = at.served
    return {
      pullRequest: async ({ number }: { readonly number: number }) => {
        requireAccess(readsPullRequests, query, at)
        const found = await query.issueOfNumber(`${row.id} ${number}`)
        const object = found?.is_pull_request === 1 ? await query.issue(found.id) : null
        if (object === null) throw QueryError.unresolved(`a PullRequest with the number of ${number}`)
        return object
      },
      pullRequests: (given: PullRequestArguments) => {
        requireAccess(readsPullRequests, query, at)
        return list(query, "pullRequests", [row.id], given)
      },
      pullRequestTemplates: async () => {
        requireAccess(readsFiles, query, at)
        const found = await query.run(PullRequestTemplates.read(at.served))
        return found.map((one) => ({ ...one, repository: () => query.repository(at) }))
      },
      viewerDefaultMergeMethod:
        row.allow_merge_commit === 1 ? "MERGE" : row.allow_squash_merge === 1 ? "SQUASH" : "REBASE"
    }
  }

  return { compare, fields, ofCommit, ofCommitsByKey, ofHead }
})
