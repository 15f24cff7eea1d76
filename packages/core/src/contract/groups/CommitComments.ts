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

const commitPath = {
  ...repositoryPath,
  commit_sha: Schema.String.annotate({ description: "Id of the commit, or a revision that resolves to one." })
}

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
  HttpApiEndpoint.get("listForCommit", "/repos/:owner/:repo/commits/:commit_sha/comments", {
    params: commitPath,
    query: pageQuery,
    success: Paged(Schema.Array(CommitComment)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-comments-for-commit",
      summary: "List the comments on a commit",
      ...reads,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/commits/:commit_sha/comments", {
    params: commitPath,
    payload: Schema.Struct({
      body: Schema.String.annotate({ description: "The text, in Markdown." }),
      path: Schema.optionalKey(
        Schema.String.annotate({ description: "Path of the file to comment on; by default the whole commit." })
      ),
      position: Schema.optionalKey(
        Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({
          description: "Line of the file's patch, where 1 is the line below the first @@; needs path."
        })
      ),
      line: Schema.optionalKey(
        Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({ description: "Line of the file; needs path." })
      )
    }),
    success: CommitComment.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-commit-comment",
      summary: "Comment on a commit",
      words: "reply, review",
      ...Operation.writesContents,
      permission: [[Operation.contentsRead]],
      access: "read",
      mediaTypes: reads.mediaTypes
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
