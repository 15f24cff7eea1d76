/** Changes of the collaborators of a repository, with what follows: webhooks, events, and lost assignments. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { type CollaboratorPermission, OrganizationRows } from "../../accounts/OrganizationRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import { PublicUrl } from "../../api/PublicUrl.ts"
import * as Shapes from "../../api/Shapes.ts"
import { Events } from "../../events/Events.ts"
import type { EventContext } from "../../events/NewEvent.ts"
import { AssigneeRows } from "../../issues/AssigneeRows.ts"
import { IssueRows } from "../../issues/IssueRows.ts"
import { Issues } from "../../issues/Issues.ts"
import { CollaboratorRows } from "./CollaboratorRows.ts"
import { InvitationRows } from "./InvitationRows.ts"

/** Number of issues that one statement reads. */
const batch = { page: 1, perPage: 100, offset: 0 }

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const assignees = yield* AssigneeRows
  const collaborators = yield* CollaboratorRows
  const events = yield* Events
  const invitations = yield* InvitationRows
  const issueRows = yield* IssueRows
  const issues = yield* Issues
  const organizations = yield* OrganizationRows
  const publicUrl = yield* PublicUrl

  const member = (user: UserRow) => Effect.map(publicUrl.urls, (urls) => Shapes.userSummary(user, urls))

  /** Removes an account from the issues of a repository unless it can still be assigned. */
  const unassign = Effect.fnUntraced(function* (at: EventContext, user: UserRow) {
    const { row } = at.repository
    if ((yield* assignees.among(row, [user])).length > 0) return
    const isAssigned = sql`i.repository_id = ${row.id}
      AND i.id IN (SELECT a.issue_id FROM issue_assignees a WHERE a.user_id = ${user.id})`
    for (;;) {
      const { items } = yield* issueRows.page(isAssigned, sql`i.id`, batch)
      if (items.length === 0) return
      for (const issue of items)
        yield* issues.update(at, issue, { assignees: issue.assignees.filter(({ id }) => id !== user.id) })
    }
  })

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
      yield* unassign(at, user)
      const payload = { member: yield* member(user) }
      yield* events.announce({ ...at, event: "member", action: "removed", payload })
    })
  }
})
