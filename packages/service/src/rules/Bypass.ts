/** Whom rules do not bind. */
import type { NewBypassActor } from "@tongs/core/contract/Rulesets"
import { atLeast, type Role } from "../http/Roles.ts"
import type { CollaboratorPermission } from "../storage/Organizations.ts"

/** Who changes something, as bypass actors name them. */
export interface Actor {
  readonly userId: number
  readonly isOrganizationAdmin: boolean
  readonly role: Role
  /** What the account may do as a collaborator, where it is one. */
  readonly collaboration: CollaboratorPermission | undefined
}

/** `exempt`: the rules are not asked. `always`: what they say is written down, and not followed. */
export type Bypass = "exempt" | "always" | undefined

/** The widest bypass that the actor has. One for pull requests does not help whoever changes a reference directly. */
export const of = (actors: ReadonlyArray<NewBypassActor>, actor: Actor): Bypass => {
  const modes = actors.filter((one) => isActor(one, actor)).map(({ bypass_mode = "always" }) => bypass_mode)
  return modes.includes("exempt") ? "exempt" : modes.includes("always") ? "always" : undefined
}

const isActor = ({ actor_id, actor_type }: NewBypassActor, actor: Actor): boolean => {
  switch (actor_type) {
    case "OrganizationAdmin":
      return actor.isOrganizationAdmin
    case "User":
      return actor_id === actor.userId
    case "RepositoryRole":
      return hasRole(actor_id ?? 0, actor)
    // Nobody comes to the API as one of these.
    case "Integration":
    case "Team":
    case "DeployKey":
      return false
  }
}

/** The ids of the roles that every repository has: 1 read, 2 maintain, 3 triage, 4 write, 5 admin. */
const hasRole = (id: number, { collaboration, role }: Actor): boolean => {
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
