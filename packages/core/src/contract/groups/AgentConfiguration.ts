/** Settings of the assistant's cloud agent in a repository. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { repositoryPath } from "../Parameters.ts"

/** Tools, firewall and approvals of the assistant's cloud agent. */
export const AgentConfiguration = Schema.Struct({
  mcp_configuration: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  enabled_tools: Schema.Struct({
    code_analysis: Schema.Boolean,
    assistant_code_review: Schema.Boolean,
    secret_scanning: Schema.Boolean,
    dependency_vulnerability_checks: Schema.Boolean
  }),
  require_actions_workflow_approval: Schema.Boolean,
  is_firewall_enabled: Schema.Boolean,
  is_firewall_recommended_allowlist_enabled: Schema.Boolean,
  custom_allowlist: Schema.Array(Schema.String),
  /** The specification lacks the next two members, but forges send both. */
  is_automations_enabled: Schema.optionalKey(Schema.Boolean),
  require_write_access_for_automation_triggers: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "AgentConfiguration" })
export type AgentConfiguration = typeof AgentConfiguration.Type

/** Endpoints of the cloud agent's configuration. */
export class AgentConfigurations extends Group.make("agentConfigurations", () => [
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/assistant/cloud-agent/configuration", {
    params: repositoryPath,
    success: AgentConfiguration,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "copilot/get-copilot-cloud-agent-configuration",
      summary: "Get the configuration of the cloud agent",
      words: "copilot",
      permission: [[{ target: "repository", category: "assistant_agent_settings", level: "read" }]],
      scopes: ["repo"],
      privateScopes: ["repo"],
      preview: true
    })
  )
]) {}
