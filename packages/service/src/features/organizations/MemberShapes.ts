/** Maps memberships and invitations to resources of the contract. */
import type { OrganizationInvitation } from "@tongs/core/contract/groups/OrganizationInvitations"
import type { OrganizationMembership } from "@tongs/core/contract/groups/OrganizationMemberships"
import type { OrganizationRole, OrganizationRow } from "../../accounts/OrganizationRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import { ghost } from "../../accounts/Ghost.ts"
import { nodeId } from "../../api/NodeId.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"
import { parseTimestamp, timestamp } from "../../base/Time.ts"
import type { OrganizationInvitationRow } from "./OrganizationInvitationRows.ts"

/** Milliseconds after which an invitation expires: seven days. */
const LIFETIME = 7 * 24 * 3_600_000

/** Returns the time (ISO 8601) at or before which invitations were made that have expired at `now`. */
export const expiredUntil = (now: number): string => timestamp(now - LIFETIME)

/** The membership in webhooks, which have the organization beside it. */
export const ownMembership = (
  organization: UserRow,
  user: UserRow,
  role: OrganizationRole,
  state: "active" | "pending",
  urls: Urls
) => ({
  url: `${urls.api}/orgs/${organization.login}/memberships/${user.login}`,
  state,
  role: role === "owner" ? ("admin" as const) : ("member" as const), // literal types
  organization_url: `${urls.api}/orgs/${organization.login}`,
  user: Shapes.userSummary(user, urls)
})

export const membership = (
  organization: OrganizationRow,
  user: UserRow,
  role: OrganizationRole,
  state: "active" | "pending",
  urls: Urls
): OrganizationMembership => ({
  ...ownMembership(organization, user, role, state, urls),
  organization: { ...Shapes.organizationSummary(organization, urls), description: organization.description }
})

export const invitation = (
  row: OrganizationInvitationRow,
  organization: UserRow,
  urls: Urls
): OrganizationInvitation => ({
  id: row.id,
  node_id: nodeId("OrganizationInvitation", row.id),
  login: row.invitee.login,
  email: null,
  role: row.role === "owner" ? "admin" : "direct_member",
  created_at: parseTimestamp(row.created_at),
  failed_at: null,
  failed_reason: null,
  inviter: Shapes.userSummary(row.inviter ?? ghost, urls),
  team_count: row.team_count,
  invitation_teams_url: `${urls.api}/orgs/${organization.login}/invitations/${row.id}/teams`,
  invitation_source: "member"
})
