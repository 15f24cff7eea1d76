/** Events and timelines of issues: what happened to an issue, and who did it. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { AuthorAssociation, commentBody } from "./CommitComments.ts"
import { Issue, ReactionRollup } from "./Issue.ts"
import { IssueType } from "./IssueTypes.ts"
import { MinimalRepository } from "./Repository.ts"
import { Team } from "./Team.ts"
import { UserSummary } from "./User.ts"
import { gone, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import { issuePath, readsIssues, textTypes } from "../IssueAccess.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { AnyJson, ObjectId, openEnum, Timestamp } from "../Scalars.ts"

const optional = Schema.optionalKey

const NamedType = Schema.NullOr(
  Schema.Struct({ id: Schema.Int, name: Schema.String, color: optional(Schema.NullOr(Schema.String)) })
)

/** Another issue that an event names: a sub-issue, a parent or a dependency. */
const RelatedIssue = Schema.NullOr(
  Schema.Struct({
    number: Schema.Int,
    title: Schema.String,
    state: openEnum(["open", "closed"]),
    state_reason: optional(Schema.NullOr(Schema.String)),
    repository: MinimalRepository,
    issue_type: optional(Schema.NullOr(IssueType))
  }).annotate(Presentation.of({ columns: { NUMBER: "number", TITLE: "title" }, inline: true }))
)

/** The members that depend on the kind of event. */
const details = {
  label: optional(Schema.Struct({ name: Schema.NullOr(Schema.String), color: Schema.NullOr(Schema.String) })),
  assignee: optional(Schema.NullOr(UserSummary)),
  assigner: optional(Schema.NullOr(UserSummary)),
  milestone: optional(Schema.Struct({ title: Schema.String })),
  rename: optional(Schema.Struct({ from: Schema.String, to: Schema.String })),
  lock_reason: optional(Schema.NullOr(Schema.String)),
  state_reason: optional(Schema.NullOr(Schema.String)),
  issue_type: optional(NamedType),
  prev_issue_type: optional(NamedType),
  sub_issue: optional(RelatedIssue),
  parent_issue: optional(RelatedIssue),
  blocked_by: optional(RelatedIssue),
  blocking: optional(RelatedIssue),
  review_requester: optional(Schema.NullOr(UserSummary)),
  requested_reviewer: optional(Schema.NullOr(UserSummary)),
  requested_team: optional(Team),
  dismissed_review: optional(
    Schema.Struct({
      state: Schema.String,
      review_id: Schema.Int,
      dismissal_message: Schema.NullOr(Schema.String),
      dismissal_commit_id: optional(Schema.NullOr(ObjectId))
    })
  )
}

/** Columns of what an event is about. A table has those of its events. */
const subjects = { LABEL: "label.name", ASSIGNEE: "assignee.login", MILESTONE: "milestone.title" } as const // paths

/** The kinds of events that the forge records. */
export const kinds = [
  "assigned",
  "blocked_by_added",
  "blocked_by_removed",
  "blocking_added",
  "blocking_removed",
  "closed",
  "demilestoned",
  "deployed",
  "issue_type_added",
  "issue_type_changed",
  "issue_type_removed",
  "labeled",
  "locked",
  "marked_as_duplicate",
  "mentioned",
  "milestoned",
  "parent_issue_added",
  "parent_issue_removed",
  "pinned",
  "referenced",
  "renamed",
  "reopened",
  "review_dismissed",
  "review_request_removed",
  "review_requested",
  "sub_issue_added",
  "sub_issue_removed",
  "subscribed",
  "transferred",
  "unassigned",
  "unlabeled",
  "unlocked",
  "unpinned"
] as const // literal types

const event = {
  id: Schema.Int,
  node_id: Schema.String,
  url: Schema.String,
  /** Null if the account was deleted. */
  actor: Schema.NullOr(UserSummary),
  event: openEnum(kinds),
  /** The commit that closed or named the issue. */
  commit_id: Schema.NullOr(ObjectId),
  commit_url: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  performed_via_github_app: optional(Schema.NullOr(AnyJson)),
  ...details
}

/** An event of an issue. Lists of a repository have the issue, too. */
export const IssueEvent = Schema.Struct({ ...event, issue: optional(Schema.NullOr(Issue)) }).annotate({
  identifier: "IssueEvent",
  ...Presentation.of({
    columns: {
      ID: "id",
      EVENT: "event",
      ACTOR: "actor.login",
      ISSUE: "issue.number",
      ...subjects,
      CREATED: "created_at"
    },
    title: "event",
    arguments: {
      event_id: "id",
      issue_number: "issue.number",
      username: "actor.login",
      ref: "commit_id"
    }
  })
})
export type IssueEvent = typeof IssueEvent.Type

const Link = Schema.Struct({ href: Schema.String })

/**
 * An item of a timeline: an event, a comment (`commented`), a review (`reviewed`), or a reference from another issue
 * (`cross-referenced`). The kind decides which members are present.
 */
export const TimelineItem = Schema.Struct({
  ...event,
  id: optional(event.id),
  node_id: optional(event.node_id),
  url: optional(event.url),
  actor: optional(event.actor),
  event: optional(openEnum(["commented", "cross-referenced", "reviewed", ...kinds])),
  created_at: optional(Timestamp),
  commit_id: optional(event.commit_id),
  commit_url: optional(event.commit_url),
  updated_at: optional(Schema.NullOr(Timestamp)),
  ...commentBody,
  body: optional(Schema.NullOr(Schema.String)),
  html_url: optional(Schema.String),
  issue_url: optional(Schema.String),
  user: optional(Schema.NullOr(UserSummary)),
  author_association: optional(AuthorAssociation),
  reactions: optional(ReactionRollup),
  /** The state of a review, in lower case. */
  state: optional(Schema.String),
  submitted_at: optional(Timestamp),
  pull_request_url: optional(Schema.String),
  _links: optional(Schema.Struct({ html: Link, pull_request: Link })),
  source: optional(Schema.Struct({ type: optional(Schema.String), issue: optional(Issue) }))
}).annotate({
  identifier: "TimelineItem",
  ...Presentation.of({
    columns: { EVENT: "event", ACTOR: "actor.login", ...subjects, CREATED: "created_at", BODY: "body" },
    title: "event",
    arguments: { username: "actor.login", ref: "commit_id" }
  })
})
export type TimelineItem = typeof TimelineItem.Type

/** Endpoints of events of issues. */
export class IssueEvents extends Group.make("issueEvents", () => [
  HttpApiEndpoint.get("listTimeline", "/repos/:owner/:repo/issues/:issue_number/timeline", {
    params: issuePath,
    query: pageQuery,
    success: Paged(Schema.Array(TimelineItem)),
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-events-for-timeline",
      summary: "List the timeline of an issue",
      command: "timeline",
      words: "history, conversation, references",
      description: "Its comments, events, and references from other issues that the caller may see.",
      ...readsIssues,
      mediaTypes: textTypes,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/issues/:issue_number/events", {
    params: issuePath,
    query: pageQuery,
    success: Paged(Schema.Array(IssueEvent)),
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-events",
      summary: "List events of an issue",
      ...readsIssues,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/issues/events", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Schema.Array(IssueEvent)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-events-for-repo",
      summary: "List events of all issues of a repository",
      command: "list-for-repository",
      description: "Newest first.",
      ...readsIssues,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/issues/events/:event_id", {
    params: { ...repositoryPath, event_id: Schema.Int.annotate({ description: "Id of the event." }) },
    success: IssueEvent,
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({ operationId: "issues/get-event", summary: "Get an event of an issue", ...readsIssues })
  )
]) {}
