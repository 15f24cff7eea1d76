/** Reactions to issues, comments and releases. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { reactionContents } from "./Issue.ts"
import { UserSummary } from "./User.ts"
import { gone, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import { issuePath, joinsIssues, readsIssues } from "../IssueAccess.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, releasePath, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, Timestamp } from "../Scalars.ts"

/** A reaction. An account has at most one of each content. */
export const Reaction = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.String,
  user: Schema.NullOr(UserSummary),
  content: openEnum(reactionContents),
  created_at: Timestamp
}).annotate({
  identifier: "Reaction",
  ...Presentation.of({
    columns: { ID: "id", CONTENT: "content", USER: "user.login", CREATED: "created_at" },
    title: "content",
    arguments: { reaction_id: "id", username: "user.login" }
  })
})
export type Reaction = typeof Reaction.Type

const content = Schema.Literals(reactionContents)
const filter = {
  content: Schema.optionalKey(content.annotate({ description: "Only reactions with this content." })),
  ...pageQuery
}
const payload = Schema.Struct({ content: content.annotate({ description: "Content of the reaction." }) })
const comment = { ...repositoryPath, comment_id: Schema.Int.annotate({ description: "Id of the comment." }) }
const reaction = { reaction_id: Schema.Int.annotate({ description: "Id of the reaction." }) }

/** The contents of a reaction to a release. */
const releaseContent = Schema.Literals(["+1", "laugh", "heart", "hooray", "rocket", "eyes"])
const releaseFilter = {
  content: Schema.optionalKey(releaseContent.annotate({ description: "Only reactions with this content." })),
  ...pageQuery
}

const list = Paged(Schema.Array(Reaction))
/** A new reaction has status 201, an existing one 200. */
const created = [Reaction.pipe(HttpApiSchema.status(201)), Reaction] as const // a tuple

const reads = { ...readsIssues, paging: "page" } as const // literal types
const creates = { ...joinsIssues, idempotent: true } as const // literal types
const deletes = { ...joinsIssues, reversible: true, description: "Only one's own reaction." } as const // literal types

const commits = (level: "read" | "write") =>
  ({ permission: [[{ target: "repository", category: "contents", level }]] }) as const
const pulls = (level: "read" | "write") =>
  ({ permission: [[{ target: "repository", category: "pull_requests", level }]] }) as const

/** Endpoints of reactions. */
export class Reactions extends Group.make("reactions", () => [
  HttpApiEndpoint.get("listForIssue", "/repos/:owner/:repo/issues/:issue_number/reactions", {
    params: issuePath,
    query: filter,
    success: list,
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "reactions/list-for-issue",
      summary: "List reactions to an issue",
      words: "likes, thumbs up, votes",
      ...reads
    })
  ),
  HttpApiEndpoint.post("createForIssue", "/repos/:owner/:repo/issues/:issue_number/reactions", {
    params: issuePath,
    payload,
    success: created,
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "reactions/create-for-issue",
      summary: "React to an issue",
      words: "like, vote",
      ...creates
    })
  ),
  HttpApiEndpoint.delete("deleteForIssue", "/repos/:owner/:repo/issues/:issue_number/reactions/:reaction_id", {
    params: { ...issuePath, ...reaction },
    success: HttpApiSchema.NoContent,
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({
      operationId: "reactions/delete-for-issue",
      summary: "Delete a reaction to an issue",
      ...deletes
    })
  ),
  HttpApiEndpoint.get("listForIssueComment", "/repos/:owner/:repo/issues/comments/:comment_id/reactions", {
    params: comment,
    query: filter,
    success: list,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "reactions/list-for-issue-comment",
      summary: "List reactions to a comment on an issue",
      ...reads
    })
  ),
  HttpApiEndpoint.post("createForIssueComment", "/repos/:owner/:repo/issues/comments/:comment_id/reactions", {
    params: comment,
    payload,
    success: created,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "reactions/create-for-issue-comment",
      summary: "React to a comment on an issue",
      ...creates
    })
  ),
  HttpApiEndpoint.delete(
    "deleteForIssueComment",
    "/repos/:owner/:repo/issues/comments/:comment_id/reactions/:reaction_id",
    { params: { ...comment, ...reaction }, success: HttpApiSchema.NoContent, error: notFound }
  ).annotateMerge(
    Operation.annotations({
      operationId: "reactions/delete-for-issue-comment",
      summary: "Delete a reaction to a comment on an issue",
      ...deletes
    })
  ),
  HttpApiEndpoint.get("listForCommitComment", "/repos/:owner/:repo/comments/:comment_id/reactions", {
    params: comment,
    query: filter,
    success: list,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "reactions/list-for-commit-comment",
      summary: "List reactions to a comment on a commit",
      ...reads,
      ...commits("read")
    })
  ),
  HttpApiEndpoint.post("createForCommitComment", "/repos/:owner/:repo/comments/:comment_id/reactions", {
    params: comment,
    payload,
    success: created,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "reactions/create-for-commit-comment",
      summary: "React to a comment on a commit",
      ...creates,
      ...commits("write")
    })
  ),
  HttpApiEndpoint.delete("deleteForCommitComment", "/repos/:owner/:repo/comments/:comment_id/reactions/:reaction_id", {
    params: { ...comment, ...reaction },
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "reactions/delete-for-commit-comment",
      summary: "Delete a reaction to a comment on a commit",
      ...deletes,
      ...commits("write")
    })
  ),
  HttpApiEndpoint.get("listForReviewComment", "/repos/:owner/:repo/pulls/comments/:comment_id/reactions", {
    params: comment,
    query: filter,
    success: list,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "reactions/list-for-pull-request-review-comment",
      summary: "List reactions to a comment of a review",
      ...reads,
      ...pulls("read")
    })
  ),
  HttpApiEndpoint.post("createForReviewComment", "/repos/:owner/:repo/pulls/comments/:comment_id/reactions", {
    params: comment,
    payload,
    success: created,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "reactions/create-for-pull-request-review-comment",
      summary: "React to a comment of a review",
      ...creates,
      ...pulls("write")
    })
  ),
  HttpApiEndpoint.delete(
    "deleteForReviewComment",
    "/repos/:owner/:repo/pulls/comments/:comment_id/reactions/:reaction_id",
    { params: { ...comment, ...reaction }, success: HttpApiSchema.NoContent, error: notFound }
  ).annotateMerge(
    Operation.annotations({
      operationId: "reactions/delete-for-pull-request-comment",
      summary: "Delete a reaction to a comment of a review",
      ...deletes,
      ...pulls("write")
    })
  ),
  HttpApiEndpoint.get("listForRelease", "/repos/:owner/:repo/releases/:release_id/reactions", {
    params: releasePath,
    query: releaseFilter,
    success: list,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "reactions/list-for-release",
      summary: "List reactions to a release",
      ...reads,
      ...commits("read")
    })
  ),
  HttpApiEndpoint.post("createForRelease", "/repos/:owner/:repo/releases/:release_id/reactions", {
    params: releasePath,
    payload: Schema.Struct({ content: releaseContent.annotate({ description: "Content of the reaction." }) }),
    success: created,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "reactions/create-for-release",
      summary: "React to a release",
      ...creates,
      ...commits("write")
    })
  ),
  HttpApiEndpoint.delete("deleteForRelease", "/repos/:owner/:repo/releases/:release_id/reactions/:reaction_id", {
    params: { ...releasePath, ...reaction },
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "reactions/delete-for-release",
      summary: "Delete a reaction to a release",
      ...deletes,
      ...commits("write")
    })
  )
]) {}
