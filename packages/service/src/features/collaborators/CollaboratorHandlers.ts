import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Collaborators } from "@tongs/core/contract/groups/Collaborators"
import { atLeast, Roles } from "../../access/Roles.ts"
import { type CollaboratorPermission, OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group, withStatus } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import { timestamp } from "../../base/Time.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { BlockRows } from "../../accounts/BlockRows.ts"
import * as CollaboratorChanges from "./CollaboratorChanges.ts"
import { CollaboratorRows } from "./CollaboratorRows.ts"
import * as CollaboratorShapes from "./CollaboratorShapes.ts"
import { InvitationRows } from "./InvitationRows.ts"

/** Maximum number of invitations to a repository in 24 hours. */
const MAX_DAILY_INVITATIONS = 50
const DAY = 24 * 3_600_000

/** The roles by their names in requests. */
const permissionsByName = {
  pull: "read",
  read: "read",
  triage: "triage",
  push: "write",
  write: "write",
  maintain: "maintain",
  admin: "admin"
} as const satisfies Record<string, CollaboratorPermission>

/** The roles that clients before the roles triage and maintain know. */
const legacy = {
  none: "none",
  read: "read",
  triage: "read",
  write: "write",
  maintain: "write",
  admin: "admin"
} as const // names

const unprocessable = (message: string) =>
  ApiError.invalid(message, [{ resource: "Collaborator", field: "username", code: "unprocessable", message }])

/** Handlers of collaborators. */
export const make = Effect.gen(function* () {
  const blocks = yield* BlockRows
  const collaborators = yield* CollaboratorRows
  const changes = yield* CollaboratorChanges.make
  const invitations = yield* InvitationRows
  const organizations = yield* OrganizationRows
  const roles = yield* Roles
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  const account = Effect.fnUntraced(function* (login: string) {
    return (yield* users.byLogin(login)) ?? (yield* ApiError.notFound())
  })

  /** Finds an account that can be a collaborator: not an organization, nor the owner. */
  const person = Effect.fnUntraced(function* (login: string, { repository }: RepositoryContext) {
    const user = yield* account(login)
    if (user.type !== "User") return yield* unprocessable(`${user.login} is not a user`)
    if (user.id === repository.row.owner.id) return yield* unprocessable("Repository owner cannot be a collaborator")
    return user
  })

  /** Gives an account a role at once if it needs no invitation: a collaborator, or a member of the organization. */
  const giveAtOnce = Effect.fnUntraced(function* (
    user: UserRow,
    permission: CollaboratorPermission,
    { caller, repository }: SignedInRepositoryContext
  ) {
    const { id, owner } = repository.row
    const before = yield* organizations.collaboration(id, user.id)
    const isKnown = before !== undefined || (yield* organizations.role(owner.id, user.id)) !== undefined
    if (isKnown) yield* changes.give({ actor: caller.user, repository }, user, permission, before)
    return isKnown
  })

  const invite = Effect.fnUntraced(function* (
    user: UserRow,
    permission: CollaboratorPermission,
    { caller, repository }: SignedInRepositoryContext
  ) {
    const { id, owner } = repository.row
    const isBlocked =
      (yield* blocks.hasAny([owner.id, caller.user.id], user.id)) ||
      (yield* blocks.has(user.id, owner.id)) ||
      (yield* blocks.has(user.id, caller.user.id))
    if (isBlocked) return yield* unprocessable(`${user.login} cannot be invited`)
    const now = yield* Clock.currentTimeMillis
    if ((yield* invitations.countAfter(id, timestamp(now - DAY))) >= MAX_DAILY_INVITATIONS)
      return yield* unprocessable(`At most ${MAX_DAILY_INVITATIONS} people can be invited to a repository in 24 hours`)
    return yield* invitations.add({
      repositoryId: id,
      inviteeId: user.id,
      inviterId: caller.user.id,
      permission,
      createdAt: timestamp(now)
    })
  })

  const describe = Effect.fnUntraced(function* (user: UserRow, { repository, urls }: RepositoryContext) {
    const granted = yield* roles.granted(user, repository.row)
    const role = granted === "none" && repository.row.private === 0 ? "read" : granted
    return { permission: legacy[role], role_name: role, user: CollaboratorShapes.collaborator(user, role, urls) }
  })

  return group(Collaborators)({
    *list({ affiliation = "all", permission }, { page, repository, urls }) {
      const wanted = permission === undefined ? undefined : permissionsByName[permission]
      const { items, total } = yield* collaborators.list(repository.row, { affiliation, permission: wanted }, page)
      return { items: items.map(({ role, user }) => CollaboratorShapes.collaborator(user, role, urls)), total }
    },

    *check({ username }, { repository }) {
      if ((yield* roles.granted(yield* account(username), repository.row)) === "none") return yield* ApiError.notFound()
    },

    *add({ permission: name = "push", username }, context) {
      const user = yield* person(username, context)
      const permission = permissionsByName[name]
      const invitation = yield* transaction(
        Effect.gen(function* () {
          return (yield* giveAtOnce(user, permission, context)) ? undefined : yield* invite(user, permission, context)
        })
      )
      if (invitation === undefined) return undefined
      const { repository, urls } = context
      const now = yield* Clock.currentTimeMillis
      return withStatus(201, CollaboratorShapes.invitation(invitation, repository, urls, now))
    },

    *remove({ username }, context) {
      const { caller, repository, role } = context
      const user = yield* person(username, context)
      if (user.id !== caller.user.id && !atLeast(role, "admin"))
        return yield* ApiError.forbidden("Must have admin rights to Repository.")
      yield* transaction(changes.remove({ actor: caller.user, repository }, user))
    },

    *getPermission({ username }, context) {
      return yield* describe(yield* account(username), context)
    }
  })
})
