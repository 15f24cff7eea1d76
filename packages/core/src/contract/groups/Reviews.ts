/** Reviews of pull requests. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { AuthorAssociation, commentBody } from "./CommitComments.ts"
import { ReviewComment, sides } from "./ReviewComments.ts"
import { UserSummary } from "./User.ts"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import { textTypes } from "../IssueAccess.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import {
  authorsPullRequests,
  proposesChanges,
  pullRequestPath,
  readsPullRequests,
  writesPullRequests
} from "../PullRequestAccess.ts"
import { ObjectId, openEnum, Timestamp } from "../Scalars.ts"

/** The states of reviews. A pending review is visible to its author only. */
export const reviewStates = ["PENDING", "COMMENTED", "APPROVED", "CHANGES_REQUESTED", "DISMISSED"] as const // literal types

const Link = Schema.Struct({ href: Schema.String })

/** A review of a pull request. */
export const PullRequestReview = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.String,
  /** Null if the account was deleted. */
  user: Schema.NullOr(UserSummary),
  ...commentBody,
  state: openEnum(reviewStates),
  html_url: Schema.String,
  pull_request_url: Schema.String,
  _links: Schema.Struct({ html: Link, pull_request: Link }),
  /** Absent while the review is pending. */
  submitted_at: Schema.optionalKey(Timestamp),
  /** The head of the pull request at the time of the review. */
  commit_id: Schema.NullOr(ObjectId),
  author_association: AuthorAssociation
}).annotate({
  identifier: "PullRequestReview",
  ...Presentation.of({
    columns: {
      ID: "id",
      USER: "user.login",
      STATE: "state",
      COMMIT: "commit_id",
      SUBMITTED: "submitted_at",
      BODY: "body"
    },
    title: "body",
    arguments: { review_id: "id", ref: "commit_id", username: "user.login" }
  })
})
export type PullRequestReview = typeof PullRequestReview.Type

const event = Schema.Literals(["APPROVE", "REQUEST_CHANGES", "COMMENT"])

const side = (description: string) => Schema.optionalKey(Schema.Literals(sides).annotate({ description }))
const number = (description: string) => Schema.optionalKey(Schema.Int.annotate({ description }))

/** A comment of a new review. */
export const NewReviewComment = Schema.Struct({
  path: Schema.String.annotate({ description: "Path of the file." }),
  body: Schema.String.annotate({ description: "Text, in Markdown." }),
  position: number("Number of the line in the diff of the file, from 1 below the first hunk header. Use `line`."),
  line: number("Line of the file; the last one of several."),
  side: side("`LEFT` for the file before the changes, `RIGHT` (the default) for the file after them."),
  start_line: number("First line of several."),
  start_side: side("Side of `start_line`; `side` by default.")
}).annotate({ identifier: "NewReviewComment" })

const reviewPath = { ...pullRequestPath, review_id: Schema.Int.annotate({ description: "Id of the review." }) }

/** Endpoints of reviews. */
export class Reviews extends Group.make("reviews", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/pulls/:pull_number/reviews", {
    params: pullRequestPath,
    query: pageQuery,
    success: Paged(Schema.Array(PullRequestReview)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/list-reviews",
      summary: "List reviews of a pull request",
      words: "approvals, feedback",
      description: "Oldest first.",
      ...readsPullRequests,
      mediaTypes: textTypes,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/pulls/:pull_number/reviews", {
    params: pullRequestPath,
    payload: Schema.Struct({
      commit_id: Schema.optionalKey(
        Schema.String.annotate({ description: "Id of the reviewed commit; the head of the pull request by default." })
      ),
      body: Schema.optionalKey(
        Schema.String.annotate({ description: "Text, in Markdown. Required for REQUEST_CHANGES and COMMENT." })
      ),
      event: Schema.optionalKey(event.annotate({ description: "The opinion. Without it, the review is pending." })),
      comments: Schema.optionalKey(
        Schema.Array(NewReviewComment).annotate({ description: "Comments on lines of the diff." })
      )
    }),
    success: PullRequestReview,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/create-review",
      summary: "Create a review of a pull request",
      words: "approve pr, request changes, comment",
      ...proposesChanges,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/pulls/:pull_number/reviews/:review_id", {
    params: reviewPath,
    success: PullRequestReview,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/get-review",
      summary: "Get a review of a pull request",
      ...readsPullRequests,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.put("update", "/repos/:owner/:repo/pulls/:pull_number/reviews/:review_id", {
    params: reviewPath,
    payload: Schema.Struct({ body: Schema.String.annotate({ description: "The new text, in Markdown." }) }),
    success: PullRequestReview,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/update-review",
      summary: "Change the text of a review",
      words: "edit review",
      ...authorsPullRequests,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.delete("deletePending", "/repos/:owner/:repo/pulls/:pull_number/reviews/:review_id", {
    params: reviewPath,
    success: PullRequestReview,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/delete-pending-review",
      summary: "Delete a pending review with its comments",
      words: "discard review",
      ...proposesChanges,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.get("listComments", "/repos/:owner/:repo/pulls/:pull_number/reviews/:review_id/comments", {
    params: reviewPath,
    query: pageQuery,
    success: Paged(Schema.Array(ReviewComment)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/list-comments-for-review",
      summary: "List the comments of a review",
      command: "comments",
      ...readsPullRequests,
      mediaTypes: textTypes,
      paging: "page"
    })
  ),
  HttpApiEndpoint.put("dismiss", "/repos/:owner/:repo/pulls/:pull_number/reviews/:review_id/dismissals", {
    params: reviewPath,
    payload: Schema.Struct({
      message: Schema.String.annotate({ description: "The reason." }),
      event: Schema.optionalKey(Schema.Literal("DISMISS").annotate({ description: "Always DISMISS." }))
    }),
    success: PullRequestReview,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/dismiss-review",
      summary: "Dismiss an approval or a request for changes",
      words: "revoke approval",
      ...writesPullRequests,
      reversible: false,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.post("submit", "/repos/:owner/:repo/pulls/:pull_number/reviews/:review_id/events", {
    params: reviewPath,
    payload: Schema.Struct({
      body: Schema.optionalKey(
        Schema.String.annotate({ description: "Text, in Markdown; the present one by default." })
      ),
      event: event.annotate({ description: "The opinion." })
    }),
    success: PullRequestReview,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/submit-review",
      summary: "Submit a pending review",
      words: "publish review, approve pr, request changes",
      ...proposesChanges,
      effect: "update",
      idempotent: false,
      reversible: false,
      mediaTypes: textTypes
    })
  )
]) {}
