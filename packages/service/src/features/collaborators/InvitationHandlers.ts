import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { RepositoryInvitations } from "@tongs/core/contract/groups/RepositoryInvitations"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RequestContext } from "../../api/RequestContext.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as CollaboratorChanges from "./CollaboratorChanges.ts"
import * as CollaboratorShapes from "./CollaboratorShapes.ts"
import { type InvitationRow, InvitationRows } from "./InvitationRows.ts"

/** Handlers of invitations to repositories. */
export const make = Effect.gen(function* () {
  const changes = yield* CollaboratorChanges.make
  const organizations = yield* OrganizationRows
  const registry = yield* RepositoryRegistry
  const rows = yield* InvitationRows
  const transaction = yield* Transaction.make

  const shape = Effect.fnUntraced(function* (
    row: InvitationRow,
    repository: ServedRepository,
    { urls }: Pick<RequestContext, "urls">
  ) {
    return CollaboratorShapes.invitation(row, repository, urls, yield* Clock.currentTimeMillis)
  })

  const ofRepository = Effect.fnUntraced(function* (id: number, { row }: ServedRepository) {
    const found = yield* rows.find(id)
    return found?.repository_id === row.id ? found : yield* ApiError.notFound()
  })

  const ofCaller = Effect.fnUntraced(function* (id: number, user: UserRow) {
    const found = yield* rows.find(id)
    return found?.invitee.id === user.id ? found : yield* ApiError.notFound()
  })

  /** Opens the repositories of invitations, by id. */
  const repositories = Effect.fnUntraced(function* (invitations: ReadonlyArray<InvitationRow>) {
    const ids = new Set(invitations.map(({ repository_id }) => repository_id))
    const served = yield* registry.open((yield* registry.list).filter(({ id }) => ids.has(id)))
    return new Map(served.map((repository) => [repository.row.id, repository]))
  })

  return group(RepositoryInvitations)({
    *list(_, context) {
      const { items, total } = yield* rows.ofRepository(context.repository.row.id, context.page)
      return { items: yield* Effect.forEach(items, (row) => shape(row, context.repository, context)), total }
    },

    *update({ invitation_id, permissions }, context) {
      const { id, permission } = yield* ofRepository(invitation_id, context.repository)
      yield* rows.setPermission(id, permissions ?? permission)
      return yield* shape(yield* ofRepository(id, context.repository), context.repository, context)
    },

    *delete({ invitation_id }, { repository }) {
      yield* rows.remove((yield* ofRepository(invitation_id, repository)).id)
    },

    *listForAuthenticatedUser(_, context) {
      const after = CollaboratorShapes.expiredUntil(yield* Clock.currentTimeMillis)
      const { items, total } = yield* rows.ofInvitee(context.caller.user.id, after, context.page)
      const served = yield* repositories(items)
      const shown = yield* Effect.forEach(items, (row) => {
        const repository = served.get(row.repository_id)
        return repository === undefined ? Effect.undefined : shape(row, repository, context)
      })
      return { items: shown.filter((one) => one !== undefined), total }
    },

    *accept({ invitation_id }, context) {
      yield* transaction(
        Effect.gen(function* () {
          const row = yield* ofCaller(invitation_id, context.caller.user)
          if (row.created_at <= CollaboratorShapes.expiredUntil(yield* Clock.currentTimeMillis))
            return yield* ApiError.conflict("The invitation has expired. Ask for a new one")
          const repository = (yield* repositories([row])).get(row.repository_id) ?? (yield* ApiError.notFound())
          const { user } = context.caller
          yield* rows.remove(row.id)
          const before = yield* organizations.collaboration(row.repository_id, user.id)
          yield* changes.give({ actor: user, repository }, user, row.permission, before)
        })
      )
    },

    *decline({ invitation_id }, context) {
      yield* rows.remove((yield* ofCaller(invitation_id, context.caller.user)).id)
    }
  })
})
