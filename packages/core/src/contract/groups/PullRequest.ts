/** The resource of a pull request, which lists, single pull requests and webhooks show. */
import * as Schema from "effect/Schema"
import { AuthorAssociation, commentBody } from "./CommitComments.ts"
import { IssueLabel } from "./Issue.ts"
import { Milestone } from "./Milestones.ts"
import { Repository } from "./Repository.ts"
import { Team } from "./Team.ts"
import { UserSummary } from "./User.ts"
import * as Presentation from "../Presentation.ts"
import { ObjectId, openEnum, Sha, Timestamp } from "../Scalars.ts"

/** The methods of a merge. `rebase` copies the commits onto the base branch. */
export const mergeMethods = ["merge", "squash", "rebase"] as const // literal types

/**
 * What a merge would meet. `unknown`: not computed yet. `dirty`: conflicts. `blocked`: a rule is not met. `behind`: a rule
 * demands the newest base branch. `unstable`: a check failed or is running. `draft`, `clean`: as the words say.
 */
export const mergeableStates = [
  "clean",
  "unknown",
  "dirty",
  "blocked",
  "behind",
  "unstable",
  "draft",
  "has_hooks"
] as const // literal types

const Link = Schema.Struct({ href: Schema.String })

/** The repository of a branch. */
const BranchRepository = Schema.Struct(Repository.fields).annotate({
  identifier: "BranchRepository",
  ...Presentation.of({
    columns: { NAME: "full_name", BRANCH: "default_branch", PRIVATE: "private", DESCRIPTION: "description" },
    inline: true
  })
})

/** A team that is asked for a review. Forges may omit the parent. */
const RequestedTeam = Schema.Struct({ ...Team.fields, parent: Schema.optionalKey(Team.fields.parent) }).annotate({
  identifier: "RequestedTeam",
  ...Presentation.of({ columns: { SLUG: "slug", NAME: "name", DESCRIPTION: "description" }, inline: true })
})

/** The branch that a pull request changes, or that has the changes. */
const PullRequestBranch = Schema.Struct({
  /** The owner and the branch, for example `octo:main`. */
  label: Schema.String,
  ref: Schema.String,
  sha: Sha,
  user: Schema.NullOr(UserSummary),
  /** Null if the repository was deleted, or if the caller cannot read it. */
  repo: Schema.NullOr(BranchRepository)
})

/** A merge that happens as soon as all requirements are met. */
export const AutoMerge = Schema.Struct({
  enabled_by: UserSummary,
  merge_method: openEnum(mergeMethods),
  commit_title: Schema.NullOr(Schema.String),
  commit_message: Schema.NullOr(Schema.String)
}).annotate({ identifier: "AutoMerge" })

const summary = {
  url: Schema.String,
  id: Schema.Int,
  node_id: Schema.String,
  html_url: Schema.String,
  diff_url: Schema.String,
  patch_url: Schema.String,
  issue_url: Schema.String,
  commits_url: Schema.String,
  review_comments_url: Schema.String,
  review_comment_url: Schema.String,
  comments_url: Schema.String,
  statuses_url: Schema.String,
  number: Schema.Int,
  state: openEnum(["open", "closed"]),
  locked: Schema.Boolean,
  title: Schema.String,
  /** Null if the account was deleted. */
  user: Schema.NullOr(UserSummary),
  ...commentBody,
  /** The Markdown source; null without a text. Present by default, and with the raw and full media types. */
  body: Schema.optionalKey(Schema.NullOr(Schema.String)),
  labels: Schema.Array(IssueLabel),
  milestone: Schema.NullOr(Milestone),
  active_lock_reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
  created_at: Timestamp,
  updated_at: Timestamp,
  closed_at: Schema.NullOr(Timestamp),
  merged_at: Schema.NullOr(Timestamp),
  /**
   * The commit of the merge. Before the merge, the commit of a test merge; null until it is known, and if the branches
   * conflict.
   */
  merge_commit_sha: Schema.NullOr(ObjectId),
  assignee: Schema.NullOr(UserSummary),
  assignees: Schema.optionalKey(Schema.Array(UserSummary)),
  requested_reviewers: Schema.optionalKey(Schema.Array(UserSummary)),
  requested_teams: Schema.optionalKey(Schema.Array(RequestedTeam)),
  head: PullRequestBranch,
  base: PullRequestBranch,
  _links: Schema.Struct({
    self: Link,
    html: Link,
    issue: Link,
    comments: Link,
    review_comments: Link,
    review_comment: Link,
    commits: Link,
    statuses: Link
  }),
  author_association: AuthorAssociation,
  auto_merge: Schema.NullOr(AutoMerge),
  draft: Schema.optionalKey(Schema.Boolean)
}

const presentation = {
  columns: {
    NUMBER: "number",
    TITLE: "title",
    STATE: "state",
    DRAFT: "draft",
    MERGED: "merged_at",
    AUTHOR: "user.login",
    HEAD: "head.label",
    BASE: "base.ref",
    UPDATED: "updated_at"
  },
  title: "title",
  identity: ["number"],
  arguments: {
    pull_number: "number",
    issue_number: "number",
    owner: { path: "url", pattern: "/repos/([^/]+)/[^/]+/" },
    repo: { path: "url", pattern: "/repos/[^/]+/([^/]+)/" },
    username: "user.login",
    milestone_number: "milestone.number",
    ref: "head.sha",
    commit_sha: "head.sha"
  }
} as const // literal types

/** A pull request in a list. */
export const PullRequestSummary = Schema.Struct(summary).annotate({
  identifier: "PullRequestSummary",
  ...Presentation.of({ ...presentation, opens: ["pulls.get"] })
})
export type PullRequestSummary = typeof PullRequestSummary.Type

const count = Schema.Int.annotate(Presentation.format("count"))

/** A pull request with what git knows about it. Its number is unique among issues and pull requests of the repository. */
export const PullRequest = Schema.Struct({
  ...summary,
  merged: Schema.Boolean,
  /** Null until it is known: ask again. False if the branches conflict. */
  mergeable: Schema.NullOr(Schema.Boolean),
  /** Whether all commits apply on top of the base branch; null until it is known. */
  rebaseable: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  mergeable_state: openEnum(mergeableStates),
  merged_by: Schema.NullOr(UserSummary),
  comments: Schema.Int,
  review_comments: Schema.Int,
  maintainer_can_modify: Schema.Boolean,
  /** Commits of the head that the base lacks. */
  commits: Schema.Int,
  /** Changed lines and files since the merge base. */
  additions: count,
  deletions: count,
  changed_files: count
}).annotate({ identifier: "PullRequest", ...Presentation.of(presentation) })
export type PullRequest = typeof PullRequest.Type
