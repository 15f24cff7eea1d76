/** Changes of the collaborators of a repository, with what follows: webhooks, events, and lost assignments. */
import * as Effect from "effect/Effect"
import { type CollaboratorPermission, OrganizationRows } from "../../accounts/OrganizationRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import { PublicUrl } from "../../api/PublicUrl.ts"
import * as Shapes from "../../api/Shapes.ts"
import { Events } from "../../events/Events.ts"
import type { EventContext } from "../../events/NewEvent.ts"
import * as LostAssignments from "../../issues/LostAssignments.ts"
import { CollaboratorRows } from "./CollaboratorRows.ts"
import { InvitationRows } from "./InvitationRows.ts"

export const make = Effect.gen(function* () {
  const collaborators = yield* CollaboratorRows
  const events = yield* Events
  const invitations = yield* InvitationRows
  const lost = yield* LostAssignments.make
  const organizations = yield* OrganizationRows
  const publicUrl = yield* PublicUrl

  const member = (user: UserRow) => Effect.map(publicUrl.urls, (urls) => Shapes.userSummary(user, urls))

  return {
    /** Gives an account a role, `before` being its present one. */
    give: Effect.fnUntraced(function* (
      at: EventContext,
      user: UserRow,
      permission: CollaboratorPermission,
      before: CollaboratorPermission | undefined
    ) {
      if (before === permission) return
      yield* organizations.setCollaboration(at.repository.row.id, user.id, permission)
      const role = { ...(before === undefined ? {} : { from: before }), to: permission }
      const changed = { member: yield* member(user), changes: { permission: role, role_name: role } }
      yield* before === undefined
        ? events.record({ ...at, type: "MemberEvent", payload: { action: "added", ...changed } })
        : events.announce({ ...at, event: "member", action: "edited", payload: changed })
    }),

    /** Removes the role of an account, and the invitations that it got or made. */
    remove: Effect.fnUntraced(function* (at: EventContext, user: UserRow) {
      const { id } = at.repository.row
      yield* invitations.removeOf(id, user.id)
      if ((yield* organizations.collaboration(id, user.id)) === undefined) return
      yield* collaborators.remove(id, user.id)
      yield* lost.inRepository(at, [user])
      const payload = { member: yield* member(user) }
      yield* events.announce({ ...at, event: "member", action: "removed", payload })
    })
  }
})
