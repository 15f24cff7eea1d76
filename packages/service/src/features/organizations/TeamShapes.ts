/** Maps teams to resources of the contract. */
import type { Team, TeamFull } from "@tongs/core/contract/groups/Team"
import type { TeamMembership } from "@tongs/core/contract/groups/TeamMembers"
import type { CollaboratorPermission } from "../../accounts/OrganizationRows.ts"
import type { TeamRow } from "../../accounts/TeamRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"
import { parseTimestamp } from "../../base/Time.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as OrganizationShapes from "./OrganizationShapes.ts"
import type { TeamRole } from "./TeamMemberRows.ts"
import type { TeamDetails } from "./TeamRepositoryRows.ts"

/** The names of permissions in teams, which GitHub named before the roles of repositories. */
const permissionNames = { read: "pull", triage: "triage", write: "push", maintain: "maintain", admin: "admin" } as const // names

/** Creates a team of the list of a repository. */
export const teamOfRepository = (row: TeamRow, permission: CollaboratorPermission, urls: Urls): Team => {
  const { admin, maintain = admin, pull, push, triage = push } = Shapes.permissions(permission)
  return {
    ...Shapes.team(row, urls),
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
  ...Shapes.team(row, urls),
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
): TeamMembership => ({
  url: `${Shapes.teamSummary(row, row.organization, urls).url}/memberships/${login}`,
  role,
  state
})
