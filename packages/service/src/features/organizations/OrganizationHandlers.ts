import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type OrganizationChange, Organizations as Contract } from "@tongs/core/contract/groups/Organizations"
import { type OrganizationRow, OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"
import * as Characters from "../../base/Characters.ts"
import * as Paging from "../../base/Paging.ts"
import { timestamp } from "../../base/Time.ts"
import * as LostAssignments from "../../issues/LostAssignments.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { OrganizationMemberRows } from "./OrganizationMemberRows.ts"
import * as OrganizationShapes from "./OrganizationShapes.ts"

/** Maximum lengths of a description and of other texts, in characters. */
const MAX_DESCRIPTION = 160
const MAX_TEXT = 255

export const make = Effect.gen(function* () {
  const organizations = yield* OrganizationRows
  const lost = yield* LostAssignments.make
  const members = yield* OrganizationMemberRows
  const registry = yield* RepositoryRegistry
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  /** Changes an organization. A lower base permission takes assignments away. */
  const change = Effect.fnUntraced(function* (
    given: OrganizationChange,
    { base_permission, id }: OrganizationRow,
    actor: UserRow
  ) {
    const { default_repository_permission, email, members_can_create_repositories, name } = given
    if (Characters.exceed(given.description ?? "", MAX_DESCRIPTION))
      return yield* ApiError.invalid(`description is longer than ${MAX_DESCRIPTION} characters`)
    if (Object.values(given).some((value) => typeof value === "string" && Characters.exceed(value, MAX_TEXT)))
      return yield* ApiError.invalid(`A text is longer than ${MAX_TEXT} characters`)
    const { blog, company, description, location } = given
    const texts = Object.entries({ blog, company, description, location }).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value === "" ? null : value]]
    )
    const settings = {
      ...Object.fromEntries(texts),
      ...(default_repository_permission === undefined ? {} : { base_permission: default_repository_permission }),
      ...(members_can_create_repositories === undefined
        ? {}
        : { members_can_create_repositories: members_can_create_repositories ? 1 : 0 })
    }
    if (Object.keys(settings).length > 0) yield* organizations.setSettings(id, settings)
    yield* organizations.setProfile(id, { name, email }, timestamp(yield* Clock.currentTimeMillis))
    if (default_repository_permission !== undefined && default_repository_permission !== base_permission)
      yield* lost.ofOwner(actor, id, yield* organizations.members(id))
  })

  const summary = (row: OrganizationRow, urls: Urls) => ({
    ...Shapes.organizationSummary(row, urls),
    description: row.description
  })

  return group(Contract)({
    *listForAuthenticatedUser(_, { caller, page, urls }) {
      const slice = Paging.slice(yield* organizations.ofMember(caller.user.id), page)
      return { ...slice, items: slice.items.map((row) => Shapes.organizationSummary(row, urls)) }
    },

    *get(_, { organization, role, urls }) {
      return OrganizationShapes.organization(organization, yield* registry.list, urls, role)
    },

    *update(given, { caller, organization, role, urls }) {
      yield* transaction(change(given, organization, caller.user))
      const changed = (yield* organizations.byLogin(organization.login)) ?? (yield* ApiError.notFound())
      return OrganizationShapes.organization(changed, yield* registry.list, urls, role)
    },

    *listForUser({ username }, { page, urls }) {
      const user = (yield* users.byLogin(username)) ?? (yield* ApiError.notFound())
      const { items, total } = yield* members.publicOf(user.id, page)
      return { items: items.map((row) => summary(row, urls)), total }
    },

    *listAll({ since = 0 }, { page, urls }) {
      const rows = yield* members.all(since, page.perPage + 1)
      const items = rows.slice(0, page.perPage)
      const last = items.at(-1)
      const next = rows.length > items.length && last !== undefined ? { next: { since: String(last.id) } } : {}
      return { items: items.map((row) => summary(row, urls)), total: next }
    }
  })
})
