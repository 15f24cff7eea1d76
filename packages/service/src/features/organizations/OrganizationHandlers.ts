import * as Effect from "effect/Effect"
import { type Organization, Organizations as Contract } from "@tongs/core/contract/groups/Organizations"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import { group } from "../../api/Handlers.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"
import * as Paging from "../../base/Paging.ts"
import { parseTimestamp } from "../../base/Time.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"

const profile = (row: UserRow, publicRepositories: number, urls: Urls): Organization => ({
  ...Shapes.organizationSummary(row, urls),
  name: row.name,
  ...(row.email === null ? {} : { email: row.email }),
  public_repos: publicRepositories,
  public_gists: 0,
  followers: 0,
  following: 0,
  html_url: `${urls.html}/${row.login}`,
  type: row.type,
  has_organization_projects: true,
  has_repository_projects: true,
  created_at: parseTimestamp(row.created_at),
  updated_at: parseTimestamp(row.updated_at),
  archived_at: null
})

export const make = Effect.gen(function* () {
  const organizations = yield* OrganizationRows
  const registry = yield* RepositoryRegistry

  return group(Contract)({
    *listForAuthenticatedUser(_, { caller, page, urls }) {
      const slice = Paging.slice(yield* organizations.ofMember(caller.user.id), page)
      return { ...slice, items: slice.items.map((row) => Shapes.organizationSummary(row, urls)) }
    },

    *get(_, { organization, urls }) {
      const all = yield* registry.list
      const open = all.filter(({ owner, private: hidden }) => owner.id === organization.id && hidden === 0)
      return profile(organization, open.length, urls)
    }
  })
})
