/** Changes of teams, with what follows: webhooks, and lost assignments. All run in the transaction of the caller. */
import * as Effect from "effect/Effect"
import type { CollaboratorPermission } from "../../accounts/OrganizationRows.ts"
import { type TeamContent, type TeamRow, TeamRows } from "../../accounts/TeamRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import { PublicUrl } from "../../api/PublicUrl.ts"
import * as Shapes from "../../api/Shapes.ts"
import { Events } from "../../events/Events.ts"
import type { OrganizationEvent } from "../../events/NewEvent.ts"
import * as LostAssignments from "../../issues/LostAssignments.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { TeamMemberRows, type TeamRole } from "./TeamMemberRows.ts"
import { TeamRepositoryRows } from "./TeamRepositoryRows.ts"

/** The acting user and the organization of a change. */
type ChangeContext = Pick<OrganizationEvent, "actor" | "organization">

/** Members of a team whose changes webhooks announce. */
const announced = ["name", "description", "privacy", "notification_setting"] as const // literal types

export const make = Effect.gen(function* () {
  const events = yield* Events
  const lost = yield* LostAssignments.make
  const members = yield* TeamMemberRows
  const publicUrl = yield* PublicUrl
  const repositories = yield* TeamRepositoryRows
  const teams = yield* TeamRows

  const announce = Effect.fnUntraced(function* (
    at: ChangeContext,
    team: TeamRow,
    action: string,
    more: Pick<OrganizationEvent, "repository"> & { readonly changes?: object } = {}
  ) {
    const { repository, ...own } = more
    const payload = { team: Shapes.team(team, yield* publicUrl.urls), ...own }
    yield* events.announceInOrganization({
      ...at,
      event: "team",
      action,
      payload,
      ...(repository === undefined ? {} : { repository })
    })
  })

  const announceMember = Effect.fnUntraced(function* (
    at: ChangeContext,
    team: TeamRow,
    user: UserRow,
    action: "added" | "removed"
  ) {
    const urls = yield* publicUrl.urls
    const payload = { scope: "team", member: Shapes.userSummary(user, urls), team: Shapes.team(team, urls) }
    yield* events.announceInOrganization({ ...at, event: "membership", action, payload })
  })

  const unassign = ({ actor, organization }: ChangeContext, users: ReadonlyArray<UserRow>) =>
    lost.ofOwner(actor, organization.id, users)

  return {
    created: (at: ChangeContext, team: TeamRow) => announce(at, team, "created"),

    /** Changes a team. Returns `undefined` if its slug is taken. */
    edit: Effect.fnUntraced(function* (at: ChangeContext, before: TeamRow, content: TeamContent, updatedAt: string) {
      const after = yield* teams.set(before, content, updatedAt)
      if (after === undefined) return undefined
      const changes = Object.fromEntries(
        announced.flatMap((name) => (before[name] === after[name] ? [] : [[name, { from: before[name] ?? "" }]]))
      )
      const hasMoved = before.parent?.id !== after.parent?.id
      if (hasMoved && before.parent !== null) yield* unassign(at, yield* teams.membersOf(after.id))
      if (hasMoved || Object.keys(changes).length > 0) yield* announce(at, after, "edited", { changes })
      return after
    }),

    /** Deletes a team and its child teams, which `withDescendants` returned. */
    remove: Effect.fnUntraced(function* (at: ChangeContext, team: TeamRow, all: ReadonlyArray<TeamRow>) {
      const former = yield* teams.membersOf(team.id)
      yield* teams.remove(team.id)
      yield* unassign(at, former)
      for (const one of all) yield* announce(at, one, "deleted")
    }),

    setMember: Effect.fnUntraced(function* (at: ChangeContext, team: TeamRow, user: UserRow, role: TeamRole) {
      const before = yield* members.find(team, user.id)
      yield* members.set(team.id, user.id, role)
      if (before?.direct !== 1) yield* announceMember(at, team, user, "added")
    }),

    removeMember: Effect.fnUntraced(function* (at: ChangeContext, team: TeamRow, user: UserRow) {
      yield* members.remove(team.id, user.id)
      yield* unassign(at, [user])
      yield* announceMember(at, team, user, "removed")
    }),

    setRepository: Effect.fnUntraced(function* (
      at: ChangeContext,
      team: TeamRow,
      repository: ServedRepository,
      permission: CollaboratorPermission
    ) {
      const before = yield* repositories.own(team.id, repository.row.id)
      if (before === permission) return
      yield* repositories.set(team.id, repository.row.id, permission)
      if (before === undefined) return yield* announce(at, team, "added_to_repository", { repository })
      yield* lost.inRepository({ actor: at.actor, repository }, yield* teams.membersOf(team.id))
      const changes = { repository: { permissions: { from: Shapes.permissions(before) } } }
      yield* announce(at, team, "edited", { repository, changes })
    }),

    removeRepository: Effect.fnUntraced(function* (at: ChangeContext, team: TeamRow, repository: ServedRepository) {
      yield* repositories.remove(team.id, repository.row.id)
      yield* lost.inRepository({ actor: at.actor, repository }, yield* teams.membersOf(team.id))
      yield* announce(at, team, "removed_from_repository", { repository })
    })
  }
})
