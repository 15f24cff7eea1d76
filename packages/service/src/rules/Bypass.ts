/** Determines which actors may bypass a ruleset. */
import type { NewBypassActor } from "@tongs/core/contract/groups/Rulesets"
import { atLeast, type Role } from "../access/Roles.ts"

/** The author of a change, with the properties by which bypass actors are matched. */
export interface RuleActor {
  readonly userId: number
  /** Id of an app that acts on its own behalf. This actor matches only as an integration. */
  readonly appId: number | undefined
  readonly isOrganizationAdmin: boolean
  /** Ids of the teams of the actor and of the teams above them. */
  readonly teams: ReadonlySet<number>
  readonly role: Role
}

/** Effect of a bypass: `exempt` skips the rules; `always` records violations of the rules, but allows the change. */
export type Bypass = "exempt" | "always" | undefined

/** Returns the strongest bypass of the actor. Bypasses for pull requests apply only to merges of pull requests. */
export const bypassOf = (actors: ReadonlyArray<NewBypassActor>, actor: RuleActor, isPullRequest: boolean): Bypass => {
  const modes = actors.filter((one) => isActor(one, actor)).map(({ bypass_mode = "always" }) => bypass_mode)
  return modes.includes("exempt")
    ? "exempt"
    : modes.includes("always") || (isPullRequest && modes.includes("pull_request"))
      ? "always"
      : undefined
}

/** True if the actor is one of the actors. */
export const includes = (actors: ReadonlyArray<NewBypassActor>, actor: RuleActor): boolean =>
  actors.some((one) => isActor(one, actor))

const isActor = ({ actor_id, actor_type }: NewBypassActor, actor: RuleActor): boolean => {
  if (actor.appId !== undefined) return actor_type === "Integration" && actor_id === actor.appId
  switch (actor_type) {
    case "OrganizationAdmin":
      return actor.isOrganizationAdmin
    case "User":
      return actor_id === actor.userId
    case "RepositoryRole":
      return hasRole(actor_id ?? 0, actor.role)
    case "Team":
      return actor.teams.has(actor_id ?? 0)
    // Apps are matched before this switch. This forge has no git over SSH, so no deploy key pushes.
    case "Integration":
    case "DeployKey":
      return false
  }
}

/** The built-in repository roles by id on GitHub. */
const roleOfId: ReadonlyMap<number, Role> = new Map([
  [1, "read"],
  [2, "maintain"],
  [3, "triage"],
  [4, "write"],
  [5, "admin"]
])

const hasRole = (id: number, role: Role): boolean => {
  const wanted = roleOfId.get(id)
  return wanted !== undefined && atLeast(role, wanted)
}
