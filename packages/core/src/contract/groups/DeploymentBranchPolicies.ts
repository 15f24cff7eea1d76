/** Name patterns of the branches and tags that may be deployed to an environment. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { administersEnvironments, readsEnvironments } from "../EnvironmentAccess.ts"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { environmentPath, pageQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum } from "../Scalars.ts"

/** Kinds of references that a policy is for. */
export const policyTypes = ["branch", "tag"] as const // literal types

/** A name pattern of branches or tags. */
export const DeploymentBranchPolicy = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.optionalKey(Schema.String),
  /** The pattern, for example `release/*`. */
  name: Schema.String,
  type: Schema.optionalKey(openEnum(policyTypes))
}).annotate({
  identifier: "DeploymentBranchPolicy",
  ...Presentation.of({
    columns: { ID: "id", NAME: "name", TYPE: "type" },
    title: "name",
    arguments: { branch_policy_id: "id" }
  })
})
export type DeploymentBranchPolicy = typeof DeploymentBranchPolicy.Type

const DeploymentBranchPolicyList = Schema.Struct({
  total_count: Schema.Int,
  branch_policies: Schema.Array(DeploymentBranchPolicy)
}).annotate({ identifier: "DeploymentBranchPolicyList" })

const name = Schema.String.annotate({ description: "The pattern, for example `release/*`. `*` matches no slash." })
const policyPath = {
  ...environmentPath,
  branch_policy_id: Schema.Int.annotate({ description: "Id of the branch policy." })
}

const PATH = "/repos/:owner/:repo/environments/:environment_name/deployment-branch-policies"

/** Endpoints of branch policies of environments. */
export class DeploymentBranchPolicies extends Group.make("deploymentBranchPolicies", () => [
  HttpApiEndpoint.get("list", PATH, {
    params: environmentPath,
    query: pageQuery,
    success: Paged(DeploymentBranchPolicyList),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-deployment-branch-policies",
      summary: "List branch policies of an environment",
      ...readsEnvironments,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", PATH, {
    params: environmentPath,
    payload: Schema.Struct({
      name,
      type: Schema.optionalKey(Schema.Literals(policyTypes).annotate({ description: "`branch` by default." }))
    }),
    success: DeploymentBranchPolicy,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-deployment-branch-policy",
      summary: "Create a branch policy of an environment",
      description: "For an environment with custom branch policies. Returns an equal policy if there is one.",
      ...administersEnvironments
    })
  ),
  HttpApiEndpoint.get("get", `${PATH}/:branch_policy_id`, {
    params: policyPath,
    success: DeploymentBranchPolicy,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-deployment-branch-policy",
      summary: "Get a branch policy of an environment",
      ...readsEnvironments
    })
  ),
  HttpApiEndpoint.put("update", `${PATH}/:branch_policy_id`, {
    params: policyPath,
    payload: Schema.Struct({ name }),
    success: DeploymentBranchPolicy,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/update-deployment-branch-policy",
      summary: "Update a branch policy of an environment",
      ...administersEnvironments
    })
  ),
  HttpApiEndpoint.delete("delete", `${PATH}/:branch_policy_id`, {
    params: policyPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-deployment-branch-policy",
      summary: "Delete a branch policy of an environment",
      ...administersEnvironments
    })
  )
]) {}
