/** Maps rulesets and their versions to resources of the contract. */
import type { BranchRule } from "@tongs/core/contract/groups/RepositoryRulesets"
import type { Ruleset, RulesetVersion } from "@tongs/core/contract/groups/Rulesets"
import type { UserRow } from "../../accounts/UserRows.ts"
import { nodeId } from "../../api/NodeId.ts"
import type { Urls } from "../../api/Urls.ts"
import { parseTimestamp } from "../../base/Time.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import type { RulesetContent, RulesetOwner, RulesetRow } from "../../rules/RulesetRows.ts"
import type { RulesetVersionRow } from "../../rules/RulesetVersionRows.ts"

/** The organization or repository of rulesets, with its addresses. */
export interface RulesetSource {
  readonly owner: RulesetOwner
  readonly type: "Organization" | "Repository"
  /** Name of the organization, or full name of the repository. */
  readonly name: string
  /** Paths of the source in the API and in the web interface. */
  readonly path: string
  readonly htmlPath: string
}

export const ofOrganization = ({ id, login }: UserRow): RulesetSource => ({
  owner: { organizationId: id },
  type: "Organization",
  name: login,
  path: `orgs/${login}`,
  htmlPath: `organizations/${login}/settings/rules`
})

export const ofRepository = ({ fullName, row }: ServedRepository): RulesetSource => ({
  owner: { repositoryId: row.id },
  type: "Repository",
  name: fullName,
  path: `repos/${fullName}`,
  htmlPath: `${fullName}/rules`
})

/** Returns the source of a ruleset that applies to a repository: the repository or its organization. */
export const sourceOf = (row: RulesetRow, repository: ServedRepository): RulesetSource =>
  row.repository_id === null ? ofOrganization(repository.row.owner) : ofRepository(repository)

export const summary = (
  row: RulesetRow,
  { htmlPath, name, path, type }: RulesetSource,
  { api, html }: Urls
): Ruleset => ({
  id: row.id,
  name: row.name,
  target: row.target,
  source_type: type,
  source: name,
  enforcement: row.enforcement,
  node_id: nodeId("RepositoryRuleset", row.id),
  _links: {
    self: { href: `${api}/${path}/rulesets/${row.id}` },
    html: { href: `${html}/${htmlPath}/${row.id}` }
  },
  created_at: parseTimestamp(row.created_at),
  updated_at: parseTimestamp(row.updated_at)
})

/** Creates the complete ruleset. Only administrators see the bypass actors. */
export const details = (row: RulesetRow, source: RulesetSource, urls: Urls, isAdministrator: boolean): Ruleset => ({
  ...summary(row, source, urls),
  ...(isAdministrator ? { bypass_actors: row.bypass_actors } : {}),
  conditions: conditionsOf(row),
  rules: row.rules
})

/** Conditions in one of four forms. Validation ensures that the row of an organization selects repositories once. */
const conditionsOf = ({
  conditions
}: Pick<RulesetContent, "conditions">): NonNullable<Ruleset["conditions"]> | null => {
  if (conditions === null) return null
  const { ref_name, repository_id, repository_name, repository_property } = conditions
  const refs = ref_name === undefined ? {} : { ref_name }
  if (repository_name !== undefined) return { ...refs, repository_name }
  if (repository_id !== undefined) return { ...refs, repository_id }
  if (repository_property === undefined) return refs
  const { exclude, include } = repository_property
  return {
    ...refs,
    repository_property: {
      ...(include === undefined ? {} : { include: include.map(withSource) }),
      ...(exclude === undefined ? {} : { exclude: exclude.map(withSource) })
    }
  }
}

const withSource = <P extends object>(property: P) => ({ source: "custom", ...property })

export const version = ({ actor_id, created_at, id }: RulesetVersionRow): RulesetVersion => ({
  version_id: id,
  actor: actor_id === null ? {} : { id: actor_id, type: "User" },
  updated_at: parseTimestamp(created_at)
})

/** The ruleset as it was in a version. */
export const stateOf = (id: number, content: RulesetContent, { name, type }: RulesetSource) => ({
  id,
  name: content.name,
  target: content.target,
  source_type: type,
  source: name,
  enforcement: content.enforcement,
  bypass_actors: content.bypass_actors,
  conditions: conditionsOf(content),
  rules: content.rules
})

/** The rules of a ruleset in the list of a branch. */
export const branchRules = (row: RulesetRow, { name, type }: RulesetSource): ReadonlyArray<BranchRule> =>
  row.rules.map((rule) => ({ ...rule, ruleset_source_type: type, ruleset_source: name, ruleset_id: row.id }))
