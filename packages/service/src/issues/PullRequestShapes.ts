/** Creates the resources of pull requests. */
import type { PullRequest, PullRequestSummary } from "@tongs/core/contract/groups/PullRequest"
import type { Repository } from "@tongs/core/contract/groups/Repository"
import type { UserRow } from "../accounts/UserRows.ts"
import { nodeId } from "../api/NodeId.ts"
import * as Shapes from "../api/Shapes.ts"
import type { Urls } from "../api/Urls.ts"
import { parseTimestamp } from "../base/Time.ts"
import type { AuthorAssociation } from "./AuthorAssociation.ts"
import type { IssueRow } from "./IssueRows.ts"
import * as IssueShapes from "./IssueShapes.ts"
import type { PullRequestRow } from "./PullRequestRows.ts"

/** What a pull request shows besides its rows. */
export interface PullRequestDetails {
  readonly fullName: string
  readonly owner: UserRow
  readonly association: AuthorAssociation
  readonly body: Pick<PullRequest, "body" | "body_text" | "body_html">
  /** The repository of the pull request. */
  readonly base: Repository
  /** The repository that has the changes; null if it was deleted or the reader may not see it. */
  readonly head: Repository | null
}

const time = (text: string | null) => (text === null ? null : parseTimestamp(text))

const branch = (user: UserRow | null, ref: string, oid: string, repo: Repository | null, urls: Urls) => ({
  label: user === null ? ref : `${user.login}:${ref}`,
  ref,
  sha: Shapes.sha(oid),
  user: user === null ? null : Shapes.userSummary(user, urls),
  repo
})

const autoMerge = ({ enabled_by, message, method, title }: NonNullable<PullRequestRow["auto_merge"]>, urls: Urls) => ({
  enabled_by: Shapes.userSummary(enabled_by, urls),
  merge_method: method,
  commit_title: title,
  commit_message: message
})

/** Creates the pull request of a list. */
export const summary = (
  issue: IssueRow,
  pull: PullRequestRow,
  { association, base, body, fullName, head, owner }: PullRequestDetails,
  urls: Urls
): PullRequestSummary => {
  const repositoryUrl = `${urls.api}/repos/${fullName}`
  const url = `${repositoryUrl}/pulls/${issue.number}`
  const html = `${urls.html}/${fullName}/pull/${issue.number}`
  const issueUrl = `${repositoryUrl}/issues/${issue.number}`
  const links = {
    html: html,
    issue: issueUrl,
    comments: `${issueUrl}/comments`,
    review_comments: `${url}/comments`,
    review_comment: `${repositoryUrl}/pulls/comments{/number}`,
    commits: `${url}/commits`,
    statuses: `${repositoryUrl}/statuses/${pull.head_sha}`
  }
  const assignees = issue.assignees.map((user) => Shapes.userSummary(user, urls))
  const link = (href: string) => ({ href })
  return {
    url,
    id: issue.id,
    node_id: nodeId("PullRequest", issue.id),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issueUrl,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    number: issue.number,
    state: issue.state,
    locked: issue.locked === 1,
    title: issue.title,
    user: issue.author === null ? null : Shapes.userSummary(issue.author, urls),
    ...body,
    labels: issue.labels.map((one) => IssueShapes.label(one, fullName, urls)),
    milestone: issue.milestone === null ? null : IssueShapes.milestone(issue.milestone, fullName, urls),
    active_lock_reason: issue.active_lock_reason,
    created_at: parseTimestamp(issue.created_at),
    updated_at: parseTimestamp(issue.updated_at),
    closed_at: time(issue.closed_at),
    merged_at: time(pull.merged_at),
    merge_commit_sha: pull.merge_commit_sha,
    assignee: assignees[0] ?? null,
    assignees,
    requested_reviewers: pull.requested_reviewers.map((one) => Shapes.userSummary(one, urls)),
    requested_teams: pull.requested_teams.map((one) => Shapes.team(one, urls)),
    head: branch(pull.head_user, pull.head_ref, pull.head_sha, head, urls),
    base: branch(owner, pull.base_ref, pull.base_sha, base, urls),
    _links: {
      self: link(url),
      html: link(links.html),
      issue: link(links.issue),
      comments: link(links.comments),
      review_comments: link(links.review_comments),
      review_comment: link(links.review_comment),
      commits: link(links.commits),
      statuses: link(links.statuses)
    },
    author_association: association,
    auto_merge: pull.auto_merge === null ? null : autoMerge(pull.auto_merge, urls),
    draft: pull.draft === 1
  }
}

/** True if the facts of git belong to the present tips of the branches, or to the last ones of a closed pull request. */
export const isTested = ({ base_sha, head_sha, tested_base, tested_head }: PullRequestRow): boolean =>
  tested_base === base_sha && tested_head === head_sha

const flag = (value: number | null) => (value === null ? null : value === 1)

/** Returns what a merge would meet. */
export const mergeableState = (pull: PullRequestRow): PullRequest["mergeable_state"] => {
  const mergeable = isTested(pull) ? flag(pull.mergeable) : null
  if (pull.state === "closed" || mergeable === null) return "unknown"
  if (!mergeable) return "dirty"
  return pull.draft === 1 ? "draft" : "clean"
}

/** Creates a single pull request. */
export const pullRequest = (
  issue: IssueRow,
  pull: PullRequestRow,
  details: PullRequestDetails,
  urls: Urls
): PullRequest => {
  const isKnown = isTested(pull) && pull.state === "open"
  return {
    ...summary(issue, pull, details, urls),
    merged: pull.merged_at !== null,
    mergeable: isKnown ? flag(pull.mergeable) : null,
    rebaseable: isKnown ? flag(pull.rebaseable) : null,
    mergeable_state: mergeableState(pull),
    merged_by: pull.merged_by === null ? null : Shapes.userSummary(pull.merged_by, urls),
    comments: issue.comments,
    review_comments: pull.review_comments,
    maintainer_can_modify: pull.maintainer_can_modify === 1,
    commits: pull.commits,
    additions: pull.additions,
    deletions: pull.deletions,
    changed_files: pull.changed_files
  }
}
