/** Fixtures of what organizations and repositories are set to, of projects, and of what was used. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AgentConfiguration } from "@tongs/core/contract/AgentConfiguration"
import { settingName, defaultConfiguration } from "./AgentConfigurationHandlers.ts"
import { UsageRows, Usage } from "../billing/UsageRows.ts"
import { Field, ProjectRows } from "../projects/ProjectRows.ts"
import { SettingRows } from "../../accounts/SettingRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"

const { foldCase, identity } = FixtureSection

/** Reports name a repository with its owner; a row may leave the owner out. */
const ofOwner = (owner: string, { repositoryName }: Usage) =>
  repositoryName === undefined || repositoryName.includes("/") ? {} : { repositoryName: `${owner}/${repositoryName}` }

export const settings = [
  FixtureSection.make(
    "projects",
    Schema.Struct({
      owner: Schema.String,
      number: Schema.Int.check(Schema.isGreaterThan(0)),
      fields: Schema.optionalKey(Schema.Array(Field))
    }),
    ({ number, owner }) => [identity("number", foldCase(owner), number)],
    Effect.fnUntraced(function* ({ fields = [], number, owner }) {
      const account = yield* FixtureSection.user("owner", owner)
      yield* (yield* ProjectRows).ensure(account.id, number, fields)
    })
  ),
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
      yield* (yield* SettingRows).set({ kind: "repository", id }, settingName, {
        ...defaultConfiguration,
        ...configuration
      })
    })
  ),
  FixtureSection.make(
    "billing_usage",
    Schema.Struct({ organization: Schema.String, ...Usage.fields }),
    FixtureSection.wholeRow,
    Effect.fnUntraced(function* ({ organization, ...usage }) {
      const { id, login } = yield* FixtureSection.organization("organization", organization)
      yield* (yield* UsageRows).add(id, { ...usage, ...ofOwner(login, usage) })
    })
  )
]
