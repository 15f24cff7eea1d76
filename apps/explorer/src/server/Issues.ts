/** Issues and pull requests of a repository: a list, one issue with the issues that it names, and its conversation. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import * as Failure from "@tongs/core/contract/Failure"
import type { Issue } from "@tongs/core/contract/groups/Issue"
import type { Page } from "@tongs/core/paging/Page"
import * as LinkHeader from "@tongs/core/paging/LinkHeader"
import type { RepositoryName } from "../ExplorerApi.ts"
import type * as IssueApi from "../IssueApi.ts"
import { interactive } from "./RequestOptions.ts"
import * as TimelineItems from "./TimelineItems.ts"

/** Issues on a page of the list, and items on a page of a conversation. */
const LIST_PAGE = 30
const TIMELINE_PAGE = 50

/** Maximum number of related issues to list. */
const MAX_RELATED = 100

/** Number of issues after which a search of the forge ends. */
const MAX_LISTED = 1_000

export interface IssueName extends RepositoryName {
  readonly number: number
}

/** One page of issues or pull requests. A search, because only a search has just one of both, and counts. */
export const list = Effect.fn("Issues.list")(function* ({
  kind = "issue",
  owner,
  page,
  repo,
  state
}: RepositoryName & {
  readonly kind?: "issue" | "pull"
  readonly page: number
  readonly state: "open" | "closed"
}) {
  const forge = yield* Forge
  const options = yield* interactive
  const search = (name: string, state: "open" | "closed", page: number, perPage: number) =>
    forge.issues.search(
      { q: `repo:${name} is:${kind === "pull" ? "pr" : "issue"} is:${state}`, sort: "created", order: "desc" },
      { ...options, page, perPage }
    ).first
  const both = (name: string) =>
    Effect.all([search(name, state, page, LIST_PAGE), search(name, state === "open" ? "closed" : "open", 1, 1)], {
      concurrency: 2
    })
  // Other characters could be more than the name of a repository in the query.
  if (!/^[\w.-]+\/[\w.-]+$/.test(`${owner}/${repo}`))
    return yield* new Failure.NotFound({ request: `${owner}/${repo}`, detail: "no such repository" })
  const [found, others] = yield* both(`${owner}/${repo}`).pipe(
    // A search refuses repositories that do not exist, are hidden from the caller, or have another name now.
    Effect.catchTag("ValidationFailed", () =>
      Effect.flatMap(forge.repositories.get({ owner, repo }, options), (found) => both(found.full_name))
    )
  )
  const total = found.totalCount ?? found.items.length
  const other = others.totalCount ?? others.items.length
  return {
    issues: found.items.map(listed),
    open: state === "open" ? total : other,
    closed: state === "open" ? other : total,
    pages: Math.max(1, Math.ceil(Math.min(total, MAX_LISTED) / LIST_PAGE)),
    limit: total > MAX_LISTED ? MAX_LISTED : null
  } satisfies IssueApi.IssueList
})

/** An issue with its parent, its sub-issues and its dependencies, which are read only if it has some. */
export const issue = Effect.fn("Issues.issue")(function* ({ number, owner, repo }: IssueName) {
  const forge = yield* Forge
  const options = yield* interactive
  const name = { owner, repo, issue_number: number }
  const found = yield* forge.issues.get(name, { ...options, mediaType: "full" })
  const { issue_dependencies_summary: dependencies, sub_issues_summary: parts } = found
  const all = { ...options, perPage: MAX_RELATED }
  const related = (total: number | undefined, list: { readonly first: Effect.Effect<Page<Issue>, Failure.Failure> }) =>
    total === undefined || total === 0
      ? Effect.succeed({ total: 0, issues: [] })
      : Effect.map(orNone(list.first), (page) => ({ total, issues: page?.items.map(TimelineItems.linked) ?? [] }))
  const hasParent = typeof found.parent_issue_url === "string"
  const [parent, subIssues, blockedBy, blocking] = yield* Effect.all(
    [
      hasParent ? orNone(forge.subIssues.getParent(name, options)) : Effect.succeed(undefined),
      related(parts?.total, forge.subIssues.list(name, all)),
      related(dependencies?.total_blocked_by, forge.issueDependencies.listBlockedBy(name, all)),
      related(dependencies?.total_blocking, forge.issueDependencies.listBlocking(name, all))
    ],
    { concurrency: 4 }
  )
  return {
    ...listed(found),
    ...TimelineItems.written(found),
    url: found.html_url,
    closedBy: found.closed_by?.login ?? null,
    locked: found.locked,
    lockReason: found.active_lock_reason ?? null,
    parent: parent === undefined ? null : TimelineItems.linked(parent),
    subIssues,
    completedSubIssues: parts?.completed ?? 0,
    blockedBy,
    blocking
  } satisfies IssueApi.Issue
})

/** A related issue can vanish between two requests, and forges differ in the relations that they have. */
const orNone = <A>(read: Effect.Effect<A, Failure.Failure>) =>
  Effect.catchTag(read, ["NotFound", "Gone", "Forbidden", "Unsupported"], () => Effect.succeed(undefined))

/** One page of the comments and events of an issue. */
export const timeline = Effect.fn("Issues.timeline")(function* ({
  number,
  owner,
  page,
  repo
}: IssueName & { readonly page: number }) {
  const forge = yield* Forge
  const options = yield* interactive
  const read = (page: number, perPage: number) =>
    forge.issueEvents.listTimeline(
      { owner, repo, issue_number: number },
      { ...options, page, perPage, mediaType: "full" }
    ).first
  const { items, links } = yield* read(page, TIMELINE_PAGE)
  const isLast = links.next === undefined
  // The last page of pages of one item is the number of items.
  const last = isLast || page > 1 ? undefined : (yield* read(1, 1)).links.last
  return {
    items: items.map(TimelineItems.item),
    total: isLast ? (page - 1) * TIMELINE_PAGE + items.length : (LinkHeader.pageNumber(last) ?? null),
    next: isLast ? null : page + 1
  } satisfies IssueApi.Timeline
})

const listed = (issue: Issue): IssueApi.ListedIssue => ({
  ...TimelineItems.linked(issue),
  author: issue.user?.login ?? null,
  createdAt: issue.created_at,
  closedAt: issue.closed_at,
  labels: issue.labels.map(({ color = null, description = null, name = "" }) => ({ name, color, description })),
  assignees: (issue.assignees ?? []).map(({ login }) => login),
  milestone: issue.milestone?.title ?? null,
  type: issue.type?.name ?? null,
  comments: issue.comments
})
