/** Maps teams to resources of the contract. */
import type { Team, TeamFull, TeamSummary } from "@tongs/core/contract/groups/Team"
import type { TeamMembership } from "@tongs/core/contract/groups/TeamMembers"
import type { CollaboratorPermission } from "../../accounts/OrganizationRows.ts"
import type { TeamRow } from "../../accounts/TeamRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import { nodeId } from "../../api/NodeId.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"
import { parseTimestamp } from "../../base/Time.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as OrganizationShapes from "./OrganizationShapes.ts"
import type { TeamRole } from "./TeamMemberRows.ts"
import type { TeamDetails } from "./TeamRepositoryRows.ts"

/** The names of permissions in teams, which GitHub named before the roles of repositories. */
const permissionNames = { read: "pull", triage: "triage", write: "push", maintain: "maintain", admin: "admin" } as const // names

type Own = Omit<TeamRow, "organization" | "parent">

const url = (row: Own, organization: string, { api }: Urls) => `${api}/orgs/${organization}/teams/${row.slug}`

const summary = (row: Own, organization: string, urls: Urls): TeamSummary => {
  const own = url(row, organization, urls)
  return {
    id: row.id,
    node_id: nodeId("Team", row.id),
    name: row.name,
    slug: row.slug,
    description: row.description,
    privacy: row.privacy,
    notification_setting: row.notification_setting,
    permission: "pull",
    url: own,
    html_url: `${urls.html}/orgs/${organization}/teams/${row.slug}`,
    members_url: `${own}/members{/member}`,
    repositories_url: `${own}/repos`,
    type: "organization",
    organization_id: row.organization_id
  }
}

/** Creates a team of a list. */
export const team = (row: TeamRow, urls: Urls): Team => ({
  ...summary(row, row.organization, urls),
  parent: row.parent === null ? null : summary(row.parent, row.organization, urls)
})

/** Creates a team of the list of a repository. */
export const teamOfRepository = (row: TeamRow, permission: CollaboratorPermission, urls: Urls): Team => {
  const { admin, maintain = admin, pull, push, triage = push } = Shapes.permissions(permission)
  return {
    ...team(row, urls),
    permission: permissionNames[permission],
    permissions: { admin, maintain, push, triage, pull },
    access_source: "direct"
  }
}

/** Creates the complete resource of a team. `repositories` are all of the forge. */
export const teamFull = (
  row: TeamRow,
  { members, organization, repositories: count }: TeamDetails,
  repositories: ReadonlyArray<RepositoryRow>,
  urls: Urls
): TeamFull => ({
  ...team(row, urls),
  members_count: members,
  repos_count: count,
  created_at: parseTimestamp(row.created_at),
  updated_at: parseTimestamp(row.updated_at),
  organization: OrganizationShapes.organization(organization, repositories, urls)
})

export const membership = (
  row: TeamRow,
  { login }: UserRow,
  role: TeamRole,
  state: "active" | "pending",
  urls: Urls
): TeamMembership => ({ url: `${url(row, row.organization, urls)}/memberships/${login}`, role, state })
