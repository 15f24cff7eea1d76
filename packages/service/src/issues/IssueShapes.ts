/** Maps rows of issues, labels and milestones to resources of the contract. */
import type { AuthorAssociation } from "./AuthorAssociation.ts"
import type { Issue, ReactionRollup } from "@tongs/core/contract/groups/Issue"
import type { IssueComment } from "@tongs/core/contract/groups/IssueComments"
import type { IssueType } from "@tongs/core/contract/groups/IssueTypes"
import type { Label } from "@tongs/core/contract/groups/Labels"
import type { Milestone } from "@tongs/core/contract/groups/Milestones"
import type { Reaction } from "@tongs/core/contract/groups/Reactions"
import { nodeId } from "../api/NodeId.ts"
import * as Shapes from "../api/Shapes.ts"
import type { Urls } from "../api/Urls.ts"
import { parseTimestamp } from "../base/Time.ts"
import type { IssueCommentRow } from "./IssueCommentRows.ts"
import type { IssueRow, IssueTally, IssueTypeRow } from "./IssueRows.ts"
import type { LabelRow } from "./LabelRows.ts"
import type { MilestoneRow } from "./MilestoneRows.ts"
import type { ReactionRow } from "./ReactionRows.ts"

const time = (text: string | null) => (text === null ? null : parseTimestamp(text))

/** Creates a milestone of the repository `fullName`. */
export const milestone = (row: MilestoneRow, fullName: string, urls: Urls): Milestone => {
  const url = `${urls.api}/repos/${fullName}/milestones/${row.number}`
  return {
    url,
    html_url: `${urls.html}/${fullName}/milestone/${row.number}`,
    labels_url: `${url}/labels`,
    id: row.id,
    node_id: nodeId("Milestone", row.id),
    number: row.number,
    state: row.closed_at === null ? "open" : "closed",
    title: row.title,
    description: row.description,
    creator: row.creator === null ? null : Shapes.userSummary(row.creator, urls),
    open_issues: row.open_issues,
    closed_issues: row.closed_issues,
    created_at: parseTimestamp(row.created_at),
    updated_at: parseTimestamp(row.updated_at),
    closed_at: time(row.closed_at),
    due_on: time(row.due_on)
  }
}

/** Creates a label of the repository `fullName`. */
export const label = (row: LabelRow, fullName: string, urls: Urls): Label => ({
  id: row.id,
  node_id: nodeId("Label", row.id),
  url: `${urls.api}/repos/${fullName}/labels/${encodeURIComponent(row.name)}`,
  name: row.name,
  color: row.color,
  default: row.is_default === 1,
  description: row.description,
  archived_at: null,
  archived_by: null
})

/** Creates a type of issues. */
export const issueType = (row: IssueTypeRow): IssueType => ({
  id: row.id,
  node_id: nodeId("IssueType", row.id),
  name: row.name,
  description: row.description,
  color: row.color,
  created_at: parseTimestamp(row.created_at),
  updated_at: parseTimestamp(row.updated_at),
  is_enabled: row.is_enabled === 1
})

/** Creates a reaction. */
export const reaction = (row: ReactionRow, urls: Urls): Reaction => ({
  id: row.id,
  node_id: nodeId("Reaction", row.id),
  user: Shapes.userSummary(row.user, urls),
  content: row.content,
  created_at: parseTimestamp(row.created_at)
})

/** Creates the numbers of reactions to the resource with a URL. */
export const reactions = (counts: Readonly<Record<string, number>>, url: string): ReactionRollup => {
  const of = (content: string) => counts[content] ?? 0
  return {
    url: `${url}/reactions`,
    total_count: Object.values(counts).reduce((sum, count) => sum + count, 0),
    "+1": of("+1"),
    "-1": of("-1"),
    laugh: of("laugh"),
    hooray: of("hooray"),
    confused: of("confused"),
    heart: of("heart"),
    rocket: of("rocket"),
    eyes: of("eyes")
  }
}

/** What an issue shows besides its row. */
export interface IssueDetails {
  /** Owner and name of the repository. */
  readonly fullName: string
  readonly association: AuthorAssociation
  /** Returns whether the reader may see the issues of a repository. */
  readonly isReadable: (repositoryId: number) => boolean
  readonly body: Pick<Issue, "body" | "body_text" | "body_html">
}

const sum = (tallies: ReadonlyArray<IssueTally>, isCounted: (tally: IssueTally) => boolean) =>
  tallies.filter(isCounted).reduce((total, { count }) => total + count, 0)

/** Returns the path of an issue's web page, and of a pull request's. */
export const pagePath = ({ is_pull_request, number }: Pick<IssueRow, "is_pull_request" | "number">): string =>
  `${is_pull_request === 1 ? "pull" : "issues"}/${number}`

/** The members that only pull requests have. */
const pullRequestMembers = (
  { number }: IssueRow,
  { draft, merged_at }: NonNullable<IssueRow["pull_request"]>,
  fullName: string,
  urls: Urls
): Pick<Issue, "draft" | "pull_request"> => {
  const html = `${urls.html}/${fullName}/pull/${number}`
  return {
    draft: draft === 1,
    pull_request: {
      url: `${urls.api}/repos/${fullName}/pulls/${number}`,
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      merged_at: time(merged_at)
    }
  }
}

/** Creates an issue. Numbers of related issues leave out those that the reader may not see. */
export const issue = (row: IssueRow, details: IssueDetails, urls: Urls): Issue => {
  const { body, fullName, isReadable } = details
  const repositoryUrl = `${urls.api}/repos/${fullName}`
  const url = `${repositoryUrl}/issues/${row.number}`
  const isSeen = ({ repository_id }: IssueTally) => repository_id === row.repository_id || isReadable(repository_id)
  const isOpen = ({ state }: IssueTally) => state === "open"
  const total = sum(row.sub_issues, isSeen)
  const completed = sum(row.sub_issues, (tally) => isSeen(tally) && !isOpen(tally))
  const assignees = row.assignees.map((user) => Shapes.userSummary(user, urls))
  const { parent } = row
  const hasParent = parent !== null && (parent.repository_id === row.repository_id || isReadable(parent.repository_id))
  return {
    url,
    repository_url: repositoryUrl,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `${urls.html}/${fullName}/${pagePath(row)}`,
    timeline_url: `${url}/timeline`,
    id: row.id,
    node_id: nodeId(row.is_pull_request === 1 ? "PullRequest" : "Issue", row.id),
    number: row.number,
    title: row.title,
    user: row.author === null ? null : Shapes.userSummary(row.author, urls),
    labels: row.labels.map((one) => label(one, fullName, urls)),
    state: row.state,
    state_reason: row.state_reason,
    locked: row.locked === 1,
    active_lock_reason: row.active_lock_reason,
    assignee: assignees[0] ?? null,
    assignees,
    milestone: row.milestone === null ? null : milestone(row.milestone, fullName, urls),
    comments: row.comments,
    created_at: parseTimestamp(row.created_at),
    updated_at: parseTimestamp(row.updated_at),
    closed_at: time(row.closed_at),
    closed_by: row.closed_by === null ? null : Shapes.userSummary(row.closed_by, urls),
    author_association: details.association,
    type: row.type === null ? null : issueType(row.type),
    ...body,
    reactions: reactions(row.reactions, url),
    performed_via_github_app: null,
    ...(row.pull_request === null ? {} : pullRequestMembers(row, row.pull_request, fullName, urls)),
    parent_issue_url: hasParent ? `${urls.api}/repos/${parent.repository}/issues/${parent.number}` : null,
    sub_issues_summary: {
      total,
      completed,
      percent_completed: total === 0 ? 0 : Math.floor((completed * 100) / total)
    },
    issue_dependencies_summary: {
      blocked_by: sum(row.blocked_by, (tally) => isSeen(tally) && isOpen(tally)),
      total_blocked_by: sum(row.blocked_by, isSeen),
      blocking: sum(row.blocking, (tally) => isSeen(tally) && isOpen(tally)),
      total_blocking: sum(row.blocking, isSeen)
    }
  }
}

/** Creates a comment on an issue of the repository `fullName`. */
export const comment = (
  row: IssueCommentRow,
  {
    association,
    body,
    fullName
  }: Pick<IssueDetails, "association" | "fullName"> & {
    readonly body: Pick<IssueComment, "body" | "body_text" | "body_html">
  },
  urls: Urls
): IssueComment => {
  const url = `${urls.api}/repos/${fullName}/issues/comments/${row.id}`
  return {
    url,
    html_url: `${urls.html}/${fullName}/${pagePath(row)}#issuecomment-${row.id}`,
    issue_url: `${urls.api}/repos/${fullName}/issues/${row.number}`,
    id: row.id,
    node_id: nodeId("IssueComment", row.id),
    user: row.author === null ? null : Shapes.userSummary(row.author, urls),
    created_at: parseTimestamp(row.created_at),
    updated_at: parseTimestamp(row.updated_at),
    ...body,
    author_association: association,
    reactions: reactions(row.reactions, url),
    performed_via_github_app: null,
    pin:
      row.pinned_at === null
        ? null
        : {
            pinned_at: parseTimestamp(row.pinned_at),
            pinned_by: row.pinned_by === null ? null : Shapes.userSummary(row.pinned_by, urls)
          }
  }
}
