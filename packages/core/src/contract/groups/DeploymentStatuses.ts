/** Statuses of deployments, which the services that deploy report. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { ExternalUrl, openEnum, Timestamp } from "../Scalars.ts"
import { App } from "./App.ts"
import { deploymentPath, readsDeployments, writesDeployments } from "./Deployments.ts"
import { UserSummary } from "./User.ts"

/** The states of a deployment. */
export const deploymentStates = ["error", "failure", "inactive", "in_progress", "queued", "pending", "success"] as const // literal types

/** A status of a deployment. */
export const DeploymentStatus = Schema.Struct({
  url: Schema.String,
  id: Schema.Int,
  node_id: Schema.String,
  state: openEnum(deploymentStates),
  /** Null if the account was deleted. */
  creator: Schema.NullOr(UserSummary),
  description: Schema.String,
  environment: Schema.optionalKey(Schema.String),
  target_url: ExternalUrl,
  created_at: Timestamp,
  updated_at: Timestamp,
  deployment_url: Schema.String,
  repository_url: Schema.String,
  environment_url: Schema.optionalKey(ExternalUrl),
  log_url: Schema.optionalKey(ExternalUrl),
  performed_via_github_app: Schema.optionalKey(Schema.NullOr(App))
}).annotate({
  identifier: "DeploymentStatus",
  ...Presentation.of({
    columns: {
      ID: "id",
      STATE: "state",
      ENVIRONMENT: "environment",
      CREATED: "created_at",
      DESCRIPTION: "description"
    },
    title: "state",
    identity: ["id"],
    arguments: { status_id: "id", environment_name: "environment", username: "creator.login" }
  })
})
export type DeploymentStatus = typeof DeploymentStatus.Type

const optionalText = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

/** Endpoints of statuses of deployments. */
export class DeploymentStatuses extends Group.make("deploymentStatuses", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/deployments/:deployment_id/statuses", {
    params: deploymentPath,
    query: pageQuery,
    success: Paged(Schema.Array(DeploymentStatus)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-deployment-statuses",
      summary: "List statuses of a deployment",
      description: "The newest first.",
      ...readsDeployments,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/deployments/:deployment_id/statuses", {
    params: deploymentPath,
    payload: Schema.Struct({
      state: Schema.Literals(deploymentStates).annotate({ description: "The state." }),
      target_url: optionalText("Former name of `log_url`."),
      log_url: optionalText("URL of the log."),
      description: optionalText("Short text of up to 140 characters."),
      environment: optionalText("The new environment of the deployment."),
      environment_url: optionalText("URL of the deployed environment."),
      auto_inactive: Schema.optionalKey(
        Schema.Boolean.annotate({
          description:
            "Makes earlier successful deployments to the environment inactive, unless transient or production; true by default."
        })
      )
    }),
    success: DeploymentStatus.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-deployment-status",
      summary: "Set the status of a deployment",
      words: "deployed, succeeded, failed, inactive",
      ...writesDeployments
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/deployments/:deployment_id/statuses/:status_id", {
    params: { ...deploymentPath, status_id: Schema.Int.annotate({ description: "Id of the status." }) },
    success: DeploymentStatus,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-deployment-status",
      summary: "Get a status of a deployment",
      ...readsDeployments
    })
  )
]) {}
