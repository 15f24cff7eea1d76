/** Comments on issues and pull requests. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { AuthorAssociation, commentBody } from "./CommitComments.ts"
import { ReactionRollup } from "./Issue.ts"
import { UserSummary } from "./User.ts"
import { gone, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import { authorsIssues, issuePath, joinsIssues, readsIssues, textTypes, writesIssues } from "../IssueAccess.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { AnyJson, Timestamp } from "../Scalars.ts"

/** A comment on an issue or a pull request. */
export const IssueComment = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.String,
  url: Schema.String,
  html_url: Schema.String,
  issue_url: Schema.String,
  ...commentBody,
  /** Null if the account was deleted. */
  user: Schema.NullOr(UserSummary),
  created_at: Timestamp,
  updated_at: Timestamp,
  author_association: Schema.optionalKey(AuthorAssociation),
  performed_via_github_app: Schema.optionalKey(Schema.NullOr(AnyJson)),
  reactions: Schema.optionalKey(ReactionRollup),
  /** Null if the comment is not pinned. */
  pin: Schema.optionalKey(Schema.NullOr(Schema.Struct({ pinned_at: Timestamp, pinned_by: Schema.NullOr(UserSummary) })))
}).annotate({
  identifier: "IssueComment",
  ...Presentation.of({
    columns: { ID: "id", USER: "user.login", UPDATED: "updated_at", BODY: "body" },
    title: "body",
    arguments: {
      "issueComments.comment_id": "id",
      "reactions.comment_id": "id",
      issue_number: { path: "issue_url", pattern: "/issues/(\\d+)$" },
      username: "user.login"
    }
  })
})
export type IssueComment = typeof IssueComment.Type

const commentPath = { ...repositoryPath, comment_id: Schema.Int.annotate({ description: "Id of the comment." }) }
const payload = Schema.Struct({ body: Schema.String.annotate({ description: "Text, in Markdown." }) })
const since = Schema.optionalKey(
  Timestamp.annotate({ description: "Only comments updated at or after this time, for example 2026-01-31T12:00:00Z." })
)

/** Endpoints of comments on issues. */
export class IssueComments extends Group.make("issueComments", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/issues/:issue_number/comments", {
    params: issuePath,
    query: { since, ...pageQuery },
    success: Paged(Schema.Array(IssueComment)),
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-comments",
      summary: "List comments on an issue",
      words: "conversation, replies",
      ...readsIssues,
      mediaTypes: textTypes,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/issues/:issue_number/comments", {
    params: issuePath,
    payload,
    success: IssueComment.pipe(HttpApiSchema.status(201)),
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/create-comment",
      summary: "Comment on an issue",
      words: "reply, answer",
      ...joinsIssues,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/issues/comments", {
    params: repositoryPath,
    query: {
      sort: Schema.optionalKey(
        Schema.Literals(["created", "updated"]).annotate({ description: "created by default." })
      ),
      direction: Schema.optionalKey(
        Schema.Literals(["asc", "desc"]).annotate({ description: "asc by default; needs sort." })
      ),
      since,
      ...pageQuery
    },
    success: Paged(Schema.Array(IssueComment)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-comments-for-repo",
      summary: "List comments on all issues of a repository",
      command: "list-for-repository",
      ...readsIssues,
      mediaTypes: textTypes,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/issues/comments/:comment_id", {
    params: commentPath,
    success: IssueComment,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/get-comment",
      summary: "Get a comment on an issue",
      ...readsIssues,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo/issues/comments/:comment_id", {
    params: commentPath,
    payload,
    success: IssueComment,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/update-comment",
      summary: "Update a comment on an issue",
      ...authorsIssues,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/issues/comments/:comment_id", {
    params: commentPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/delete-comment",
      summary: "Delete a comment on an issue",
      ...authorsIssues
    })
  ),
  HttpApiEndpoint.put("pin", "/repos/:owner/:repo/issues/comments/:comment_id/pin", {
    params: commentPath,
    success: IssueComment,
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/pin-comment",
      summary: "Pin a comment to the top of an issue",
      description: "An issue has one pinned comment: the last one that was pinned.",
      ...writesIssues,
      effect: "create",
      idempotent: true,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.delete("unpin", "/repos/:owner/:repo/issues/comments/:comment_id/pin", {
    params: commentPath,
    success: HttpApiSchema.NoContent,
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/unpin-comment",
      summary: "Unpin a comment",
      ...writesIssues,
      reversible: true
    })
  )
]) {}
