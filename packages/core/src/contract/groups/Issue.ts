/** The resource of an issue, which issues, lists, events and searches show. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { AuthorAssociation, commentBody } from "./CommitComments.ts"
import { IssueType } from "./IssueTypes.ts"
import { Label } from "./Labels.ts"
import { Milestone } from "./Milestones.ts"
import { MinimalRepository } from "./Repository.ts"
import { UserSummary } from "./User.ts"
import * as Presentation from "../Presentation.ts"
import { AnyJson, openEnum, Timestamp } from "../Scalars.ts"

/** The contents of a reaction. */
export const reactionContents = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"] as const // literal types

const count = Schema.Int

/** The number of reactions by content. */
export const ReactionRollup = Schema.Struct({
  url: Schema.String,
  total_count: count,
  "+1": count,
  "-1": count,
  laugh: count,
  confused: count,
  heart: count,
  hooray: count,
  eyes: count,
  rocket: count
}).annotate({ identifier: "ReactionRollup" })
export type ReactionRollup = typeof ReactionRollup.Type

/** A label of an issue. Forges may omit members. */
export const IssueLabel = Label.mapFields((fields) => ({
  ...Struct.map(fields, Schema.optionalKey),
  color: Schema.optionalKey(Schema.NullOr(Schema.String)),
  description: Schema.optionalKey(Schema.NullOr(Schema.String))
})).annotate({ identifier: "IssueLabel", ...Presentation.of({ columns: { NAME: "name" }, inline: true }) })

const PullRequestLinks = Schema.Struct({
  url: Schema.NullOr(Schema.String),
  html_url: Schema.NullOr(Schema.String),
  diff_url: Schema.NullOr(Schema.String),
  patch_url: Schema.NullOr(Schema.String),
  merged_at: Schema.optionalKey(Schema.NullOr(Timestamp))
})

/** An issue, or a pull request in a list of both. Its number is unique in the repository, its id in the forge. */
export const Issue = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.String,
  url: Schema.String,
  repository_url: Schema.String,
  labels_url: Schema.String,
  comments_url: Schema.String,
  events_url: Schema.String,
  html_url: Schema.String,
  timeline_url: Schema.optionalKey(Schema.String),
  number: Schema.Int,
  state: openEnum(["open", "closed"]),
  state_reason: Schema.optionalKey(Schema.NullOr(openEnum(["completed", "reopened", "not_planned", "duplicate"]))),
  title: Schema.String,
  ...commentBody,
  /** The Markdown source; null without a text. Present by default, and with the raw and full media types. */
  body: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Null if the account was deleted. */
  user: Schema.NullOr(UserSummary),
  labels: Schema.Array(IssueLabel),
  assignee: Schema.NullOr(UserSummary),
  assignees: Schema.optionalKey(Schema.Array(UserSummary)),
  milestone: Schema.NullOr(Milestone),
  locked: Schema.Boolean,
  active_lock_reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Number of comments. */
  comments: Schema.Int,
  pull_request: Schema.optionalKey(PullRequestLinks),
  draft: Schema.optionalKey(Schema.Boolean),
  closed_at: Schema.NullOr(Timestamp),
  closed_by: Schema.optionalKey(Schema.NullOr(UserSummary)),
  created_at: Timestamp,
  updated_at: Timestamp,
  type: Schema.optionalKey(Schema.NullOr(IssueType)),
  /** Present in lists of several repositories. */
  repository: Schema.optionalKey(MinimalRepository),
  author_association: Schema.optionalKey(AuthorAssociation),
  reactions: Schema.optionalKey(ReactionRollup),
  sub_issues_summary: Schema.optionalKey(
    Schema.Struct({ total: Schema.Int, completed: Schema.Int, percent_completed: Schema.Int })
  ),
  parent_issue_url: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Issues that block this one or that it blocks: the open ones, and all. */
  issue_dependencies_summary: Schema.optionalKey(
    Schema.Struct({
      blocked_by: Schema.Int,
      blocking: Schema.Int,
      total_blocked_by: Schema.Int,
      total_blocking: Schema.Int
    })
  ),
  performed_via_github_app: Schema.optionalKey(Schema.NullOr(AnyJson))
}).annotate({
  identifier: "Issue",
  ...Presentation.of({
    columns: {
      NUMBER: "number",
      TITLE: "title",
      STATE: "state",
      LABELS: "labels.name",
      AUTHOR: "user.login",
      COMMENTS: "comments",
      UPDATED: "updated_at"
    },
    title: "title",
    identity: ["number"],
    arguments: {
      issue_number: "number",
      owner: { path: "repository_url", pattern: "/repos/([^/]+)/[^/]+$" },
      repo: { path: "repository_url", pattern: "/repos/[^/]+/([^/]+)$" },
      username: "user.login",
      milestone_number: "milestone.number",
      assignee: "user.login"
    }
  })
})
export type Issue = typeof Issue.Type
