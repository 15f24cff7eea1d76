/** Objects of issues and comments, created in batches. */
import * as Effect from "effect/Effect"
import type { Issue } from "@tongs/core/contract/groups/Issue"
import type { IssueComment } from "@tongs/core/contract/groups/IssueComments"
import { nodeId } from "../../api/NodeId.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import { type CommentRange, IssueIds, type IssueRelation } from "../../issues/IssueIds.ts"
import { type IssueCommentRow, IssueCommentRows } from "../../issues/IssueCommentRows.ts"
import { type IssueRow, IssueRows, type IssueTypeRow } from "../../issues/IssueRows.ts"
import * as IssueViews from "../../issues/IssueViews.ts"
import * as Connections from "./Connections.ts"
import * as LabelObjects from "./LabelObjects.ts"
import * as LinkedBranches from "./LinkedBranches.ts"
import * as PullRequestObjects from "./PullRequestObjects.ts"
import * as ReactionGroups from "./ReactionGroups.ts"
import { refusal } from "./RepositoryObjects.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

/** The operation of the contract with the access rules of issues. */
export const readsIssues = OperationAccess.operationOf("issues", "get")

/** An issue, its resource of the REST API and its repository. */
interface FoundIssue {
  readonly row: IssueRow
  readonly issue: Issue
  readonly at: FoundRepository
}

interface FoundComment {
  readonly row: IssueCommentRow
  readonly comment: IssueComment
  readonly at: FoundRepository
}

interface ClosingArguments extends Connections.PageArguments {
  readonly includeClosedPrs?: boolean | null
  readonly orderByState?: boolean | null
}

const upper = (text: string | null | undefined) =>
  (text ?? undefined) === undefined ? null : (text ?? "").toUpperCase().replaceAll(/[ -]/g, "_")

interface SuggestedArguments extends Connections.PageArguments {
  readonly query?: string | null
}

/** Creates the object of a type of issues. */
export const issueType = ({ color, description, id, is_enabled, name }: IssueTypeRow) => ({
  __typename: "IssueType",
  id: nodeId("IssueType", id),
  name,
  description,
  color: upper(color),
  isEnabled: is_enabled === 1
})

/** True unless the issues of the repository are off. Pull requests exist without issues. */
export const hasIssue = ({ served }: FoundRepository, row: { readonly is_pull_request: number }) =>
  served.row.has_issues === 1 || row.is_pull_request === 1

/** Creates the functions that read issues and comments by id, and return their objects. */
export const make = Effect.gen(function* () {
  const comments = yield* IssueCommentRows
  const issueIds = yield* IssueIds
  const rows = yield* IssueRows
  const views = yield* IssueViews.make
  const labels = yield* LabelObjects.make
  const pulls = yield* PullRequestObjects.make
  const linkedBranches = yield* LinkedBranches.make

  /** Groups rows by their repositories, and leaves out those of repositories whose issues the caller cannot read. */
  const byRepository = async <R extends { readonly repository_id: number; readonly is_pull_request: number }>(
    query: RunningQuery,
    found: ReadonlyArray<R>
  ) => {
    const ids = [...new Set(found.map(({ repository_id }) => repository_id))]
    const repositories = await Promise.all(ids.map((id) => query.findRepository(id)))
    return repositories.flatMap((at, index) =>
      at === undefined || refusal(readsIssues, query.caller, at) !== undefined
        ? []
        : [{ at, rows: found.filter((row) => row.repository_id === ids[index] && hasIssue(at, row)) }]
    )
  }

  const reader = ({ caller, urls }: RunningQuery) => ({ caller, urls, mediaType: undefined })

  /** Reads issues by id. The result lacks those that the caller cannot read. */
  const issuesById = async (query: RunningQuery, ids: ReadonlyArray<number>) => {
    const found = await query.run(rows.byIds(ids))
    const groups = await byRepository(query, [...found.values()])
    const created = await Promise.all(
      groups.map(async ({ at, rows: own }) => {
        const issues = await query.run(views.issues(own, at.served, reader(query)))
        return issues.flatMap((issue): ReadonlyArray<FoundIssue> => {
          const row = found.get(issue.id)
          return row === undefined ? [] : [{ at, issue, row }]
        })
      })
    )
    return new Map(created.flat().map((one) => [one.row.id, one]))
  }

  /** Reads comments by id. The result lacks those that the caller cannot read. */
  const commentsById = async (query: RunningQuery, ids: ReadonlyArray<number>) => {
    const found = await query.run(comments.byIds(ids))
    const groups = await byRepository(query, [...found.values()])
    const created = await Promise.all(
      groups.map(async ({ at, rows: own }) => {
        const shapes = await query.run(views.comments(own, at.served, reader(query)))
        return shapes.flatMap((comment): ReadonlyArray<FoundComment> => {
          const row = found.get(comment.id)
          return row === undefined ? [] : [{ at, comment, row }]
        })
      })
    )
    return new Map(created.flat().map((one) => [one.row.id, one]))
  }

  const commentIds = (query: RunningQuery, ranges: ReadonlyArray<CommentRange>) => query.run(issueIds.comments(ranges))

  const relatedIds = (query: RunningQuery, relation: IssueRelation, ids: ReadonlyArray<number>) =>
    query.run(issueIds.related(relation, ids))

  const comment = (query: RunningQuery, { at, comment, row: { author, ...row } }: FoundComment): object => ({
    __typename: "IssueComment",
    id: comment.node_id,
    databaseId: row.id,
    fullDatabaseId: String(row.id),
    body: row.body,
    url: comment.html_url,
    author: author === null ? null : () => query.account(author),
    authorAssociation: comment.author_association,
    createdAt: comment.created_at,
    updatedAt: comment.updated_at,
    includesCreatedEdit: row.updated_at > row.created_at,
    isMinimized: false,
    viewerDidAuthor: row.author_id === query.caller.user.id,
    viewerCanReact: true,
    reactionGroups: ReactionGroups.make(row.reactions),
    issue: () => query.issue(row.issue_id),
    repository: () => query.repository(at)
  })

  /** Returns the pull requests whose merge closes an issue. */
  const closedBy = async (query: RunningQuery, row: IssueRow, given: ClosingArguments) => {
    const closing = (await query.closingPullRequests(row.id)) ?? []
    const wanted = closing.filter(({ state }) => given.includeClosedPrs === true || state === "open")
    const sorted =
      given.orderByState === true
        ? Connections.sorted(wanted, ({ state }) => (state === "open" ? 0 : 1), "ASC")
        : wanted
    const found = await Promise.all(sorted.map(({ id }) => query.issue(id)))
    const readable = found.filter((one) => one !== null)
    return Connections.ofList("closedByPullRequestsReferences", given, readable, (one) => one)
  }

  const issue = (query: RunningQuery, { at, issue, row }: FoundIssue): object => {
    const people = (field: string) => (page: Connections.PageArguments) =>
      Connections.ofList(field, page, row.assignees, query.account)
    /** Returns a field with related issues. */
    const related = (field: string, relation: IssueRelation) => async (page: Connections.PageArguments) => {
      const ids = (await query.relatedIssues[relation](row.id)) ?? []
      const found = await Promise.all(ids.map(query.issue))
      return Connections.ofList(
        field,
        page,
        found.filter((one) => one !== null),
        (one) => one
      )
    }
    const summary = issue.sub_issues_summary
    const { author, milestone, parent, type } = row
    return {
      __typename: row.is_pull_request === 1 ? "PullRequest" : "Issue",
      id: issue.node_id,
      databaseId: row.id,
      fullDatabaseId: String(row.id),
      number: row.number,
      title: row.title,
      body: row.body ?? "",
      url: issue.html_url,
      resourcePath: new URL(issue.html_url).pathname,
      author: author === null ? null : () => query.account(author),
      authorAssociation: issue.author_association,
      state: upper(row.state),
      stateReason: upper(row.state_reason),
      closed: row.state === "closed",
      closedAt: issue.closed_at,
      createdAt: issue.created_at,
      updatedAt: issue.updated_at,
      locked: issue.locked,
      activeLockReason: upper(row.active_lock_reason),
      isPinned: row.pinned_at !== null,
      viewerDidAuthor: row.author_id === query.caller.user.id,
      viewerCanReact: true,
      repository: () => query.repository(at),
      milestone: milestone === null ? null : () => labels.visibleMilestone(query, milestone, at),
      issueType: type === null ? null : issueType(type),
      assignees: people("assignees"),
      assignedActors: people("assignedActors"),
      labels: (page: Connections.PageArguments) =>
        Connections.ofList("labels", page, row.labels, (label) => labels.label(query, label, at)),
      comments: (page: Connections.PageArguments) => {
        const read = async ({ offset, perPage }: { readonly offset: number; readonly perPage: number }) => {
          const ids = await query.commentIds({ issueId: row.id, begin: offset, end: offset + perPage })
          const items = await Promise.all((ids ?? []).map(query.comment))
          return { items: items.filter((one) => one !== null), total: row.comments }
        }
        return Connections.make("comments", page, read, row.comments)
      },
      reactionGroups: ReactionGroups.make(row.reactions),
      reactions: () => ({ totalCount: Object.values(row.reactions).reduce((sum, count) => sum + count, 0) }),
      suggestedActors: (given: SuggestedArguments) => query.suggestedActors(at, given),
      closedByPullRequestsReferences: (given: ClosingArguments) => closedBy(query, row, given),
      issueFieldValues: Connections.empty("issueFieldValues"),
      parent: parent === null ? null : () => query.issue(parent.id),
      subIssues: related("subIssues", "subIssues"),
      subIssuesSummary: {
        total: summary?.total ?? 0,
        completed: summary?.completed ?? 0,
        percentCompleted: summary?.percent_completed ?? 0
      },
      blockedBy: related("blockedBy", "blockers"),
      blocking: related("blocking", "blocked"),
      linkedBranches: linkedBranches.field(query, row.id),
      projectCards: Connections.empty("projectCards"),
      projectItems: Connections.empty("projectItems"),
      ...(row.is_pull_request === 1 ? pulls.fields(query, { at, row }, issue.html_url) : {})
    }
  }

  return { comment, commentIds, commentsById, issue, issuesById, pulls, relatedIds }
})
