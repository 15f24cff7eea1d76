/** Comments on commits. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { UserSummary } from "./User.ts"
import { ObjectId, openEnum, Timestamp } from "../Scalars.ts"

/** The known relations of an author to the repository. */
export const authorAssociations = [
  "COLLABORATOR",
  "CONTRIBUTOR",
  "FIRST_TIMER",
  "FIRST_TIME_CONTRIBUTOR",
  "MANNEQUIN",
  "MEMBER",
  "NONE",
  "OWNER"
] as const // literal types

/** The relation of an author to the repository. */
export const AuthorAssociation = openEnum(authorAssociations)

/** A Markdown text. The requested media type decides which of the three members are present. */
export const commentBody = {
  /** The Markdown source. Present by default, and with the raw and full media types. */
  body: Schema.optionalKey(Schema.String),
  /** Plain text. Present with the text and full media types. */
  body_text: Schema.optionalKey(Schema.String),
  /** Sanitized HTML. Present with the html and full media types. */
  body_html: Schema.optionalKey(Schema.String)
}

/** A comment on a commit. `path`, `position` and `line` are null for a comment on the whole commit. */
export const CommitComment = Schema.Struct({
  html_url: Schema.String,
  url: Schema.String,
  id: Schema.Int,
  node_id: Schema.String,
  ...commentBody,
  path: Schema.NullOr(Schema.String),
  position: Schema.NullOr(Schema.Int),
  line: Schema.NullOr(Schema.Int),
  commit_id: ObjectId,
  user: Schema.NullOr(UserSummary),
  created_at: Timestamp,
  updated_at: Timestamp,
  author_association: AuthorAssociation
}).annotate({
  identifier: "CommitComment",
  ...Presentation.of({
    columns: { ID: "id", USER: "user.login", UPDATED: "updated_at", PATH: "path", COMMIT: "commit_id", BODY: "body" },
    title: "body",
    arguments: { "commitComments.comment_id": "id", ref: "commit_id", path: "path", username: "user.login" }
  })
})
export type CommitComment = typeof CommitComment.Type

const commentPath = { ...repositoryPath, comment_id: Schema.Int.annotate({ description: "Id of the comment." }) }
const reads = {
  public: true,
  permission: [[Operation.metadataRead]],
  privateScopes: ["repo"],
  mediaTypes: ["raw", "text", "html", "full"]
} as const

/** Endpoints of comments on commits. */
export class CommitComments extends Group.make("commitComments", () => [
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/comments", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Schema.Array(CommitComment)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-commit-comments-for-repo",
      summary: "List comments on commits",
      command: "list",
      ...reads,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/comments/:comment_id", {
    params: commentPath,
    success: CommitComment,
    error: notFound
  }).annotateMerge(
    Operation.annotations({ operationId: "repos/get-commit-comment", summary: "Get a comment on a commit", ...reads })
  ),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo/comments/:comment_id", {
    params: commentPath,
    payload: Schema.Struct({ body: Schema.String.annotate({ description: "The new text, in Markdown." }) }),
    success: CommitComment,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/update-commit-comment",
      summary: "Update a comment on a commit",
      ...Operation.writesContents,
      access: "author",
      mediaTypes: reads.mediaTypes
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/comments/:comment_id", {
    params: commentPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-commit-comment",
      summary: "Delete a comment on a commit",
      ...Operation.writesContents,
      access: "author"
    })
  )
]) {}
