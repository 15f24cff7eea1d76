/** Review comments on pull requests. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { AuthorAssociation, commentBody } from "./CommitComments.ts"
import { ReactionRollup } from "./Issue.ts"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { authorsPullRequests, proposesChanges, pullRequestPath, readsPullRequests } from "../PullRequestAccess.ts"
import { UserSummary } from "./User.ts"
import { ObjectId, openEnum, Timestamp } from "../Scalars.ts"

const Link = Schema.Struct({ href: Schema.String })
const line = Schema.optionalKey(Schema.NullOr(Schema.Int))

/** The sides of a diff: the file before the changes, and after them. */
export const sides = ["LEFT", "RIGHT"] as const // literal types

/** A comment on a line or a file of a pull request. Its line and position are null if the line has changed since. */
export const ReviewComment = Schema.Struct({
  url: Schema.String,
  pull_request_review_id: Schema.NullOr(Schema.Int),
  id: Schema.Int,
  node_id: Schema.String,
  diff_hunk: Schema.String,
  path: Schema.String,
  position: line,
  original_position: line,
  commit_id: ObjectId,
  original_commit_id: ObjectId,
  in_reply_to_id: Schema.optionalKey(Schema.Int),
  user: Schema.NullOr(UserSummary),
  ...commentBody,
  created_at: Timestamp,
  updated_at: Timestamp,
  html_url: Schema.String,
  pull_request_url: Schema.String,
  author_association: AuthorAssociation,
  _links: Schema.Struct({ self: Link, html: Link, pull_request: Link }),
  start_line: line,
  original_start_line: line,
  start_side: Schema.optionalKey(Schema.NullOr(openEnum(sides))),
  line,
  original_line: line,
  side: Schema.optionalKey(openEnum(sides)),
  subject_type: Schema.optionalKey(openEnum(["line", "file"])),
  reactions: Schema.optionalKey(ReactionRollup)
}).annotate({
  identifier: "ReviewComment",
  ...Presentation.of({
    columns: { ID: "id", USER: "user.login", PATH: "path", LINE: "line", UPDATED: "updated_at", BODY: "body" },
    title: "body",
    arguments: { "reviewComments.comment_id": "id", ref: "commit_id", path: "path", username: "user.login" }
  })
})
export type ReviewComment = typeof ReviewComment.Type

const commentPath = { ...repositoryPath, comment_id: Schema.Int.annotate({ description: "Id of the comment." }) }
const mediaTypes = ["raw", "text", "html", "full"] as const
const reads = { ...readsPullRequests, mediaTypes } as const
const text = Schema.String.annotate({ description: "The text, in Markdown." })
const optional = Schema.optionalKey
const number = (description: string) => optional(Schema.Int.annotate({ description }))

const listQuery = {
  sort: optional(
    Schema.Literals(["created", "updated", "created_at"]).annotate({
      description: "Order of the list; by id by default."
    })
  ),
  direction: optional(Schema.Literals(["asc", "desc"]).annotate({ description: "desc by default; needs sort." })),
  since: optional(
    Timestamp.annotate({ description: "Only comments updated after this time, for example 2026-01-31T12:00:00Z." })
  ),
  ...pageQuery
}

/** A new comment. A reply has the place of the comment that it answers. */
export const NewPullRequestComment = Schema.Struct({
  body: text,
  commit_id: optional(Schema.String.annotate({ description: "Id of the commented commit. Required without a reply." })),
  path: optional(Schema.String.annotate({ description: "Path of the file. Required without a reply." })),
  position: number("Number of the line in the diff of the file, from 1 below the first hunk header. Use `line`."),
  side: optional(
    Schema.Literals(sides).annotate({
      description: "`LEFT` for the file before the changes, `RIGHT` (the default) for the file after them."
    })
  ),
  line: number("Line of the file; the last one of several. Required for a comment on lines."),
  start_line: number("First line of several."),
  start_side: optional(
    Schema.Literals([...sides, "side"]).annotate({ description: "Side of `start_line`; `side` by default." })
  ),
  in_reply_to: number("Id of the comment to answer."),
  subject_type: optional(
    Schema.Literals(["line", "file"]).annotate({ description: "`file` for a comment on the whole file." })
  )
}).annotate({ identifier: "NewPullRequestComment" })
export type NewPullRequestComment = typeof NewPullRequestComment.Type

/** Endpoints of review comments. */
export class ReviewComments extends Group.make("reviewComments", () => [
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/pulls/comments", {
    params: repositoryPath,
    query: listQuery,
    success: Paged(Schema.Array(ReviewComment)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/list-review-comments-for-repo",
      summary: "List review comments on pull requests",
      command: "list",
      description: "Ordered by ascending id without `sort`; `direction` needs `sort`.",
      ...reads,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listForPullRequest", "/repos/:owner/:repo/pulls/:pull_number/comments", {
    params: pullRequestPath,
    query: listQuery,
    success: Paged(Schema.Array(ReviewComment)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/list-review-comments",
      summary: "List review comments on a pull request",
      command: "of-pull-request",
      description: "Ordered by ascending id without `sort`; `direction` needs `sort`.",
      ...reads,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/pulls/:pull_number/comments", {
    params: pullRequestPath,
    payload: NewPullRequestComment,
    success: ReviewComment.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/create-review-comment",
      summary: "Comment on lines or on a file of a pull request",
      words: "inline comment, start thread",
      ...proposesChanges,
      mediaTypes
    })
  ),
  HttpApiEndpoint.post("createReply", "/repos/:owner/:repo/pulls/:pull_number/comments/:comment_id/replies", {
    params: { ...pullRequestPath, comment_id: commentPath.comment_id },
    payload: Schema.Struct({ body: text }),
    success: ReviewComment.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/create-reply-for-review-comment",
      summary: "Reply to a review comment",
      command: "reply",
      words: "answer comment",
      ...proposesChanges,
      mediaTypes
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/pulls/comments/:comment_id", {
    params: commentPath,
    success: ReviewComment,
    error: notFound
  }).annotateMerge(
    Operation.annotations({ operationId: "pulls/get-review-comment", summary: "Get a review comment", ...reads })
  ),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo/pulls/comments/:comment_id", {
    params: commentPath,
    payload: Schema.Struct({ body: text }),
    success: ReviewComment,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/update-review-comment",
      summary: "Update a review comment",
      ...authorsPullRequests,
      mediaTypes
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/pulls/comments/:comment_id", {
    params: commentPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/delete-review-comment",
      summary: "Delete a review comment",
      ...authorsPullRequests
    })
  )
]) {}
