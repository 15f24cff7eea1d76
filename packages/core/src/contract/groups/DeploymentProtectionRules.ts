/** Custom protection rules of environments: apps that decide about deployments. */
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

/** An app that can decide about deployments. */
export const CustomRuleApp = Schema.Struct({
  id: Schema.Int,
  slug: Schema.String,
  integration_url: Schema.String,
  node_id: Schema.String
}).annotate({
  identifier: "CustomRuleApp",
  ...Presentation.of({
    columns: { ID: "id", SLUG: "slug" },
    title: "slug",
    inline: true,
    arguments: { integration_id: "id" }
  })
})
export type CustomRuleApp = typeof CustomRuleApp.Type

/** A custom protection rule. */
export const CustomProtectionRule = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.String,
  enabled: Schema.Boolean,
  app: CustomRuleApp
}).annotate({
  identifier: "CustomProtectionRule",
  ...Presentation.of({
    columns: { ID: "id", APP: "app.slug", ENABLED: "enabled" },
    title: "app.slug",
    identity: ["id"],
    arguments: { protection_rule_id: "id" }
  })
})
export type CustomProtectionRule = typeof CustomProtectionRule.Type

const rulePath = {
  ...environmentPath,
  protection_rule_id: Schema.Int.annotate({ description: "Id of the protection rule." })
}

const PATH = "/repos/:owner/:repo/environments/:environment_name/deployment_protection_rules"

/** Endpoints of custom protection rules of environments. */
export class DeploymentProtectionRules extends Group.make("deploymentProtectionRules", () => [
  HttpApiEndpoint.get("list", PATH, {
    params: environmentPath,
    success: Schema.Struct({
      total_count: Schema.optionalKey(Schema.Int),
      custom_deployment_protection_rules: Schema.Array(CustomProtectionRule)
    }).annotate({ identifier: "CustomProtectionRuleList" }),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-all-deployment-protection-rules",
      summary: "List custom protection rules of an environment",
      ...readsEnvironments
    })
  ),
  HttpApiEndpoint.post("create", PATH, {
    params: environmentPath,
    payload: Schema.Struct({
      integration_id: Schema.optionalKey(Schema.Int.annotate({ description: "Id of the app." }))
    }),
    success: CustomProtectionRule.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-deployment-protection-rule",
      summary: "Enable a custom protection rule of an environment",
      command: "enable",
      ...administersEnvironments
    })
  ),
  HttpApiEndpoint.get("listApps", `${PATH}/apps`, {
    params: environmentPath,
    query: pageQuery,
    success: Paged(
      Schema.Struct({
        total_count: Schema.optionalKey(Schema.Int),
        available_custom_deployment_protection_rule_integrations: Schema.Array(CustomRuleApp)
      }).annotate({ identifier: "CustomRuleAppList" })
    ),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-custom-deployment-rule-integrations",
      summary: "List apps that can decide about deployments to an environment",
      command: "apps",
      ...readsEnvironments,
      public: false,
      access: "administer",
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", `${PATH}/:protection_rule_id`, {
    params: rulePath,
    success: CustomProtectionRule,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-custom-deployment-protection-rule",
      summary: "Get a custom protection rule of an environment",
      ...readsEnvironments
    })
  ),
  HttpApiEndpoint.delete("delete", `${PATH}/:protection_rule_id`, {
    params: rulePath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/disable-deployment-protection-rule",
      summary: "Disable a custom protection rule of an environment",
      command: "disable",
      ...administersEnvironments
    })
  )
]) {}
