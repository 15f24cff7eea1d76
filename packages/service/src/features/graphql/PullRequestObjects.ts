/** The fields that only pull requests have. Their rows are read in batches, and only if a field needs them. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as OperationAccess from "../../api/OperationAccess.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { PageRequest } from "../../base/Paging.ts"
import * as TextReferences from "../../base/TextReferences.ts"
import type { FileChange } from "../../git/history/Differences.ts"
import * as RefName from "../../git/values/RefName.ts"
import { type PullRequestRow, PullRequestRows } from "../../issues/PullRequestRows.ts"
import { isTested, mergeableState } from "../../issues/PullRequestShapes.ts"
import * as ReferencedIssues from "../../issues/ReferencedIssues.ts"
import { Mergeability } from "../../pulls/Mergeability.ts"
import * as MergeMessage from "../../pulls/MergeMessage.ts"
import * as MergeState from "../../pulls/MergeState.ts"
import * as RequiredReviews from "../../pulls/RequiredReviews.ts"
import { ReviewState } from "../../reviews/ReviewState.ts"
import { Enforcement } from "../../rules/Enforcement.ts"
import * as ReviewRequirements from "../../rules/ReviewRequirements.ts"
import type { AppliedRule } from "../../rules/RuleSources.ts"
import { commitKey } from "./CheckObjects.ts"
import * as Connections from "./Connections.ts"
import * as QueryError from "./QueryError.ts"
import * as ReviewObjects from "./ReviewObjects.ts"
import { ref, requireAccess } from "./RepositoryObjects.ts"
import * as SuggestedReviewers from "./SuggestedReviewers.ts"
import type { FoundRepository, PullRequestSource, RunningQuery } from "./RunningQuery.ts"

/** The operation of the contract with the access rules of pull requests. */
export const readsPullRequests = OperationAccess.operationOf("pulls", "get")

/** Maximum number of listed files, as in the REST API. */
const MAX_FILES = 3000

const listsAssignees = OperationAccess.operationOf("assignees", "listForRepo")

export interface SuggestedReviewerArguments extends Connections.PageArguments {
  readonly query?: string | null
}

type MergeMethod = "MERGE" | "REBASE" | "SQUASH"

const mergeMethods = { MERGE: "merge", SQUASH: "squash" } as const // literal types

const changeTypes = {
  added: "ADDED",
  removed: "DELETED",
  modified: "MODIFIED",
  renamed: "RENAMED",
  copied: "COPIED",
  changed: "CHANGED"
} as const satisfies Readonly<Record<FileChange["status"], string>> // literal types

/** Returns the key of a branch for a loader. */
const branchKey = ({ served }: FoundRepository, branch: string) => `${served.row.id} ${branch}`

/** Creates the functions that read rows of pull requests, and return the fields. */
export const make = Effect.gen(function* () {
  const enforcement = yield* Enforcement
  const mergeability = yield* Mergeability
  const referencedIssues = yield* ReferencedIssues.make
  const lacksDeployment = yield* MergeState.makeLacksDeployment
  const requiredReviews = yield* RequiredReviews.make
  const reviews = yield* ReviewObjects.make
  const reviewStates = yield* ReviewState
  const rows = yield* PullRequestRows
  const sql = yield* SqlClient.SqlClient
  const suggestedReviewers = yield* SuggestedReviewers.make

  const rowsById = (query: RunningQuery, ids: ReadonlyArray<number>) => query.run(rows.byIssues(ids))

  const reviewStatesById = (query: RunningQuery, ids: ReadonlyArray<number>) => query.run(reviewStates.of(ids))

  /** Reads the active rules of branches by `branchKey`. */
  const rulesByKey = async (query: RunningQuery, keys: ReadonlyArray<string>) => {
    const found = await Promise.all(
      keys.map(async (key): Promise<ReadonlyArray<[string, ReadonlyArray<AppliedRule>]>> => {
        const space = key.indexOf(" ")
        const at = await query.findRepository(Number(key.slice(0, space)))
        if (at === undefined) return []
        return [[key, await query.run(enforcement.activeRules(at.served, key.slice(space + 1)))]]
      })
    )
    return new Map(found.flat())
  }

  /** Finds the issues that the texts of pull requests close, in one statement. */
  const closedBy = async (query: RunningQuery, sources: ReadonlyArray<PullRequestSource>) => {
    const references = sources.flatMap((source) =>
      TextReferences.find(source.row.body ?? "").flatMap(({ reference }) =>
        reference._tag === "Issue" &&
        reference.isClosing &&
        ReferencedIssues.isOfForge(reference, new URL(query.urls.html).origin)
          ? [{ source, reference }]
          : []
      )
    )
    const targetOf = await query.run(
      referencedIssues(
        references.map(({ reference, source }) => [reference, source.at.served.row]),
        sql`i.is_pull_request = 0`
      )
    )
    return new Map(
      [...Map.groupBy(references, ({ source }) => source)].map(([source, own]) => {
        const ids = own.flatMap(({ reference }) => targetOf(reference, source.at.served.row)?.issue.id ?? [])
        return [source, [...new Set(ids)]]
      })
    )
  }

  /** Returns the ids of a part of the commits, the oldest first. */
  const commitIds = (
    { served: { git } }: FoundRepository,
    { base_sha, head_sha }: PullRequestRow,
    total: number,
    { offset, perPage }: Pick<PageRequest, "offset" | "perPage">
  ) => {
    const end = Math.min(total, offset + perPage)
    if (end <= offset) return Effect.succeed([])
    if (offset === total - 1) return Effect.succeed([head_sha])
    const page = { from: head_sha, exclude: base_sha, skip: total - end, limit: end - offset }
    return Effect.map(git.log(page), (oids) => oids.toReversed())
  }

  /** Returns the fields of a pull request. */
  const fields = (query: RunningQuery, source: PullRequestSource, url: string) => {
    const { at, row } = source
    const { git } = at.served
    const pullRequest = async () => {
      requireAccess(readsPullRequests, query, at)
      const found = await query.pullRequest(row.id)
      if (found === undefined) throw QueryError.unresolved(`a PullRequest with the number of ${row.number}`)
      return found
    }
    /** Returns a field of the row. */
    const of =
      <A>(field: (pull: PullRequestRow) => A) =>
      async () =>
        field(await pullRequest())
    const headRepository = async ({ head_repository_id: id }: PullRequestRow) =>
      id === null ? undefined : query.findRepository(id)
    /** Returns the row, and starts the missing test of a merge. */
    const tested = async () => {
      const found = await pullRequest()
      await query.run(mergeability.test([found]))
      return found
    }
    const rulesOf = async (found: PullRequestRow) => (await query.rulesOfBranch(branchKey(at, found.base_ref))) ?? []
    const mergeStateStatus = async () => {
      const found = await tested()
      const merge = mergeableState(found)
      if (merge !== "clean") return merge.toUpperCase()
      const rules = await rulesOf(found)
      if (await query.run(lacksDeployment(found, at.served, rules))) return "BLOCKED"
      const known = RequiredReviews.areNeededBy(rules) ? await query.reviewState(row.id) : undefined
      const state = await query.run(requiredReviews(found, at.served, rules, known))
      const checks = await query.rollup(commitKey(at, found.head_sha))
      return MergeState.stateOf(rules, state, checks, found.behind).toUpperCase()
    }
    const reviewDecision = async () => {
      requireAccess(ReviewObjects.readsReviews, query, at)
      const found = await pullRequest()
      const rules = await rulesOf(found)
      const state = await query.run(requiredReviews(found, at.served, rules, await query.reviewState(row.id)))
      if (state.changeRequests > 0) return "CHANGES_REQUESTED"
      const isMissing = rules.some(
        (rule) => rule.type === "pull_request" && ReviewRequirements.isReviewMissing(rule.parameters, state)
      )
      return isMissing ? "REVIEW_REQUIRED" : state.approvals > 0 ? "APPROVED" : null
    }
    const commits = async (page: Connections.PageArguments) => {
      const found = await pullRequest()
      const range = { from: found.head_sha, exclude: found.base_sha }
      const total = isTested(found) || isOnlyLast(page) ? found.commits : await query.run(git.countLog(range))
      const commit = (oid: string) => ({
        commit: () => query.gitObject(at, oid),
        pullRequest: () => query.issue(row.id),
        url: `${url}/commits/${oid}`
      })
      const read = async (part: PageRequest) => {
        const oids = await query.run(commitIds(at, found, total, part))
        return { items: oids.map(commit), total }
      }
      return Connections.make("commits", page, read, total)
    }
    const files = async (page: Connections.PageArguments) => {
      const { base_sha, head_sha } = await pullRequest()
      const from = (await query.run(git.mergeBase(base_sha, head_sha))) ?? base_sha
      const listing = await query.run(git.changes.list({ from, to: head_sha }))
      return Connections.ofList("files", page, listing.files.slice(0, MAX_FILES), (file) => ({
        path: file.path,
        additions: file.additions,
        deletions: file.deletions,
        changeType: changeTypes[file.status]
      }))
    }
    const closingIssuesReferences = async (page: Connections.PageArguments) => {
      const { base_ref } = await pullRequest()
      const ids = base_ref === (await query.run(git.head)) ? ((await query.closedBy(source)) ?? []) : []
      const found = (await Promise.all(ids.map(query.issue))).filter((one) => one !== null)
      return Connections.ofList("closingIssuesReferences", page, found, (one) => one)
    }
    /** Returns the message of a merge by the viewer, of which the first line is the headline. */
    const messageOf = async (method: MergeMethod | null | undefined) => {
      if (method === "REBASE") return ""
      const pull = await pullRequest()
      const committer = await query.run(Shapes.personOf(query.caller.user))
      const merge = { issue: row, pull, base: pull.base_sha, method: mergeMethods[method ?? "MERGE"], committer }
      return (await query.run(MergeMessage.make(at.served, merge))).message
    }
    const suggested = async () => {
      requireAccess(listsAssignees, query, at)
      return query.run(suggestedReviewers(at.served, await pullRequest(), row.author_id))
    }
    const reviewer = ({ isAuthor, isCommenter, row }: SuggestedReviewers.SuggestedReviewer) => ({
      isAuthor,
      isCommenter,
      reviewer: () => query.account(row)
    })
    const autoMergeRequest = (merge: NonNullable<PullRequestRow["auto_merge"]>) => ({
      authorEmail: merge.author_email,
      commitHeadline: merge.title,
      commitBody: merge.message,
      mergeMethod: merge.method.toUpperCase(),
      enabledAt: merge.enabled_at,
      enabledBy: () => query.account(merge.enabled_by),
      pullRequest: () => query.issue(row.id)
    })
    const mark = row.pull_request
    return {
      state: mark !== null && mark.merged_at !== null ? "MERGED" : row.state.toUpperCase(),
      permalink: url,
      isDraft: mark?.draft === 1,
      merged: mark !== null && mark.merged_at !== null,
      mergedAt: mark?.merged_at ?? null,
      baseRef: async () => ref(query, at, RefName.branch((await pullRequest()).base_ref)),
      baseRefName: of(({ base_ref }) => base_ref),
      baseRefOid: of(({ base_sha }) => base_sha),
      baseRepository: () => query.repository(at),
      headRef: async () => {
        const found = await pullRequest()
        const head = await headRepository(found)
        return head === undefined ? null : ref(query, head, RefName.branch(found.head_ref))
      },
      headRefName: of(({ head_ref }) => head_ref),
      headRefOid: of(({ head_sha }) => head_sha),
      headRepository: async () => {
        const head = await headRepository(await pullRequest())
        return head === undefined ? null : query.repository(head)
      },
      headRepositoryOwner: of(({ head_user }) => (head_user === null ? null : query.account(head_user))),
      isCrossRepository: of(({ head_repository_id, repository_id }) => head_repository_id !== repository_id),
      maintainerCanModify: of(({ maintainer_can_modify }) => maintainer_can_modify === 1),
      mergeable: async () => {
        const found = await tested()
        if (found.state === "closed" || !isTested(found) || found.mergeable === null) return "UNKNOWN"
        return found.mergeable === 1 ? "MERGEABLE" : "CONFLICTING"
      },
      mergeStateStatus,
      reviewDecision,
      canBeRebased: of((found) => found.state === "open" && isTested(found) && found.rebaseable === 1),
      mergedBy: of(({ merged_by }) => (merged_by === null ? null : query.account(merged_by))),
      mergeCommit: of(({ merge_commit_sha: oid, merged_at }) =>
        merged_at === null || oid === null ? null : query.gitObject(at, oid)
      ),
      potentialMergeCommit: of((found) =>
        found.state === "closed" || !isTested(found) || found.merge_commit_sha === null
          ? null
          : query.gitObject(at, found.merge_commit_sha)
      ),
      additions: of(({ additions }) => additions),
      deletions: of(({ deletions }) => deletions),
      changedFiles: of(({ changed_files }) => changed_files),
      commits,
      files,
      closingIssuesReferences,
      suggestedReviewers: async () => (await suggested()).map(reviewer),
      suggestedReviewerActors: async ({ query: text, ...page }: SuggestedReviewerArguments) => {
        const first = await suggested()
        const others = ((await query.assignable(at.served.row.id)) ?? [])
          .filter(({ id }) => id !== row.author_id && !first.some((one) => one.row.id === id))
          .map((other) => ({ row: other, isAuthor: false, isCommenter: false }))
        const wanted = [...first, ...others].filter(({ row: { login, name } }) =>
          `${login}\n${name ?? ""}`.toLowerCase().includes((text ?? "").toLowerCase())
        )
        return Connections.ofList("suggestedReviewerActors", page, wanted, reviewer)
      },
      viewerMergeHeadlineText: async ({ mergeType }: { readonly mergeType?: MergeMethod | null }) =>
        (await messageOf(mergeType)).split("\n", 1)[0] ?? "",
      viewerMergeBodyText: async ({ mergeType }: { readonly mergeType?: MergeMethod | null }) =>
        (await messageOf(mergeType)).replace(/^[^\n]*/, "").trim(),
      autoMergeRequest: of(({ auto_merge }) => (auto_merge === null ? null : autoMergeRequest(auto_merge))),
      ...reviews.fields(query, source),
      isInMergeQueue: false,
      isMergeQueueEnabled: false
    }
  }

  return { closedBy, fields, reviewStatesById, reviews, rowsById, rulesByKey }
})

/** True if a page has at most the last commit, which the row has. */
const isOnlyLast = ({ after, before, first, last }: Connections.PageArguments) =>
  last === 1 && [after, before, first].every((value) => (value ?? undefined) === undefined)
