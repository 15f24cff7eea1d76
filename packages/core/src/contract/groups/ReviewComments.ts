/** Review comments on pull requests. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { AuthorAssociation, commentBody } from "./CommitComments.ts"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { UserSummary } from "./User.ts"
import { ObjectId, openEnum, Timestamp } from "../Scalars.ts"

const Link = Schema.Struct({ href: Schema.String })
const line = Schema.optionalKey(Schema.NullOr(Schema.Int))

/** A comment on a line or a file of a pull request. */
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
  start_side: Schema.optionalKey(Schema.NullOr(openEnum(["LEFT", "RIGHT"]))),
  line,
  original_line: line,
  side: Schema.optionalKey(openEnum(["LEFT", "RIGHT"])),
  subject_type: Schema.optionalKey(openEnum(["line", "file"]))
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
const pullRequests = (level: "read" | "write") =>
  [[{ target: "repository", category: "pull_requests", level }]] as const
const reads = { public: true, permission: pullRequests("read"), privateScopes: ["repo"], mediaTypes } as const

/** Endpoints of review comments. */
export class ReviewComments extends Group.make("reviewComments", () => [
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/pulls/comments", {
    params: repositoryPath,
    query: {
      sort: Schema.optionalKey(
        Schema.Literals(["created", "updated", "created_at"]).annotate({
          description: "Order of the list; by id by default."
        })
      ),
      direction: Schema.optionalKey(
        Schema.Literals(["asc", "desc"]).annotate({ description: "desc by default; needs sort." })
      ),
      since: Schema.optionalKey(
        Timestamp.annotate({ description: "Only comments updated after this time, for example 2026-01-31T12:00:00Z." })
      ),
      ...pageQuery
    },
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
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/pulls/comments/:comment_id", {
    params: commentPath,
    success: ReviewComment,
    error: notFound
  }).annotateMerge(
    Operation.annotations({ operationId: "pulls/get-review-comment", summary: "Get a review comment", ...reads })
  ),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo/pulls/comments/:comment_id", {
    params: commentPath,
    payload: Schema.Struct({ body: Schema.String.annotate({ description: "The new text, in Markdown." }) }),
    success: ReviewComment,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/update-review-comment",
      summary: "Update a review comment",
      access: "author",
      permission: pullRequests("write"),
      scopes: ["public_repo", "repo"],
      privateScopes: ["repo"],
      mediaTypes
    })
  )
]) {}
