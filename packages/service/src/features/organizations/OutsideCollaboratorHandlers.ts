import * as Effect from "effect/Effect"
import { OutsideCollaborators } from "@tongs/core/contract/groups/OutsideCollaborators"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import * as Shapes from "../../api/Shapes.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as CollaboratorChanges from "../collaborators/CollaboratorChanges.ts"
import * as MembershipChanges from "./MembershipChanges.ts"
import { OrganizationMemberRows } from "./OrganizationMemberRows.ts"

/** Handlers of outside collaborators. */
export const make = Effect.gen(function* () {
  const changes = yield* MembershipChanges.make
  const collaborators = yield* CollaboratorChanges.make
  const members = yield* OrganizationMemberRows
  const organizations = yield* OrganizationRows
  const registry = yield* RepositoryRegistry
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  const account = Effect.fnUntraced(function* (login: string) {
    return (yield* users.byLogin(login)) ?? (yield* ApiError.notFound())
  })

  return group(OutsideCollaborators)({
    *list({ filter = "all" }, { organization, page, urls }) {
      // No account of the forge has two-factor authentication, so none has an insecure one.
      if (filter === "2fa_insecure") return { items: [], total: 0 }
      const { items, total } = yield* members.outside(organization.id, page)
      return { items: items.map((row) => Shapes.userSummary(row, urls)), total }
    },

    *convert({ username }, { caller, organization }) {
      const user = yield* account(username)
      const converted = yield* transaction(changes.convert({ actor: caller.user, organization }, user))
      if (!converted)
        return yield* ApiError.forbidden(`${user.login} is not a member of the ${organization.login} organization.`)
    },

    *remove({ username }, { caller, organization }) {
      const user = yield* account(username)
      if ((yield* organizations.role(organization.id, user.id)) !== undefined)
        return yield* ApiError.invalid(
          "You cannot specify an organization member to remove as an outside collaborator."
        )
      yield* transaction(
        Effect.gen(function* () {
          const ids = yield* members.shared(organization.id, user.id)
          for (const repository of yield* registry.open((yield* registry.list).filter(({ id }) => ids.has(id))))
            yield* collaborators.remove({ actor: caller.user, repository }, user)
        })
      )
    }
  })
})
