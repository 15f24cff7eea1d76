/** The team of a request, and what the caller may do with it. */
import * as Effect from "effect/Effect"
import type { Role } from "../../access/Roles.ts"
import type { Caller } from "../../access/Caller.ts"
import type { OrganizationRow } from "../../accounts/OrganizationRows.ts"
import { type TeamRow, TeamRows, type TeamViewer } from "../../accounts/TeamRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { TeamMemberRows } from "./TeamMemberRows.ts"

interface Target {
  readonly caller: Caller
  readonly organization: OrganizationRow
  /** The role of the caller on the organization. */
  readonly role: Role
}

/** Returns which teams of an organization the caller sees, by its role; `undefined` for none. */
export const viewerOf = (caller: Caller, role: Role): TeamViewer | undefined => {
  if (role === "admin") return "owner"
  return role === "write" && caller.kind !== "anonymous" ? { member: caller.user.id } : undefined
}

export const make = Effect.gen(function* () {
  const members = yield* TeamMemberRows
  const teams = yield* TeamRows
  const users = yield* UserRows

  /** True if the caller owns the organization or maintains the team. */
  const maintains = Effect.fnUntraced(function* ({ caller, role }: Omit<Target, "organization">, team: TeamRow) {
    if (role === "admin") return true
    if (role !== "write" || caller.kind === "anonymous") return false
    const membership = yield* members.find(team, caller.user.id)
    return membership?.direct === 1 && membership.role === "maintainer"
  })

  /** Finds a team by id or slug, `undefined` if the caller does not see it. */
  const named = (name: number | string, { caller, organization, role }: Target) => {
    const viewer = viewerOf(caller, role)
    return viewer === undefined ? Effect.undefined : teams.find(organization.id, name, viewer)
  }

  const check = (isAllowed: boolean, detail = "You must be an organization owner or team maintainer.") =>
    isAllowed ? Effect.void : Effect.fail(ApiError.forbidden(detail))

  return {
    maintains,
    check,
    named,
    /** Finds a team that the caller sees. */
    find: (slug: string, target: Target) =>
      Effect.flatMap(named(slug, target), (team) =>
        team === undefined ? Effect.fail(ApiError.notFound()) : Effect.succeed(team)
      ),
    /** Finds an account that can be a member. */
    person: Effect.fnUntraced(function* (login: string) {
      const user = yield* users.byLogin(login)
      return user?.type === "User" ? user : yield* ApiError.notFound()
    })
  }
})
