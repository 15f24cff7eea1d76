/** Deployments of commits to environments, which external services carry out. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { conflict, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { AnyJson, ObjectId, Timestamp } from "../Scalars.ts"
import { App } from "./App.ts"
import { UserSummary } from "./User.ts"

/** Data of the deployment system: an object or a text. */
const Payload = Schema.Union([Schema.String, Schema.Record(Schema.String, AnyJson)])

/** A deployment. Its statuses say how it went. */
export const Deployment = Schema.Struct({
  url: Schema.String,
  id: Schema.Int,
  node_id: Schema.String,
  sha: ObjectId,
  /** The branch, tag or commit that was deployed. */
  ref: Schema.String,
  task: Schema.String,
  payload: Payload,
  original_environment: Schema.optionalKey(Schema.String),
  environment: Schema.String,
  description: Schema.NullOr(Schema.String),
  /** Null if the account was deleted. */
  creator: Schema.NullOr(UserSummary),
  created_at: Timestamp,
  updated_at: Timestamp,
  statuses_url: Schema.String,
  repository_url: Schema.String,
  transient_environment: Schema.optionalKey(Schema.Boolean),
  production_environment: Schema.optionalKey(Schema.Boolean),
  performed_via_github_app: Schema.optionalKey(Schema.NullOr(App))
}).annotate({
  identifier: "Deployment",
  ...Presentation.of({
    columns: { ID: "id", ENVIRONMENT: "environment", REF: "ref", SHA: "sha", TASK: "task", CREATED: "created_at" },
    title: "environment",
    identity: ["id"],
    arguments: { deployment_id: "id", environment_name: "environment", ref: "sha", username: "creator.login" }
  })
})
export type Deployment = typeof Deployment.Type

/** The branch was merged instead of a deployment. */
const MergedBranch = Schema.Struct({ message: Schema.optionalKey(Schema.String) })

/** Access rules of an operation that reads deployments. */
export const readsDeployments = {
  public: true,
  permission: [[{ target: "repository", category: "deployments", level: "read" }]],
  privateScopes: ["repo", "repo_deployment"]
} as const // literal types

/** Access rules of an operation that writes deployments. */
export const writesDeployments = {
  permission: [[{ target: "repository", category: "deployments", level: "write" }]],
  scopes: ["public_repo", "repo", "repo_deployment"],
  privateScopes: ["repo", "repo_deployment"]
} as const // literal types

/** Path parameters: a repository and one of its deployments. */
export const deploymentPath = {
  ...repositoryPath,
  deployment_id: Schema.Int.annotate({ description: "Id of the deployment." })
}

const filter = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

/** Endpoints of deployments. */
export class Deployments extends Group.make("deployments", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/deployments", {
    params: repositoryPath,
    query: {
      sha: filter("Only deployments of this commit."),
      ref: filter("Only deployments of this branch, tag or commit."),
      task: filter("Only deployments of this task, for example `deploy`."),
      environment: filter("Only deployments to this environment."),
      ...pageQuery
    },
    success: Paged(Schema.Array(Deployment)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-deployments",
      summary: "List deployments",
      description: "The newest first.",
      ...readsDeployments,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/deployments", {
    params: repositoryPath,
    payload: Schema.Struct({
      ref: Schema.String.annotate({ description: "Branch, tag or commit to deploy." }),
      task: Schema.optionalKey(Schema.String.annotate({ description: "What to do, `deploy` by default." })),
      auto_merge: Schema.optionalKey(
        Schema.Boolean.annotate({
          description: "Merges the default branch into a branch that is behind, instead of deploying; true by default."
        })
      ),
      required_contexts: Schema.optionalKey(
        Schema.Array(Schema.String).annotate({
          description: "Statuses and check runs that must have succeeded: all by default, none for `[]`."
        })
      ),
      payload: Schema.optionalKey(Payload.annotate({ description: "Data for the deployment system." })),
      environment: Schema.optionalKey(
        Schema.String.annotate({ description: "Name of the environment, `production` by default." })
      ),
      description: Schema.optionalKey(
        Schema.NullOr(Schema.String).annotate({ description: "Short text of up to 140 characters." })
      ),
      transient_environment: Schema.optionalKey(
        Schema.Boolean.annotate({ description: "True if the environment will not exist any more; false by default." })
      ),
      production_environment: Schema.optionalKey(
        Schema.Boolean.annotate({
          description: "True if users use the environment; by default true for `production` only."
        })
      )
    }),
    success: [Deployment.pipe(HttpApiSchema.status(201)), MergedBranch.pipe(HttpApiSchema.status(202))],
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-deployment",
      summary: "Create a deployment",
      words: "deploy, release to production",
      description:
        "A request for the services that deploy, which get the webhook `deployment`. Creates the environment if missing.",
      ...writesDeployments
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/deployments/:deployment_id", {
    params: deploymentPath,
    success: Deployment,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-deployment",
      summary: "Get a deployment",
      ...readsDeployments
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/deployments/:deployment_id", {
    params: deploymentPath,
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-deployment",
      summary: "Delete a deployment",
      description: "Not an active one, unless it is the only one of its environment.",
      ...writesDeployments
    })
  )
]) {}
