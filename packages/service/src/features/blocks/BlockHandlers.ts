import * as Effect from "effect/Effect"
import { Blocks as Contract } from "@tongs/core/contract/groups/Blocks"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { BlockRows } from "../../accounts/BlockRows.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import type { Urls } from "../../api/Urls.ts"
import type { PageRequest } from "../../base/Paging.ts"
import { StarRows } from "../stars/StarRows.ts"
import { FollowerRows } from "../users/FollowerRows.ts"
import * as Shapes from "../../api/Shapes.ts"
import { SubscriptionRows } from "../../notifications/SubscriptionRows.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as CollaboratorChanges from "../collaborators/CollaboratorChanges.ts"
import { OrganizationInvitationRows } from "../organizations/OrganizationInvitationRows.ts"
import { OrganizationMemberRows } from "../organizations/OrganizationMemberRows.ts"

const cannotBlock = (message: string) =>
  ApiError.invalid(message, [{ resource: "User", field: "username", code: "unprocessable", message }])

export const make = Effect.gen(function* () {
  const blocks = yield* BlockRows
  const collaborators = yield* CollaboratorChanges.make
  const collaborations = yield* OrganizationMemberRows
  const followers = yield* FollowerRows
  const invitations = yield* OrganizationInvitationRows
  const members = yield* OrganizationRows
  const registry = yield* RepositoryRegistry
  const stars = yield* StarRows
  const subscriptions = yield* SubscriptionRows
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  const account = (login: string) =>
    Effect.flatMap(users.byLogin(login), (row) =>
      row === undefined ? Effect.fail(ApiError.notFound()) : Effect.succeed(row)
    )

  const list = Effect.fnUntraced(function* (ownerId: number, page: PageRequest, urls: Urls) {
    const { items, total } = yield* blocks.list(ownerId, page)
    return { items: items.map((row) => Shapes.userSummary(row, urls)), total }
  })

  const check = Effect.fnUntraced(function* (ownerId: number, username: string) {
    const { id } = yield* account(username)
    if (!(yield* blocks.has(ownerId, id))) return yield* ApiError.notFound()
  })

  /** Finds a user who can be blocked. */
  const blockable = Effect.fnUntraced(function* (username: string, self: UserRow) {
    const user = yield* account(username)
    if (user.id === self.id) return yield* cannotBlock("You cannot block yourself")
    if (user.type === "Organization")
      return yield* cannotBlock(`${user.login} is an organization. Only users can be blocked`)
    return user
  })

  /** Removes a user from the repositories of an owner, with the invitations to them that the user got or made. */
  const separate = Effect.fnUntraced(function* (actor: UserRow, ownerId: number, user: UserRow) {
    const ids = yield* collaborations.shared(ownerId, user.id)
    if (ids.size === 0) return
    for (const repository of yield* registry.open((yield* registry.list).filter(({ id }) => ids.has(id))))
      yield* collaborators.remove({ actor, repository }, user)
  })

  /**
   * Blocks a user, who then no longer follows the account, or watches, has starred or collaborates in its repositories.
   */
  const block = Effect.fnUntraced(function* (actor: UserRow, ownerId: number, user: UserRow) {
    const { id } = user
    yield* blocks.add(ownerId, id)
    yield* followers.remove(ownerId, id)
    yield* subscriptions.unwatchOwned(id, ownerId)
    yield* stars.removeOwned(id, ownerId)
    yield* separate(actor, ownerId, user)
    yield* invitations.removeBetween(ownerId, id)
  })

  return group(Contract)({
    *listBlockedByAuthenticatedUser(_, { caller, page, urls }) {
      return yield* list(caller.user.id, page, urls)
    },
    *checkBlocked({ username }, { caller }) {
      yield* check(caller.user.id, username)
    },
    *block({ username }, { caller: { user } }) {
      const blocked = yield* blockable(username, user)
      yield* transaction(
        Effect.gen(function* () {
          yield* block(user, user.id, blocked)
          yield* followers.remove(blocked.id, user.id)
          yield* separate(user, blocked.id, user)
        })
      )
    },
    *unblock({ username }, { caller }) {
      const { id } = yield* account(username)
      yield* blocks.remove(caller.user.id, id)
    },
    *listForOrg(_, { organization, page, urls }) {
      return yield* list(organization.id, page, urls)
    },
    *checkForOrg({ username }, { organization }) {
      yield* check(organization.id, username)
    },
    *blockForOrg({ username }, { caller, organization }) {
      const blocked = yield* blockable(username, caller.user)
      yield* transaction(
        Effect.gen(function* () {
          if ((yield* members.role(organization.id, blocked.id)) !== undefined)
            return yield* cannotBlock(`${blocked.login} is a member of ${organization.login}. Remove the member first`)
          yield* block(caller.user, organization.id, blocked)
        })
      )
    },
    *unblockForOrg({ username }, { organization }) {
      const { id } = yield* account(username)
      yield* blocks.remove(organization.id, id)
    }
  })
})
