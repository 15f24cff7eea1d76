/** Whom rules do not bind. */
import type { NewBypassActor } from "@tongs/core/contract/Rulesets"
import { atLeast, type Role } from "../access/Roles.ts"
import type { CollaboratorPermission } from "../accounts/OrganizationRows.ts"

/** Who changes something, as bypass actors name them. */
export interface RuleActor {
  readonly userId: number
  /** Of an app that acts for itself: it is no account's, whatever its installation may do. */
  readonly appId: number | undefined
  readonly isOrganizationAdmin: boolean
  readonly role: Role
  /** What the account may do as a collaborator, where it is one. */
  readonly collaboration: CollaboratorPermission | undefined
}

/** `exempt`: the rules are not asked. `always`: what they say is written down, and not followed. */
export type Bypass = "exempt" | "always" | undefined

/** The widest bypass that the actor has. One for pull requests does not help whoever changes a reference directly. */
export const bypassOf = (actors: ReadonlyArray<NewBypassActor>, actor: RuleActor): Bypass => {
  const modes = actors.filter((one) => isActor(one, actor)).map(({ bypass_mode = "always" }) => bypass_mode)
  return modes.includes("exempt") ? "exempt" : modes.includes("always") ? "always" : undefined
}

const isActor = ({ actor_id, actor_type }: NewBypassActor, actor: RuleActor): boolean => {
  if (actor.appId !== undefined) return actor_type === "Integration" && actor_id === actor.appId
  switch (actor_type) {
    case "OrganizationAdmin":
      return actor.isOrganizationAdmin
    case "User":
      return actor_id === actor.userId
    case "RepositoryRole":
      return hasRole(actor_id ?? 0, actor)
    // An app is one where it acts for itself; nobody comes to the API as one of the others.
    case "Integration":
    case "Team":
    case "DeployKey":
      return false
  }
}

/** The ids of the roles that every repository has: 1 read, 2 maintain, 3 triage, 4 write, 5 admin. */
const hasRole = (id: number, { collaboration, role }: RuleActor): boolean => {
  switch (id) {
    case 1:
      return atLeast(role, "read")
    case 2:
      return role === "admin" || collaboration === "maintain"
    case 3:
      return atLeast(role, "write") || collaboration === "triage"
    case 4:
      return atLeast(role, "write")
    case 5:
      return role === "admin"
    default:
      return false
  }
}
