/** Fixtures of agent configurations. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AgentConfiguration } from "@tongs/core/contract/groups/AgentConfiguration"
import { SettingRows } from "../../accounts/SettingRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { defaultConfiguration, SETTING_NAME } from "./AgentConfigurationHandlers.ts"

const { foldCase, identity } = FixtureSection

export const sections = () => [
  FixtureSection.make(
    "agent_configurations",
    Schema.Struct({
      repository: Schema.String,
      mcp_configuration: Schema.optionalKey(AgentConfiguration.fields.mcp_configuration),
      enabled_tools: Schema.optionalKey(AgentConfiguration.fields.enabled_tools),
      require_actions_workflow_approval: Schema.optionalKey(Schema.Boolean),
      is_firewall_enabled: Schema.optionalKey(Schema.Boolean),
      is_firewall_recommended_allowlist_enabled: Schema.optionalKey(Schema.Boolean),
      custom_allowlist: Schema.optionalKey(Schema.Array(Schema.String))
    }),
    ({ repository }) => [identity("repository", foldCase(repository))],
    Effect.fnUntraced(function* ({ repository, ...configuration }) {
      const { id } = yield* FixtureSection.repository("repository", repository)
      yield* (yield* SettingRows).set({ kind: "repository", id }, SETTING_NAME, {
        ...defaultConfiguration,
        ...configuration
      })
    })
  )
]
