/** Environments to which a repository is deployed, with their protection rules. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { administersEnvironments, readsEnvironments } from "../EnvironmentAccess.ts"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { environmentPath, pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, Timestamp } from "../Scalars.ts"
import { Team } from "./Team.ts"
import { UserSummary } from "./User.ts"

/** Kinds of accounts that review deployments. */
export const reviewerTypes = ["User", "Team"] as const // literal types

/** A user or team that reviews deployments to an environment. */
export const EnvironmentReviewer = Schema.Struct({
  type: Schema.optionalKey(openEnum(reviewerTypes)),
  reviewer: Schema.optionalKey(Schema.Union([UserSummary, Team]))
})

/** A protection rule: a wait timer, the required reviewers, or a policy for branches, by its type. */
export const ProtectionRule = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.String,
  type: openEnum(["wait_timer", "required_reviewers", "branch_policy"]),
  /** In minutes. */
  wait_timer: Schema.optionalKey(Schema.Int),
  prevent_self_review: Schema.optionalKey(Schema.Boolean),
  reviewers: Schema.optionalKey(Schema.Array(EnvironmentReviewer))
}).annotate({ identifier: "ProtectionRule" })
export type ProtectionRule = typeof ProtectionRule.Type

/** Which branches may be deployed: one of both members is true. */
const BranchPolicy = Schema.Struct({
  protected_branches: Schema.Boolean.annotate({ description: "Only branches with protection rules." }),
  custom_branch_policies: Schema.Boolean.annotate({ description: "Only branches and tags of the branch policies." })
})

/** An environment. */
export const Environment = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.String,
  name: Schema.String,
  url: Schema.String,
  html_url: Schema.String,
  created_at: Timestamp,
  updated_at: Timestamp,
  protection_rules: Schema.optionalKey(Schema.Array(ProtectionRule)),
  /** Null if all branches may be deployed. */
  deployment_branch_policy: Schema.optionalKey(Schema.NullOr(BranchPolicy))
}).annotate({
  identifier: "Environment",
  ...Presentation.of({
    columns: { NAME: "name", RULES: "protection_rules.type", UPDATED: "updated_at" },
    arguments: { environment_name: "name", environment: "name" }
  })
})
export type Environment = typeof Environment.Type

const EnvironmentList = Schema.Struct({
  total_count: Schema.optionalKey(Schema.Int),
  environments: Schema.Array(Environment)
}).annotate({ identifier: "EnvironmentList" })

/** The settings of an environment. */
const settings = {
  wait_timer: Schema.optionalKey(
    Schema.Int.annotate({ description: "Minutes that a deployment waits: 0 to 43,200 (30 days)." })
  ),
  prevent_self_review: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "True if the author of a deployment cannot review it." })
  ),
  reviewers: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(
        Schema.Struct({
          type: Schema.optionalKey(Schema.Literals(reviewerTypes)),
          id: Schema.optionalKey(Schema.Int.annotate({ description: "Id of the user or team." }))
        })
      )
    ).annotate({ description: "Up to six users and teams, of which one has to approve." })
  ),
  deployment_branch_policy: Schema.optionalKey(
    Schema.NullOr(BranchPolicy).annotate({ description: "Null if all branches may be deployed." })
  )
}

/** Endpoints of environments. */
export class Environments extends Group.make("environments", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/environments", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(EnvironmentList),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-all-environments",
      summary: "List environments",
      ...readsEnvironments,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/environments/:environment_name", {
    params: environmentPath,
    success: Environment,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-environment",
      summary: "Get an environment",
      ...readsEnvironments
    })
  ),
  HttpApiEndpoint.put("createOrUpdate", "/repos/:owner/:repo/environments/:environment_name", {
    params: environmentPath,
    payload: Schema.Struct(settings),
    success: Environment,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-or-update-environment",
      summary: "Create or update an environment",
      words: "new environment, protection rules, reviewers, wait timer",
      description: "Replaces all settings: those left out become the defaults.",
      command: "set",
      // The environment shows its settings as rules.
      reversible: false,
      ...administersEnvironments
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/environments/:environment_name", {
    params: environmentPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-an-environment",
      summary: "Delete an environment",
      words: "remove environment",
      description: "Deletes its secrets, variables and rules. Its deployments stay.",
      ...administersEnvironments
    })
  )
]) {}
