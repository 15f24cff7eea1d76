import * as Effect from "effect/Effect"
import { ImmutableReleases } from "@tongs/core/contract/groups/ImmutableReleases"
import { Roles } from "../../access/Roles.ts"
import type { OrganizationRow } from "../../accounts/OrganizationRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import { readSummaries } from "../../api/RepositorySummaries.ts"
import * as Paging from "../../base/Paging.ts"
import * as ImmutableReleasePolicy from "../../releases/ImmutableReleasePolicy.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import * as Transaction from "../../storage/Transaction.ts"

/** Maximum number of selected repositories. */
const MAX_SELECTED = 10_000

const enforced = ApiError.conflict("Immutable releases are enforced by the organization")

const notSelected = ApiError.conflict("The policy of the organization must be `selected`")

/** Handlers of immutable releases. */
export const make = Effect.gen(function* () {
  const policies = yield* ImmutableReleasePolicy.make
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const transaction = yield* Transaction.make

  /** Returns the ids without repeats. Fails unless all are repositories of the organization. */
  const checkIds = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, { id }: OrganizationRow) {
    const unique = [...new Set(ids)]
    const found = unique.length > MAX_SELECTED ? [] : yield* registry.byIds(unique)
    if (found.length < unique.length || found.some(({ owner }) => owner.id !== id)) {
      return yield* ApiError.invalid("Validation Failed", [
        { resource: "ImmutableReleases", field: "selected_repository_ids", code: "invalid" }
      ])
    }
    return unique
  })

  /** Changes the selection. Fails with 409 while another policy applies. */
  const select = (organization: OrganizationRow, change: (selected: ReadonlyArray<number>) => ReadonlyArray<number>) =>
    transaction(
      Effect.gen(function* () {
        const policy = yield* policies.policy(organization.id)
        if (policy.enforced_repositories !== "selected") return yield* notSelected
        yield* policies.setPolicy(organization.id, { ...policy, selected: change(policy.selected) })
      })
    )

  const findOwned = Effect.fnUntraced(function* (id: number, organization: OrganizationRow) {
    const [row] = yield* registry.byIds([id])
    return row?.owner.id === organization.id ? row : yield* ApiError.notFound()
  })

  return group(ImmutableReleases)({
    *check(_, { repository: { row } }) {
      const isEnforced = yield* policies.isEnforced(row)
      if (!isEnforced && !(yield* policies.isEnabled(row))) return yield* ApiError.notFound()
      return { enabled: true, enforced_by_owner: isEnforced }
    },
    *enable(_, { repository: { row } }) {
      if (yield* policies.isEnforced(row)) return yield* enforced
      yield* policies.enable(row, true)
    },
    *disable(_, { repository: { row } }) {
      if (yield* policies.isEnforced(row)) return yield* enforced
      yield* policies.enable(row, false)
    },

    *getPolicy(_, { organization, urls }) {
      const { enforced_repositories: which } = yield* policies.policy(organization.id)
      const url = `${urls.api}/orgs/${organization.login}/settings/immutable-releases/repositories`
      return { enforced_repositories: which, ...(which === "selected" ? { selected_repositories_url: url } : {}) }
    },
    *setPolicy({ enforced_repositories: which, selected_repository_ids: ids }, { organization }) {
      if (ids !== undefined && which !== "selected") {
        return yield* ApiError.invalid("Validation Failed", [
          { resource: "ImmutableReleases", field: "selected_repository_ids", code: "invalid" }
        ])
      }
      const given = ids === undefined ? undefined : yield* checkIds(ids, organization)
      yield* transaction(
        Effect.gen(function* () {
          const { selected } = yield* policies.policy(organization.id)
          yield* policies.setPolicy(organization.id, { enforced_repositories: which, selected: given ?? selected })
        })
      )
    },
    *listSelected(_, { caller, organization, page, urls }) {
      const { selected } = yield* policies.policy(organization.id)
      const owned = (yield* registry.byIds(selected)).filter(({ owner }) => owner.id === organization.id)
      const { items, total } = Paging.slice(owned, page)
      const opened = yield* registry.open(items)
      const summaries = yield* readSummaries(opened, (row) => roles.onRepository(caller, row), urls)
      return {
        items: summaries.map(({ make }) => make()),
        total,
        wrap: (repositories: ReadonlyArray<unknown>) => ({ total_count: owned.length, repositories })
      }
    },
    *setSelected({ selected_repository_ids: ids }, { organization }) {
      const unique = yield* checkIds(ids, organization)
      yield* select(organization, () => unique)
    },
    *addSelected({ repository_id }, { organization }) {
      const { id } = yield* findOwned(repository_id, organization)
      yield* select(organization, (selected) => [...new Set([...selected, id])])
    },
    *removeSelected({ repository_id }, { organization }) {
      const { id } = yield* findOwned(repository_id, organization)
      yield* select(organization, (selected) => selected.filter((one) => one !== id))
    }
  })
})
