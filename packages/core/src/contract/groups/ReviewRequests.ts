/** Review requests: the people and teams that are asked to review a pull request. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { PullRequestSummary } from "./PullRequest.ts"
import { Team } from "./Team.ts"
import { UserSummary } from "./User.ts"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import { textTypes } from "../IssueAccess.ts"
import * as Operation from "../Operation.ts"
import * as Presentation from "../Presentation.ts"
import { pullRequestPath, readsPullRequests, triagesPullRequests } from "../PullRequestAccess.ts"

/** The people and teams that are asked to review a pull request. */
export const RequestedReviewers = Schema.Struct({
  users: Schema.Array(UserSummary),
  teams: Schema.Array(Team)
}).annotate({
  identifier: "RequestedReviewers",
  ...Presentation.of({ columns: { USERS: "users", TEAMS: "teams" } })
})
export type RequestedReviewers = typeof RequestedReviewers.Type

const PATH = "/repos/:owner/:repo/pulls/:pull_number/requested_reviewers"

const logins = Schema.Array(Schema.String).annotate({ description: "Logins of people." })
const slugs = Schema.Array(Schema.String).annotate({ description: "Slugs of teams." })

/** Endpoints of review requests. */
export class ReviewRequests extends Group.make("reviewRequests", () => [
  HttpApiEndpoint.get("list", PATH, {
    params: pullRequestPath,
    success: RequestedReviewers,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/list-requested-reviewers",
      summary: "List the requested reviewers of a pull request",
      description: "Those who have not reviewed it since the request.",
      ...readsPullRequests
    })
  ),
  HttpApiEndpoint.post("create", PATH, {
    params: pullRequestPath,
    payload: Schema.Struct({
      reviewers: Schema.optionalKey(logins),
      team_reviewers: Schema.optionalKey(slugs)
    }),
    success: PullRequestSummary.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/request-reviewers",
      summary: "Request reviews of a pull request",
      words: "ask for review, add reviewer",
      ...triagesPullRequests,
      idempotent: true,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.delete("delete", PATH, {
    params: pullRequestPath,
    payload: Schema.Struct({ reviewers: logins, team_reviewers: Schema.optionalKey(slugs) }),
    success: PullRequestSummary,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/remove-requested-reviewers",
      summary: "Remove review requests from a pull request",
      words: "remove reviewer",
      ...triagesPullRequests,
      reversible: true,
      mediaTypes: textTypes
    })
  )
]) {}
