/** The part of the explorer's API that reads issues. Logins are null for deleted accounts, times are ISO 8601. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"

const Login = Schema.NullOr(Schema.String)
const Text = Schema.NullOr(Schema.String)

export const Label = Schema.Struct({
  name: Schema.String,
  /** Six hexadecimal digits. */
  color: Text,
  description: Text
})
export type Label = typeof Label.Type

/** The state of a pull request. */
export const PullState = Schema.Literals(["open", "draft", "merged", "closed"])
export type PullState = typeof PullState.Type

const linked = {
  owner: Schema.String,
  repo: Schema.String,
  number: Schema.Int,
  title: Schema.String,
  /** `open` or `closed`. */
  state: Schema.String,
  /** `completed`, `not_planned`, `duplicate`, `reopened` or a newer value. */
  stateReason: Text,
  /** Null for an issue. */
  pull: Schema.NullOr(PullState)
}

/** An issue or pull request that another one names. */
export const LinkedIssue = Schema.Struct(linked)
export type LinkedIssue = typeof LinkedIssue.Type

const listed = {
  ...linked,
  author: Login,
  createdAt: Schema.String,
  closedAt: Text,
  labels: Schema.Array(Label),
  assignees: Schema.Array(Schema.String),
  milestone: Text,
  /** Name of the type. */
  type: Text,
  /** Number of comments. */
  comments: Schema.Int
}

/** An issue or pull request in a list. */
export const ListedIssue = Schema.Struct(listed)
export type ListedIssue = typeof ListedIssue.Type

export const Reaction = Schema.Struct({
  /** For example `+1` or `heart`. */
  content: Schema.String,
  count: Schema.Int
})
export type Reaction = typeof Reaction.Type

/** The members of a written text. */
export const written = {
  /** The Markdown text, and the same as HTML of the forge, which is not safe. */
  source: Schema.String,
  html: Schema.String,
  author: Login,
  /** How the author is related to the repository, for example `MEMBER`. */
  association: Text,
  createdAt: Schema.String,
  reactions: Schema.Array(Reaction)
}

/** Issues with a relation to another one. At most 100 are listed. */
const Related = Schema.Struct({ total: Schema.Int, issues: Schema.Array(LinkedIssue) })
export type Related = typeof Related.Type

/** An issue. */
export const Issue = Schema.Struct({
  ...listed,
  ...written,
  /** The forge's own page of the issue. */
  url: Schema.String,
  closedBy: Login,
  locked: Schema.Boolean,
  lockReason: Text,
  parent: Schema.NullOr(LinkedIssue),
  subIssues: Related,
  /** Number of closed sub-issues. */
  completedSubIssues: Schema.Int,
  blockedBy: Related,
  blocking: Related
})
export type Issue = typeof Issue.Type

const optional = Schema.optionalKey

export const Comment = Schema.Struct({
  kind: Schema.Literal("comment"),
  id: Schema.Int,
  ...written
})
export type Comment = typeof Comment.Type

/** An event. Its name decides which of the other members are present. */
export const Event = Schema.Struct({
  kind: Schema.Literal("event"),
  event: Schema.String,
  /** Absent for events of an unknown kind without an account. */
  actor: optional(Login),
  createdAt: Schema.String,
  label: optional(Label),
  assignee: optional(Login),
  milestone: optional(Schema.String),
  rename: optional(Schema.Struct({ from: Schema.String, to: Schema.String })),
  /** Why the issue was closed, or its conversation locked. */
  reason: optional(Schema.String),
  commit: optional(Schema.Struct({ owner: Schema.String, repo: Schema.String, id: Schema.String })),
  /** Null for an issue that no longer exists. */
  issue: optional(Schema.NullOr(LinkedIssue)),
  type: optional(Schema.String),
  previousType: optional(Schema.String),
  /** Who is asked for a review: a login, or the name of a team. */
  reviewer: optional(Text),
  /** The verdict of a review, for example `approved`, and the text as in a comment. */
  review: optional(Schema.Struct({ state: Schema.String, source: Schema.String, html: Schema.String }))
})
export type Event = typeof Event.Type

/** One page of the comments and events of an issue, the oldest first. */
export const Timeline = Schema.Struct({
  items: Schema.Array(Schema.Union([Comment, Event])),
  /** Number of items on all pages. Null if the forge does not count them, and on later pages before the last. */
  total: Schema.NullOr(Schema.Int),
  /** Number of the next page. */
  next: Schema.NullOr(Schema.Int)
})
export type Timeline = typeof Timeline.Type

/** One page of the issues or pull requests of a repository, the newest first. */
export const IssueList = Schema.Struct({
  issues: Schema.Array(ListedIssue),
  open: Schema.Int,
  closed: Schema.Int,
  /** Number of pages. */
  pages: Schema.Int,
  /** Number of issues that the forge lists, if it lists only the newest. */
  limit: Schema.NullOr(Schema.Int)
})
export type IssueList = typeof IssueList.Type

const repository = { owner: Schema.String, repo: Schema.String }
const issue = { ...repository, number: Schema.Int }
const page = { page: Schema.Int }

/** Issues. */
export class Issues extends HttpApiGroup.make("issues")
  .add(
    HttpApiEndpoint.get("getIssue", "/issue", { query: issue, success: Issue }),
    HttpApiEndpoint.get("getTimeline", "/timeline", { query: { ...issue, ...page }, success: Timeline }),
    HttpApiEndpoint.get("listIssues", "/issues", {
      query: {
        ...repository,
        ...page,
        state: Schema.Literals(["open", "closed"]),
        /** Issues by default. */
        kind: Schema.optionalKey(Schema.Literals(["issue", "pull"]))
      },
      success: IssueList
    })
  )
  .prefix("/api") {}
