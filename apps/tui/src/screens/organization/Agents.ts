/** The cloud agents in the repositories of an organization, and the configuration of each agent. */
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { AgentConfiguration } from "@tongs/core/contract/groups/AgentConfiguration"
import type { MinimalRepository } from "@tongs/core/contract/groups/Repository"
import * as Document from "../../content/Document.ts"
import type { DocumentLine } from "../../content/Document.ts"
import * as Route from "../../content/Route.ts"
import * as PagedSource from "../../content/PagedSource.ts"
import * as Source from "../../content/Source.ts"
import type { TableDefinition } from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import { blank, type Fact, fact, heading } from "./Heading.ts"

const onOff = (name: string, isOn: boolean): Fact => ({
  name,
  value: isOn ? "on" : "off",
  role: isOn ? "success" : "muted"
})

const guard = (name: string, isOn: boolean): Fact => ({
  name,
  value: isOn ? "on" : "off",
  role: isOn ? "success" : "warning"
})

/** Creates the document of the cloud agent of a repository. */
export const document = (name: string, self: AgentConfiguration): Document.Document =>
  Document.make(
    name,
    (columns) => {
      const tools = self.enabled_tools
      const write = self.require_write_access_for_automation_triggers
      const section = (title: string, facts: ReadonlyArray<Fact>): ReadonlyArray<DocumentLine> => [
        blank,
        heading(title),
        ...facts.flatMap((one) => fact(one, columns))
      ]
      return Document.fromLines([
        ...StyledLine.wrap(`Cloud agent of ${name}`, columns).map((part) => ({ line: StyledLine.line(part, "title") })),
        ...section("Tools", [
          onOff("code analysis", tools.code_analysis),
          onOff("code review", tools.assistant_code_review),
          onOff("secret scanning", tools.secret_scanning),
          onOff("dependency checks", tools.dependency_vulnerability_checks)
        ]),
        ...section("Limits", [
          guard("firewall", self.is_firewall_enabled),
          onOff("recommended hosts", self.is_firewall_recommended_allowlist_enabled),
          guard("workflows need approval", self.require_actions_workflow_approval),
          ...(self.is_automations_enabled === undefined ? [] : [onOff("automations", self.is_automations_enabled)]),
          ...(write === undefined ? [] : [guard("triggers need write access", write)])
        ]),
        ...section(
          self.custom_allowlist.length === 0 ? "No further allowed hosts" : "Further allowed hosts",
          self.custom_allowlist.map((host) => ({ name: "", value: host }))
        ),
        blank,
        heading(self.mcp_configuration === null ? "No MCP servers" : "MCP servers"),
        ...(self.mcp_configuration === null
          ? []
          : StyledLine.wrap(JSON.stringify(self.mcp_configuration, null, 2), columns).map((part) => ({
              line: StyledLine.line(part)
            })))
      ])
    },
    { value: self }
  )

const configuration: Screen = {
  id: "agentConfigurations.get",
  label: "agent",
  get entry() {
    return entriesOfGroup("agentConfigurations").find(({ name }) => name === "get")
  },
  required: ["owner", "repo"],
  title: () => "agent",
  open: (environment, values) => {
    const [owner, repo] = [text(values, "owner"), text(values, "repo")]
    return Source.fromEffect(
      environment,
      (forge, options) => forge.agentConfigurations.get({ owner, repo }, options),
      (found) => document(`${owner}/${repo}`, found)
    )
  }
}

const table: TableDefinition<MinimalRepository> = {
  columns: [
    { header: "REPOSITORY", size: "fit", maxShare: 0.5 },
    { header: "DESCRIPTION", size: "grow" }
  ],
  noun: ["repository", "repositories"],
  hasHeader: true,
  emptyMessage: { title: "No repositories", hint: "Cloud agents work in repositories" },
  row: (item) => {
    const values = { owner: item.owner.login, repo: item.name }
    return {
      id: item.full_name,
      title: item.full_name,
      copy: item.full_name,
      webUrl: item.html_url,
      route: Route.make(configuration.id, values),
      arguments: values,
      value: item,
      cells: () => [StyledLine.line(item.full_name, "strong"), StyledLine.line(item.description ?? "", "muted")]
    }
  }
}

/** The repositories of an organization, each of which opens the configuration of the repository's agent. */
const agents: Screen = {
  id: "agents",
  label: "agents",
  required: ["org"],
  title: () => "agents",
  open: (environment, values) =>
    PagedSource.make(environment, {
      definition: table,
      fetch: (forge, { cursor: _cursor, ...request }) =>
        forge.repositories.listForOrg({ org: text(values, "org") }, request).first,
      isNumbered: true,
      perPage: 50
    })
}

/** The screens of cloud agents. */
export const screens: ReadonlyArray<Screen> = [agents, configuration]
