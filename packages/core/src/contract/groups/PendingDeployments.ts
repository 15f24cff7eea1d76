/** Deployments of workflow runs that wait for the protection rules of environments, and their reviews. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { readsActions } from "../ActionsAccess.ts"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, Timestamp } from "../Scalars.ts"
import { Deployment } from "./Deployments.ts"
import { EnvironmentReviewer } from "./Environments.ts"
import { UserSummary } from "./User.ts"
import { runPath } from "./WorkflowRuns.ts"

const environment = {
  id: Schema.optionalKey(Schema.Int),
  node_id: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String),
  url: Schema.optionalKey(Schema.String),
  html_url: Schema.optionalKey(Schema.String)
}

/** An environment that jobs of a run wait for. */
export const PendingDeployment = Schema.Struct({
  environment: Schema.Struct(environment),
  /** In minutes. */
  wait_timer: Schema.Int,
  wait_timer_started_at: Schema.NullOr(Timestamp),
  current_user_can_approve: Schema.Boolean,
  reviewers: Schema.Array(EnvironmentReviewer)
}).annotate({
  identifier: "PendingDeployment",
  ...Presentation.of({
    columns: {
      ENVIRONMENT: "environment.name",
      ID: "environment.id",
      WAIT: "wait_timer",
      "CAN APPROVE": "current_user_can_approve"
    },
    title: "environment.name",
    arguments: { environment_name: "environment.name" }
  })
})
export type PendingDeployment = typeof PendingDeployment.Type

/** A review of deployments of a run. */
export const DeploymentReview = Schema.Struct({
  environments: Schema.Array(
    Schema.Struct({
      ...environment,
      created_at: Schema.optionalKey(Timestamp),
      updated_at: Schema.optionalKey(Timestamp)
    })
  ),
  state: openEnum(["approved", "rejected", "pending"]),
  user: UserSummary,
  comment: Schema.String
}).annotate({
  identifier: "DeploymentReview",
  ...Presentation.of({
    columns: { USER: "user.login", STATE: "state", ENVIRONMENTS: "environments.name", COMMENT: "comment" },
    title: "state",
    arguments: { username: "user.login" }
  })
})
export type DeploymentReview = typeof DeploymentReview.Type

const RUN = "/repos/:owner/:repo/actions/runs/:run_id"
const decisions = ["approved", "rejected"] as const // literal types
const exposure = {
  gives: "access",
  consequence: "A job goes on that can use the secrets of the environment."
} as const // literal types

/** Endpoints of deployments that wait. */
export class PendingDeployments extends Group.make("pendingDeployments", () => [
  HttpApiEndpoint.get("list", `${RUN}/pending_deployments`, {
    params: runPath,
    success: Schema.Array(PendingDeployment),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-pending-deployments-for-run",
      summary: "List the environments that a workflow run waits for",
      words: "waiting, approval, protection rules",
      ...readsActions
    })
  ),
  HttpApiEndpoint.post("review", `${RUN}/pending_deployments`, {
    params: runPath,
    payload: Schema.Struct({
      environment_ids: Schema.Array(Schema.Int).annotate({
        description: "Ids of environments that the run waits for."
      }),
      state: Schema.Literals(decisions).annotate({ description: "The decision." }),
      comment: Schema.String.annotate({ description: "Comment of the review." })
    }),
    success: Schema.Array(Deployment),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/review-pending-deployments-for-run",
      summary: "Approve or reject deployments of a workflow run",
      words: "approve deployment, reject deployment",
      description: "Only for required reviewers of the environments. A rejected job fails.",
      effect: "trigger",
      access: "read",
      permission: [[{ target: "repository", category: "deployments", level: "write" }]],
      scopes: ["public_repo", "repo"],
      privateScopes: ["repo"],
      exposure
    })
  ),
  HttpApiEndpoint.get("listReviews", `${RUN}/approvals`, {
    params: runPath,
    success: Schema.Array(DeploymentReview),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-reviews-for-run",
      summary: "List the reviews of a workflow run's deployments",
      words: "approvals, rejected",
      ...readsActions
    })
  ),
  HttpApiEndpoint.post("decide", `${RUN}/deployment_protection_rule`, {
    params: runPath,
    payload: Schema.Struct({
      environment_name: Schema.String.annotate({ description: "Name of the environment." }),
      state: Schema.optionalKey(
        Schema.Literals(decisions).annotate({ description: "The decision. Needed without a comment." })
      ),
      comment: Schema.optionalKey(Schema.String.annotate({ description: "Comment. Needed without a state." }))
    }),
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/review-custom-gates-for-run",
      summary: "Decide about deployments of a workflow run as a custom protection rule",
      description: "Only for the app of the rule. A rejected job fails.",
      effect: "trigger",
      onlyApps: true,
      permission: [[{ target: "repository", category: "deployments", level: "write" }]],
      exposure
    })
  )
]) {}
