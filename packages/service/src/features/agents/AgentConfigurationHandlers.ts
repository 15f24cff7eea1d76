import * as Effect from "effect/Effect"
import { AgentConfiguration, AgentConfigurations } from "@tongs/core/contract/groups/AgentConfiguration"
import { group } from "../../api/Handlers.ts"
import { SettingRows } from "../../accounts/SettingRows.ts"

/** Name of the repository setting with the configuration. */
export const SETTING_NAME = "agentConfiguration"

/** Configuration of a repository without a stored configuration. */
export const defaultConfiguration: AgentConfiguration = {
  mcp_configuration: null,
  enabled_tools: {
    code_analysis: true,
    assistant_code_review: true,
    secret_scanning: true,
    dependency_vulnerability_checks: true
  },
  require_actions_workflow_approval: true,
  is_firewall_enabled: true,
  is_firewall_recommended_allowlist_enabled: true,
  custom_allowlist: [],
  is_automations_enabled: true,
  require_write_access_for_automation_triggers: true
}

export const make = Effect.gen(function* () {
  const settings = yield* SettingRows
  return group(AgentConfigurations)({
    *get(_, { repository }) {
      const subject = { kind: "repository", id: repository.row.id } as const
      return (yield* settings.get(subject, SETTING_NAME, AgentConfiguration)) ?? defaultConfiguration
    }
  })
})
