/** Workflow policies of an organization. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { conflict, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { organizationPath } from "../Parameters.ts"
import { openEnum } from "../Scalars.ts"

// Literals are for requests, which must have one of the declared values. A response may have other values.
const enabledRepositories = ["all", "none", "selected"] as const
const allowedActions = ["all", "local_only", "selected"] as const
const approvalPolicies = [
  "first_time_contributors_new_to_github",
  "first_time_contributors",
  "all_external_contributors"
] as const

/** Repositories and actions that workflows may use. */
export const WorkflowPermissions = Schema.Struct({
  enabled_repositories: openEnum(enabledRepositories),
  selected_repositories_url: Schema.optionalKey(Schema.String),
  allowed_actions: Schema.optionalKey(openEnum(allowedActions)),
  selected_actions_url: Schema.optionalKey(Schema.String),
  /** Actions must be pinned to a full-length commit id. */
  sha_pinning_required: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "WorkflowPermissions" })
export type WorkflowPermissions = typeof WorkflowPermissions.Type

/** Retention period of artifacts and logs, in days. */
export const Retention = Schema.Struct({ days: Schema.Int, maximum_allowed_days: Schema.Int }).annotate({
  identifier: "WorkflowRetention"
})

/** The contributors whose pull requests from forks need an approval to run workflows. */
export const ForkApproval = Schema.Struct({ approval_policy: openEnum(approvalPolicies) }).annotate({
  identifier: "ForkApproval"
})

/** Permissions of workflows in pull requests from forks of private repositories. */
export const PrivateForkWorkflows = Schema.Struct({
  run_workflows_from_fork_pull_requests: Schema.Boolean.annotate({
    description: "Run workflows of pull requests from forks."
  }),
  send_write_tokens_to_workflows: Schema.Boolean.annotate({
    description: "Give these workflows tokens that can write."
  }),
  send_secrets_and_variables: Schema.Boolean.annotate({ description: "Give these workflows secrets and variables." }),
  require_approval_for_fork_pr_workflows: Schema.Boolean.annotate({
    description: "Wait for an approval before they run."
  })
}).annotate({ identifier: "PrivateForkWorkflows" })

const administration = (level: "read" | "write") =>
  ({
    permission: [
      [{ target: "organization", category: "administration", level }],
      [{ target: "organization", category: "actions_policies", level }]
    ],
    scopes: ["admin:org"],
    access: "administer"
  }) as const
const reads = administration("read")
const writes = administration("write")

const PERMISSIONS = "/orgs/:org/actions/permissions"

/** Endpoints of workflow policies. */
export class WorkflowPolicies extends Group.make("workflowPolicies", () => [
  HttpApiEndpoint.get("getPermissions", PERMISSIONS, {
    params: organizationPath,
    success: WorkflowPermissions,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-github-actions-permissions-organization",
      summary: "Get the permissions for workflows",
      words: "actions permissions",
      ...reads
    })
  ),
  HttpApiEndpoint.put("setPermissions", PERMISSIONS, {
    params: organizationPath,
    payload: Schema.Struct({
      enabled_repositories: Schema.Literals(enabledRepositories).annotate({
        description: "Repositories whose workflows may run."
      }),
      allowed_actions: Schema.optionalKey(
        Schema.Literals(allowedActions).annotate({
          description: "Actions that workflows may use; local_only are those of the organization."
        })
      ),
      sha_pinning_required: Schema.optionalKey(
        Schema.Boolean.annotate({ description: "Actions must be pinned to a full-length commit id." })
      )
    }),
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/set-github-actions-permissions-organization",
      summary: "Set the permissions for workflows",
      words: "actions permissions",
      ...writes,
      exposure: {
        gives: "access",
        consequence:
          "Workflows of {enabled_repositories|some} repositories of the organization may run, with the tokens and secrets of their repository; allowed actions: {allowed_actions|unchanged}.",
        when: {
          values: {
            enabled_repositories: ["all", "selected"]
          }
        }
      }
    })
  ),
  HttpApiEndpoint.get("getArtifactAndLogRetention", `${PERMISSIONS}/artifact-and-log-retention`, {
    params: organizationPath,
    success: Retention,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-artifact-and-log-retention-settings-organization",
      summary: "Get the retention of artifacts and logs",
      command: "get-retention",
      ...reads
    })
  ),
  HttpApiEndpoint.put("setArtifactAndLogRetention", `${PERMISSIONS}/artifact-and-log-retention`, {
    params: organizationPath,
    payload: Schema.Struct({
      days: Schema.Int.annotate({ description: "How long artifacts and logs are kept, in days." })
    }),
    success: HttpApiSchema.NoContent,
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/set-artifact-and-log-retention-settings-organization",
      summary: "Set the retention of artifacts and logs",
      command: "set-retention",
      ...writes
    })
  ),
  HttpApiEndpoint.get("getForkPrContributorApproval", `${PERMISSIONS}/fork-pr-contributor-approval`, {
    params: organizationPath,
    success: ForkApproval,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-fork-pr-contributor-approval-permissions-organization",
      summary: "Get the approval policy for fork pull requests",
      command: "get-fork-approval",
      ...reads
    })
  ),
  HttpApiEndpoint.put("setForkPrContributorApproval", `${PERMISSIONS}/fork-pr-contributor-approval`, {
    params: organizationPath,
    payload: Schema.Struct({
      approval_policy: Schema.Literals(approvalPolicies).annotate({
        description: "Whose pull requests from forks need an approval to run workflows."
      })
    }),
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/set-fork-pr-contributor-approval-permissions-organization",
      summary: "Set the approval policy for fork pull requests",
      command: "set-fork-approval",
      ...writes,
      exposure: {
        gives: "access",
        consequence:
          "Only these people need approval before workflows run for their pull requests from forks: {approval_policy|some}.",
        when: {
          values: { approval_policy: ["first_time_contributors_new_to_github", "first_time_contributors"] }
        }
      }
    })
  ),
  HttpApiEndpoint.get("getPrivateRepoForkPrWorkflows", `${PERMISSIONS}/fork-pr-workflows-private-repos`, {
    params: organizationPath,
    success: PrivateForkWorkflows,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-private-repo-fork-pr-workflows-settings-organization",
      summary: "Get the settings for workflows of private forks",
      command: "get-private-fork-workflows",
      ...reads
    })
  ),
  HttpApiEndpoint.put("setPrivateRepoForkPrWorkflows", `${PERMISSIONS}/fork-pr-workflows-private-repos`, {
    params: organizationPath,
    payload: Schema.Struct({
      run_workflows_from_fork_pull_requests: Schema.Boolean.annotate({
        description: "Run workflows of pull requests from forks."
      }),
      send_write_tokens_to_workflows: Schema.optionalKey(
        Schema.Boolean.annotate({ description: "Give these workflows tokens that can write." })
      ),
      send_secrets_and_variables: Schema.optionalKey(
        Schema.Boolean.annotate({ description: "Give these workflows secrets and variables." })
      ),
      require_approval_for_fork_pr_workflows: Schema.optionalKey(
        Schema.Boolean.annotate({ description: "Wait for an approval before they run." })
      )
    }),
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/set-private-repo-fork-pr-workflows-settings-organization",
      summary: "Set the settings for workflows of private forks",
      command: "set-private-fork-workflows",
      ...writes,
      exposure: {
        gives: "access",
        consequence:
          "Anyone who can fork a private repository of the organization may run workflows in it through a pull request, with the tokens, secrets and variables that this call allows.",
        when: {
          values: {
            run_workflows_from_fork_pull_requests: [true],
            send_write_tokens_to_workflows: [true],
            send_secrets_and_variables: [true],
            require_approval_for_fork_pr_workflows: [false]
          }
        }
      }
    })
  )
]) {}
