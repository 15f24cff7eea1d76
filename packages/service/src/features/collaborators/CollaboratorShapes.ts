/** Maps collaborators and invitations to resources of the contract. */
import type { Collaborator } from "@tongs/core/contract/groups/Collaborators"
import type { RepositoryInvitation } from "@tongs/core/contract/groups/RepositoryInvitations"
import type { Role } from "../../access/Roles.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import { nodeId } from "../../api/NodeId.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"
import { parseTimestamp, timestamp } from "../../base/Time.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import type { InvitationRow } from "./InvitationRows.ts"

/** Milliseconds after which an invitation expires: seven days. */
const LIFETIME = 7 * 24 * 3_600_000

/** Returns the time (ISO 8601) at or before which invitations were made that have expired at `now`. */
export const expiredUntil = (now: number): string => timestamp(now - LIFETIME)

export const collaborator = (row: UserRow, role: Role, urls: Urls): Collaborator => ({
  ...Shapes.userSummary(row, urls),
  permissions: Shapes.permissions(role),
  role_name: role
})

export const invitation = (
  row: InvitationRow,
  repository: ServedRepository,
  urls: Urls,
  now: number
): RepositoryInvitation => ({
  id: row.id,
  node_id: nodeId("RepositoryInvitation", row.id),
  repository: Shapes.repositorySummary(repository, urls),
  invitee: Shapes.userSummary(row.invitee, urls),
  inviter: row.inviter === null ? null : Shapes.userSummary(row.inviter, urls),
  permissions: row.permission,
  created_at: parseTimestamp(row.created_at),
  expired: row.created_at <= expiredUntil(now),
  url: `${urls.api}/user/repository_invitations/${row.id}`,
  html_url: `${urls.html}/${repository.fullName}/invitations`
})
