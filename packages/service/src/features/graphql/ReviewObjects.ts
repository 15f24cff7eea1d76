/** Objects of reviews, their comments, threads and requests. Their rows are read in batches. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { atLeast } from "../../access/Roles.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import { nodeId } from "../../api/NodeId.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import { AuthorAssociations } from "../../issues/AuthorAssociation.ts"
import type { IssueRow } from "../../issues/IssueRows.ts"
import type { PullRequestRow } from "../../issues/PullRequestRows.ts"
import { type ReviewCommentRow, ReviewCommentRows } from "../../reviews/ReviewCommentRows.ts"
import { type ReviewRequestRow, ReviewRequestRows } from "../../reviews/ReviewRequestRows.ts"
import { type ReviewRow, ReviewRows, type ReviewState } from "../../reviews/ReviewRows.ts"
import { isOutdated, type ReviewThreadRow, ReviewThreadRows } from "../../reviews/ReviewThreadRows.ts"
import { decodeRows } from "../../storage/RowDecoder.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"
import * as Connections from "./Connections.ts"
import * as QueryError from "./QueryError.ts"
import * as ReactionGroups from "./ReactionGroups.ts"
import { requireAccess } from "./RepositoryObjects.ts"
import type { FoundRepository, PullRequestSource, RunningQuery } from "./RunningQuery.ts"
import * as TeamObjects from "./TeamObjects.ts"

/** The operation of the contract with the access rules of reviews. */
export const readsReviews = OperationAccess.operationOf("reviews", "list")

export interface ReviewArguments extends Connections.PageArguments {
  readonly states?: ReadonlyArray<ReviewState> | null
  readonly author?: string | null
}

export interface LatestArguments extends Connections.PageArguments {
  readonly writersOnly?: boolean | null
}

type Authored = Pick<ReviewRow | ReviewCommentRow, "author" | "standing">

const opinions: ReadonlySet<ReviewState> = new Set(["APPROVED", "CHANGES_REQUESTED", "DISMISSED"])

const writers = decodeRows(Schema.Struct({ repository_id: Schema.Int, user_id: Schema.Int }))

/** Returns the key of an account and a repository for a loader. */
const writerKey = (repositoryId: number, userId: number) => `${repositoryId} ${userId}`

const timeOf = ({ created_at, submitted_at }: ReviewRow) => submitted_at ?? created_at

/** Returns a pull request. Fails if the caller cannot read it, or if it does not exist, as of some imported comments. */
const pullRequestOf = async (query: RunningQuery, issueId: number | undefined): Promise<object> => {
  const found = issueId === undefined ? null : await query.issue(issueId)
  if (found === null) throw QueryError.unresolved("a PullRequest")
  return found
}

/** The latest review of each author, the oldest first. */
const latestOf = (reviews: ReadonlyArray<ReviewRow>): ReadonlyArray<ReviewRow> => {
  const byTime = reviews.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : a.id - b.id))
  const latest = new Map<number, ReviewRow>()
  for (const review of byTime) {
    if (review.user_id === null) continue
    latest.delete(review.user_id)
    latest.set(review.user_id, review)
  }
  return [...latest.values()]
}

/** Creates the functions that read rows of reviews, and return their objects. */
export const make = Effect.gen(function* () {
  const { association } = yield* AuthorAssociations
  const comments = yield* ReviewCommentRows
  const requests = yield* ReviewRequestRows
  const rows = yield* ReviewRows
  const threads = yield* ReviewThreadRows
  const { team } = yield* TeamObjects.make
  const sql = yield* SqlClient.SqlClient
  const { numberPairs } = SqlFragments.make(sql)

  /** Functions for loaders. Each reads the rows of many ids in one statement, as the caller sees them. */
  const readers = (query: RunningQuery) => {
    const reader = query.caller.user.id
    return {
      reviewsOfPull: (ids: ReadonlyArray<number>) => query.run(rows.ofIssues(ids, reader)),
      threadIdsOfPull: (ids: ReadonlyArray<number>) => query.run(threads.idsOfIssues(ids, reader)),
      commentsOfThread: (ids: ReadonlyArray<number>) => query.run(comments.ofThreads(ids, reader)),
      commentsOfReview: (ids: ReadonlyArray<number>) => query.run(comments.ofReviews(ids)),
      requestsOfPull: (ids: ReadonlyArray<number>) => query.run(requests.ofIssues(ids)),
      review: (ids: ReadonlyArray<number>) => query.run(rows.byIds(ids, reader)),
      reviewComment: (ids: ReadonlyArray<number>) => query.run(comments.byIds(ids, reader)),
      reviewThread: (ids: ReadonlyArray<number>) => query.run(threads.byIds(ids)),
      /** The accounts that may write to repositories, by `writerKey`. */
      writer: async (keys: ReadonlyArray<string>) => {
        const pairs = keys.map((key): readonly [number, number] => {
          const [repository, user] = key.split(" ")
          return [Number(repository), Number(user)]
        })
        const found = await query.run(
          writers(sql`
            SELECT DISTINCT g.repository_id, g.user_id FROM ${numberPairs(pairs)} pair
            JOIN repository_roles g ON g.repository_id = pair.first AND g.user_id = pair.second
            WHERE g.permission IN ('write', 'maintain', 'admin')`)
        )
        return new Map(found.map((row) => [writerKey(row.repository_id, row.user_id), true]))
      }
    }
  }

  const accountOf = (query: RunningQuery, author: UserRow | null) =>
    author === null ? null : () => query.account(author)

  const associationOf =
    (query: RunningQuery, { served }: FoundRepository, { author, standing }: Authored) =>
    () =>
      query.run(association(served, author, standing))

  const pageOf = (query: RunningQuery, at: FoundRepository, number: number, anchor: string) => {
    const url = () => `${query.urls.html}/${at.served.fullName}/pull/${number}#${anchor}`
    const resourcePath = () => {
      const { hash, pathname } = new URL(url())
      return pathname + hash
    }
    return { url, resourcePath }
  }

  const review = (query: RunningQuery, row: ReviewRow, at: FoundRepository): object => ({
    __typename: "PullRequestReview",
    id: nodeId("PullRequestReview", row.id),
    databaseId: row.id,
    fullDatabaseId: String(row.id),
    author: accountOf(query, row.author),
    authorAssociation: associationOf(query, at, row),
    body: row.body,
    ...pageOf(query, at, row.number, `pullrequestreview-${row.id}`),
    state: row.state,
    submittedAt: row.submitted_at,
    publishedAt: row.submitted_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    includesCreatedEdit: row.submitted_at !== null && row.updated_at > row.submitted_at,
    viewerDidAuthor: row.user_id === query.caller.user.id,
    viewerCanReact: false,
    reactionGroups: ReactionGroups.make({}),
    commit: () => query.gitObject(at, row.commit_id),
    comments: async (page: Connections.PageArguments) =>
      Connections.ofList("comments", page, (await query.commentsOfReview(row.id)) ?? [], (one) =>
        comment(query, one, at)
      ),
    pullRequest: () => pullRequestOf(query, row.issue_id),
    repository: () => query.repository(at)
  })

  const comment = (query: RunningQuery, row: ReviewCommentRow, at: FoundRepository): object => {
    const place = row.thread
    const { commit_id, original_commit_id, path } = place ?? row
    const reviewed = async () => (row.thread_id === null ? undefined : await query.reviewThread(row.thread_id))
    return {
      __typename: "PullRequestReviewComment",
      id: nodeId("PullRequestReviewComment", row.id),
      databaseId: row.id,
      fullDatabaseId: String(row.id),
      author: accountOf(query, row.author),
      authorAssociation: associationOf(query, at, row),
      body: row.body,
      ...pageOf(query, at, row.pull_number, `discussion_r${row.id}`),
      path,
      line: place?.line ?? null,
      startLine: place?.start_line ?? null,
      originalLine: place?.original_line ?? null,
      originalStartLine: place?.original_start_line ?? null,
      subjectType: place?.subject_type === "file" ? "FILE" : "LINE",
      position: place?.position ?? null,
      originalPosition: place?.original_position ?? 1,
      outdated: place === null || isOutdated(place),
      diffHunk: row.diff_hunk,
      state: row.is_pending === 1 ? "PENDING" : "SUBMITTED",
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      publishedAt: row.is_pending === 1 ? null : row.created_at,
      includesCreatedEdit: row.updated_at > row.created_at,
      viewerDidAuthor: row.user_id === query.caller.user.id,
      viewerCanReact: true,
      isMinimized: false,
      minimizedReason: null,
      reactionGroups: () => ReactionGroups.make(row.reactions),
      commit: () => query.gitObject(at, commit_id),
      originalCommit: () => query.gitObject(at, original_commit_id),
      replyTo: async () => {
        const found = row.in_reply_to_id === null ? undefined : await query.reviewComment(row.in_reply_to_id)
        return found === undefined ? null : comment(query, found, at)
      },
      pullRequestReview: async () => {
        const found = row.review_id === null ? undefined : await query.review(row.review_id)
        return found === undefined ? null : review(query, found, at)
      },
      pullRequest: async () => {
        const found = await reviewed()
        return pullRequestOf(query, found?.issue_id)
      },
      repository: () => query.repository(at)
    }
  }

  const thread = (query: RunningQuery, row: ReviewThreadRow, at: FoundRepository, issue: IssueRow): object => {
    const isFile = row.subject_type === "file"
    const isResolved = row.resolved_at !== null
    const mayResolve = issue.author_id === query.caller.user.id || atLeast(at.role, "write")
    return {
      __typename: "PullRequestReviewThread",
      id: nodeId("PullRequestReviewThread", row.id),
      path: row.path,
      line: isFile ? null : row.line,
      startLine: row.start_line,
      originalLine: row.original_line,
      originalStartLine: row.original_start_line,
      subjectType: isFile ? "FILE" : "LINE",
      diffSide: row.side,
      startDiffSide: row.start_side,
      isCollapsed: isResolved || isOutdated(row),
      isOutdated: isOutdated(row),
      isResolved,
      resolvedBy: accountOf(query, row.resolved_by),
      comments: async (page: Connections.PageArguments) =>
        Connections.ofList("comments", page, (await query.commentsOfThread(row.id)) ?? [], (one) =>
          comment(query, one, at)
        ),
      pullRequest: () => pullRequestOf(query, row.issue_id),
      repository: () => query.repository(at),
      viewerCanReply: issue.locked === 0 || atLeast(at.role, "write"),
      viewerCanResolve: !isResolved && mayResolve,
      viewerCanUnresolve: isResolved && mayResolve
    }
  }

  const request = (query: RunningQuery, row: ReviewRequestRow, pull: PullRequestRow | undefined): object => {
    const user = pull?.requested_reviewers.find(({ id }) => id === row.user_id)
    const asked = pull?.requested_teams.find(({ id }) => id === row.team_id)
    return {
      __typename: "ReviewRequest",
      // GitHub's ids of requests have a type that the REST API never shows.
      id: Buffer.from(`ReviewRequest:${row.id}`).toString("base64url"),
      databaseId: row.id,
      asCodeOwner: row.as_code_owner === 1,
      requestedReviewer: user !== undefined ? query.account(user) : asked === undefined ? null : team(query, asked),
      pullRequest: () => pullRequestOf(query, row.issue_id)
    }
  }

  /** Returns the fields of a pull request with its reviews. */
  const fields = (query: RunningQuery, { at, row: issue }: PullRequestSource) => {
    const repositoryId = at.served.row.id
    const read = async () => {
      requireAccess(readsReviews, query, at)
      return (await query.reviewsOfPull(issue.id)) ?? []
    }
    const submitted = async () => (await read()).filter(({ state }) => state !== "PENDING")
    const byWriters = async (all: ReadonlyArray<ReviewRow>) => {
      const may = await Promise.all(
        all.map(async ({ user_id }) => user_id !== null && query.writer(writerKey(repositoryId, user_id)))
      )
      return all.filter((_, index) => may[index] === true)
    }
    const opinionated = async () => latestOf((await submitted()).filter(({ state }) => opinions.has(state)))
    const shown = (field: string, page: Connections.PageArguments, all: ReadonlyArray<ReviewRow>) =>
      Connections.ofList(field, page, all, (one) => review(query, one, at))
    const requestsOf = async () => {
      requireAccess(readsReviews, query, at)
      const [found = [], pull] = await Promise.all([query.requestsOfPull(issue.id), query.pullRequest(issue.id)])
      // Teams that only their members see are not shown.
      const isShown = ({ team_id }: ReviewRequestRow) =>
        team_id === null || pull?.requested_teams.some(({ id }) => id === team_id) === true
      return { found: found.filter(isShown), pull }
    }
    return {
      reviews: async ({ author, states, ...page }: ReviewArguments) => {
        const login = author?.toLowerCase()
        const wanted = (await read()).filter(
          (one) =>
            (login === undefined || one.author?.login.toLowerCase() === login) &&
            ((states ?? undefined) === undefined || states?.includes(one.state) === true)
        )
        return shown("reviews", page, wanted)
      },
      latestReviews: async ({ writersOnly, ...page }: LatestArguments) => {
        const latest = latestOf(await submitted())
        return shown("latestReviews", page, writersOnly === true ? await byWriters(latest) : latest)
      },
      latestOpinionatedReviews: async ({ writersOnly, ...page }: LatestArguments) => {
        const latest = await opinionated()
        return shown("latestOpinionatedReviews", page, writersOnly === true ? await byWriters(latest) : latest)
      },
      reviewRequests: async (page: Connections.PageArguments) => {
        const { found, pull } = await requestsOf()
        return Connections.ofList("reviewRequests", page, found, (one) => request(query, one, pull))
      },
      reviewThreads: async (page: Connections.PageArguments) => {
        requireAccess(readsReviews, query, at)
        const ids = (await query.threadIdsOfPull(issue.id)) ?? []
        const found = Connections.ofList("reviewThreads", page, ids, (id) => query.reviewThread(id))
        const rows = await Promise.all(found.nodes)
        return Connections.withNodes(
          found,
          rows.map((row) => row && thread(query, row, at, issue))
        )
      },
      viewerLatestReview: async () => {
        const own = (await read()).filter(({ user_id }) => user_id === query.caller.user.id)
        const [latest] = latestOf(own)
        return latest === undefined ? null : review(query, latest, at)
      },
      viewerLatestReviewRequest: async () => {
        const { found, pull } = await requestsOf()
        const own = found.findLast(({ user_id }) => user_id === query.caller.user.id)
        return own === undefined ? null : request(query, own, pull)
      }
    }
  }

  return { comment, fields, readers, review, thread }
})
